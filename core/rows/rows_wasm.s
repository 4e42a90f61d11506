//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// func nextVector(xs *float32, floor float32, vectors int64) (at int64)
TEXT ·nextVector(SB), NOSPLIT, $0-32
	MOVD xs+0(FP), R0
	SPLAT(floor+8, V0)
	MOVD vectors+16(FP), R2
	Loop
		V128Load 0(R0)
		Get V0
		F32x4Le
		I32x4AllTrue
		If
			ADD(16, R0)
			Get R2
			I64Const $1
			I64Sub
			Tee R2
			I64Eqz
			I32Eqz
			BrIf $1
		End
	End
	Get SP
	MOVD vectors+16(FP), R3
	Get R3
	Get R2
	I64Sub
	I64Store at+24(FP)
	RET

// func aboveVectors(xs *float32, floor float32, vectors int64) (n int64)
TEXT ·aboveVectors(SB), NOSPLIT, $0-32
	MOVD xs+0(FP), R0
	SPLAT(floor+8, V0)
	MOVD vectors+16(FP), R2
	ZERO(V1)
	Loop
		Get V1
		V128Load 0(R0)
		Get V0
		F32x4Le
		V128Not
		I32x4Sub
		Set V1
		ADD(16, R0)
		LOOPWHILE(R2)
	End
	Get SP
	SUMLANES(V1)
	I64Store n+24(FP)
	RET

// func divideVectors(xs *float32, shift, by float32, vectors int64)
TEXT ·divideVectors(SB), NOSPLIT, $0-24
	MOVD xs+0(FP), R0
	SPLAT(shift+8, V0)
	SPLAT(by+12, V1)
	MOVD vectors+16(FP), R2
	Loop
		AT(R0)
		V128Load 0(R0)
		Get V0
		F32x4Sub
		Get V1
		F32x4Div
		V128Store $0
		ADD(16, R0)
		LOOPWHILE(R2)
	End
	RET

// func cutVectors(xs *float32, floor float32, vectors int64)
TEXT ·cutVectors(SB), NOSPLIT, $0-24
	MOVD xs+0(FP), R0
	SPLAT(floor+8, V0)
	MOVD vectors+16(FP), R2
	Loop
		AT(R0)
		GONE
		V128Load 0(R0)
		Tee V1
		Get V1
		Get V0
		F32x4Lt
		V128Bitselect
		V128Store $0
		ADD(16, R0)
		LOOPWHILE(R2)
	End
	RET

// GATHER notes the token at off, and goes on where it is left.
#define GATHER(off) \
	F32Load off(R2); \
	Set F0; \
	AT(R1); \
	Get F0; \
	F32Store $0; \
	AT(R0); \
	Get R4; \
	I32WrapI64; \
	I32Store $0; \
	ADD(1, R4); \
	Get F0; \
	LOWEST1; \
	F32Lt; \
	I32Eqz; \
	I64ExtendI32U; \
	I64Const $2; \
	I64Shl; \
	Tee R5; \
	Get R0; \
	I64Add; \
	Set R0; \
	Get R5; \
	Get R1; \
	I64Add; \
	Set R1

// func gatherVectors(ids *int32, scores, xs *float32, vectors int64) (n int64)
TEXT ·gatherVectors(SB), NOSPLIT, $0-40
	MOVD ids+0(FP), R0
	MOVD scores+8(FP), R1
	MOVD xs+16(FP), R2
	MOVD vectors+24(FP), R3
	I64Const $0
	Set R4
	Loop
		V128Load 0(R2)
		LOWEST
		F32x4Lt
		I32x4AllTrue
		If
			ADD(4, R4)
		Else
			GATHER(0)
			GATHER(4)
			GATHER(8)
			GATHER(12)
		End
		ADD(16, R2)
		LOOPWHILE(R3)
	End
	MOVD ids+0(FP), R3
	Get SP
	Get R0
	Get R3
	I64Sub
	I64Const $2
	I64ShrU
	I64Store n+32(FP)
	RET

// WEIGHT is the weight at off, 0 where the token is removed, and then R5 is 0, too,
// else all ones.
#define WEIGHT(off) \
	I64Load (2*off)(R1); \
	F32Load off(R2); \
	LOWEST1; \
	F32Lt; \
	I64ExtendI32U; \
	I64Const $1; \
	I64Sub; \
	Tee R5; \
	I64And; \
	F64ReinterpretI64

// PICK notes the weight at off, and goes on where its token is left.
#define PICK(off) \
	AT(R0); \
	WEIGHT(off); \
	Tee F17; \
	F64Store $0; \
	Get F16; \
	Get F17; \
	F64Add; \
	Set F16; \
	Get R5; \
	I64Const $8; \
	I64And; \
	Get R0; \
	I64Add; \
	Set R0

// func pickVectors(dst, weights *float64, xs *float32, vectors int64) (n int64, sum float64)
TEXT ·pickVectors(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD weights+8(FP), R1
	MOVD xs+16(FP), R2
	MOVD vectors+24(FP), R3
	F64Const $0.0
	Set F16
	Loop
		V128Load 0(R2)
		LOWEST
		F32x4Lt
		I32x4AllTrue
		I32Eqz
		If
			PICK(0)
			PICK(4)
			PICK(8)
			PICK(12)
		End
		ADD(32, R1)
		ADD(16, R2)
		LOOPWHILE(R3)
	End
	MOVD dst+0(FP), R3
	Get SP
	Get R0
	Get R3
	I64Sub
	I64Const $3
	I64ShrU
	I64Store n+32(FP)
	Get SP
	Get F16
	F64Store sum+40(FP)
	RET

// ADDWEIGHT adds the weight at off to the sum.
#define ADDWEIGHT(off) \
	Get F16; \
	WEIGHT(off); \
	F64Add; \
	Set F16

// func sumVectors(weights *float64, xs *float32, vectors int64) (sum float64)
TEXT ·sumVectors(SB), NOSPLIT, $0-32
	MOVD weights+0(FP), R1
	MOVD xs+8(FP), R2
	MOVD vectors+16(FP), R3
	F64Const $0.0
	Set F16
	Loop
		V128Load 0(R2)
		LOWEST
		F32x4Lt
		I32x4AllTrue
		I32Eqz
		If
			ADDWEIGHT(0)
			ADDWEIGHT(4)
			ADDWEIGHT(8)
			ADDWEIGHT(12)
		End
		ADD(32, R1)
		ADD(16, R2)
		LOOPWHILE(R3)
	End
	Get SP
	Get F16
	F64Store sum+24(FP)
	RET
