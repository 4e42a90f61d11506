//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// PAGE puts the address of the head's part of the page at R2 + off into reg; a
// slice of pages has 24 bytes for each.
#define PAGE(off, reg) \
	Get R2; \
	I32WrapI64; \
	I64Load $off; \
	MOVD at+24(FP), R3; \
	Get R3; \
	I64Add; \
	Set reg

// MULADD adds V9 times what lies at reg + off to acc.
#define MULADD(off, reg, acc) \
	Get acc; \
	V128Load off(reg); \
	Get V9; \
	F32x4Mul; \
	F32x4Add; \
	Set acc

// NUMBER spreads one number of the query, KEYS multiplies it with that of 16
// keys.
#define NUMBER(lane) \
	Get V8; \
	lane; \
	I8x16Swizzle; \
	Set V9

#define KEYS(off, reg, a, b, c, d) \
	MULADD(off, reg, a); \
	MULADD(off+16, reg, b); \
	MULADD(off+32, reg, c); \
	MULADD(off+48, reg, d)

#define PAGE1(off) KEYS(off, R1, V0, V1, V2, V3)
#define PAGE2(off) KEYS(off, R7, V4, V5, V6, V7)

// func keyScoresPages(scores, query *float32, keys *[]float32, at, quads, pages int64)
TEXT ·keyScoresPages(SB), NOSPLIT, $0-48
	MOVD scores+0(FP), R0
	MOVD keys+16(FP), R2
	MOVD pages+40(FP), R5
	Get R5
	I64Const $1
	I64ShrU
	Tee R5
	I32WrapI64
	If
		Loop // two pages at a time: eight sums hide the time that one takes
			PAGE(0, R1)
			PAGE(24, R7)
			MOVD query+8(FP), R3
			MOVD quads+32(FP), R6
			ZERO(V0)
			ZERO(V1)
			ZERO(V2)
			ZERO(V3)
			ZERO(V4)
			ZERO(V5)
			ZERO(V6)
			ZERO(V7)
			Loop
				V128Load 0(R3)
				Set V8
				NUMBER(LANE0)
				PAGE1(0)
				PAGE2(0)
				NUMBER(LANE1)
				PAGE1(64)
				PAGE2(64)
				NUMBER(LANE2)
				PAGE1(128)
				PAGE2(128)
				NUMBER(LANE3)
				PAGE1(192)
				PAGE2(192)
				ADD(256, R1)
				ADD(256, R7)
				ADD(16, R3)
				LOOPWHILE(R6)
			End
			STORE(V0, 0, R0)
			STORE(V1, 16, R0)
			STORE(V2, 32, R0)
			STORE(V3, 48, R0)
			STORE(V4, 64, R0)
			STORE(V5, 80, R0)
			STORE(V6, 96, R0)
			STORE(V7, 112, R0)
			ADD(128, R0)
			ADD(48, R2)
			LOOPWHILE(R5)
		End
	End
	MOVD pages+40(FP), R5
	Get R5
	I64Const $1
	I64And
	I32WrapI64
	If // the last of an odd number
		PAGE(0, R1)
		MOVD query+8(FP), R3
		MOVD quads+32(FP), R6
		ZERO(V0)
		ZERO(V1)
		ZERO(V2)
		ZERO(V3)
		Loop
			V128Load 0(R3)
			Set V8
			NUMBER(LANE0)
			PAGE1(0)
			NUMBER(LANE1)
			PAGE1(64)
			NUMBER(LANE2)
			PAGE1(128)
			NUMBER(LANE3)
			PAGE1(192)
			ADD(256, R1)
			ADD(16, R3)
			LOOPWHILE(R6)
		End
		STORE(V0, 0, R0)
		STORE(V1, 16, R0)
		STORE(V2, 32, R0)
		STORE(V3, 48, R0)
	End
	RET

// WEIGHT spreads the weight at R3 over V9.
#define WEIGHT \
	Get R3; \
	I32WrapI64; \
	F32Load $0; \
	F32x4Splat; \
	Set V9

// ROWS begins a loop over the positions of a page.
#define ROWS \
	Get R10; \
	Set R3; \
	Get R1; \
	Set R4; \
	Get R6; \
	Set R8

// func valueSumPages(out, weights *float32, values *[]float32, at, width, n int64)
TEXT ·valueSumPages(SB), NOSPLIT, $0-48
	MOVD values+16(FP), R2
	MOVD n+40(FP), R5
	MOVD width+32(FP), R9
	MOVD weights+8(FP), R10
	Loop
		PAGE(0, R1)
		MOVD out+0(FP), R0
		Get R5
		I64Const $16
		Get R5
		I64Const $16
		I64LtS
		Select
		Set R6
		Get R9
		I64Const $5
		I64ShrU
		Tee R7
		I32WrapI64
		If
			Loop // 32 columns
				ROWS
				V128Load 0(R0)
				Set V0
				V128Load 16(R0)
				Set V1
				V128Load 32(R0)
				Set V2
				V128Load 48(R0)
				Set V3
				V128Load 64(R0)
				Set V4
				V128Load 80(R0)
				Set V5
				V128Load 96(R0)
				Set V6
				V128Load 112(R0)
				Set V7
				Loop
					WEIGHT
					MULADD(0, R4, V0)
					MULADD(16, R4, V1)
					MULADD(32, R4, V2)
					MULADD(48, R4, V3)
					MULADD(64, R4, V4)
					MULADD(80, R4, V5)
					MULADD(96, R4, V6)
					MULADD(112, R4, V7)
					ADD(4, R3)
					ADD(128, R4)
					LOOPWHILE(R8)
				End
				STORE(V0, 0, R0)
				STORE(V1, 16, R0)
				STORE(V2, 32, R0)
				STORE(V3, 48, R0)
				STORE(V4, 64, R0)
				STORE(V5, 80, R0)
				STORE(V6, 96, R0)
				STORE(V7, 112, R0)
				ADD(128, R0)
				ADD(2048, R1)
				LOOPWHILE(R7)
			End
		End
		Get R9
		I64Const $31
		I64And
		Tee R11
		I64Const $2
		I64ShrU
		Tee R7
		I32WrapI64
		If
			Loop // the rest, R11 columns, 4 at a time
				ROWS
				V128Load 0(R0)
				Set V0
				Loop
					WEIGHT
					MULADD(0, R4, V0)
					ADD(4, R3)
					Get R4
					Get R11
					I64Const $4
					I64Mul
					I64Add
					Set R4
					LOOPWHILE(R8)
				End
				STORE(V0, 0, R0)
				ADD(16, R0)
				ADD(16, R1)
				LOOPWHILE(R7)
			End
		End
		ADD(64, R10)
		ADD(24, R2)
		ADD(-16, R5)
		Get R5
		I64Const $0
		I64GtS
		BrIf $0
	End
	RET

// PUT writes number i of the key to its column of the page.
#define PUT(i) \
	Get R0; \
	I32WrapI64; \
	F32Load (4*i)(R1); \
	F32Store $(64*i)

// func putKeyFours(page, key *float32, fours int64)
TEXT ·putKeyFours(SB), NOSPLIT, $0-24
	MOVD page+0(FP), R0
	MOVD key+8(FP), R1
	MOVD fours+16(FP), R2
	Loop
		PUT(0)
		PUT(1)
		PUT(2)
		PUT(3)
		ADD(256, R0)
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	RET

// func scaleVectors(dst, src *float32, by float32, vectors int64)
TEXT ·scaleVectors(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	Get SP
	F32Load by+16(FP)
	F32x4Splat
	Set V1
	MOVD vectors+24(FP), R2
	Loop
		V128Load 0(R1)
		Get V1
		F32x4Mul
		Set V0
		STORE(V0, 0, R0)
		ADD(16, R0)
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	RET
