//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// The functions keep the weights' address in R1 and a mask of low bytes in V9.

// SPLIT makes low and high of the 16 bytes at reg + off: two columns of 4 rows
// each.
#define SPLIT(off, reg, low, high) \
	V128Load off(reg); \
	Tee low; \
	I32Const $8; \
	I16x8ShrU; \
	Set high; \
	Get low; \
	Get V9; \
	V128And; \
	Set low

// MAC adds the products of w and x to sum.
#define MAC(w, x, sum) \
	Get w; \
	Get x; \
	I32x4DotI16x8S; \
	Get sum; \
	I32x4Add; \
	Set sum

// VECTOR does 4 columns of 8 rows for the activations at reg + off: sums of
// rows 0 to 3 in a, 4 to 7 in b.
#define VECTOR(off, reg, a, b) \
	V128Load off(reg); \
	Set V8; \
	MAC(V10, V8, a); \
	MAC(V12, V8, b); \
	V128Load (off+16)(reg); \
	Set V8; \
	MAC(V11, V8, a); \
	MAC(V13, V8, b)

// SUMS sets a and b to the sums' start, at reg.
#define SUMS(reg, a, b) \
	V128Load 0(reg); \
	Tee a; \
	Set b

// SCALES keeps the weights' scales in V14 and V15.
#define SCALES \
	V128Load 0(R1); \
	Set V14; \
	V128Load 16(R1); \
	Set V15; \
	ADD(32, R1)

// SCALED is sum times the weights' scales in ws and the activations' in V8.
#define SCALED(sum, ws) \
	Get sum; \
	F32x4ConvertI32x4S; \
	Get ws; \
	Get V8; \
	F32x4Mul; \
	F32x4Mul

// SPREAD sets V8 to the activations' scale, behind those of the last pass of
// the inner loop, and reg to the next group.
#define SPREAD(reg) \
	V128Load 16(reg); \
	Set V8; \
	ADD(32, reg)

// RUNS sets R7 to the passes of the inner loop over a group, each of cols
// columns.
#define RUNS(cols) \
	MOVD group+40(FP), R7; \
	Get R7; \
	I64Const $cols; \
	I64DivU; \
	Set R7

// func dot1(dst *float32, w *byte, x *int32, blocks, groups, group int64)
TEXT ·dot1(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD w+8(FP), R1
	MOVD blocks+24(FP), R5
	V128Const $0x00ff00ff00ff00ff, $0x00ff00ff00ff00ff
	Set V9
	Loop
		MOVD x+16(FP), R3
		MOVD groups+32(FP), R6
		ZERO(V4)
		ZERO(V5)
		Loop
			SUMS(R3, V0, V1)
			SCALES
			RUNS(8)
			Loop
				SPLIT(0, R1, V10, V11)
				SPLIT(16, R1, V12, V13)
				VECTOR(16, R3, V0, V1)
				SPLIT(32, R1, V10, V11)
				SPLIT(48, R1, V12, V13)
				VECTOR(48, R3, V0, V1)
				ADD(64, R1)
				ADD(64, R3)
				LOOPWHILE(R7)
			End
			SPREAD(R3)
			Get V4
			SCALED(V0, V14)
			F32x4Add
			Set V4
			Get V5
			SCALED(V1, V15)
			F32x4Add
			Set V5
			LOOPWHILE(R6)
		End
		STORE(V4, 0, R0)
		STORE(V5, 16, R0)
		ADD(32, R0)
		LOOPWHILE(R5)
	End
	RET

// PLACE does 4 columns of the 8 rows at reg + off for the activations in V8 and
// V14: sums of rows 0 to 3 in a, 4 to 7 in b.
#define PLACE(off, reg, a, b) \
	SPLIT(off, reg, V10, V11); \
	SPLIT((off+16), reg, V12, V13); \
	MAC(V10, V8, a); \
	MAC(V12, V8, b); \
	MAC(V11, V14, a); \
	MAC(V13, V14, b)

// PLACES does 4 columns, off bytes into each place, for the activations at R3 +
// x.
#define PLACES(off, x) \
	V128Load x(R3); \
	Set V8; \
	V128Load (x+16)(R3); \
	Set V14; \
	PLACE(off, R1, V0, V4); \
	PLACE(off, R8, V1, V5); \
	PLACE(off, R9, V2, V6); \
	PLACE(off, R10, V3, V7)

// ADDSUM adds sum, scaled, to the 4 numbers at reg + off. The weights' scales
// lie at R14 + off, that of the activations is in V8.
#define ADDSUM(off, sum, reg) \
	Get reg; \
	I32WrapI64; \
	V128Load off(reg); \
	Get sum; \
	F32x4ConvertI32x4S; \
	V128Load off(R14); \
	Get V8; \
	F32x4Mul; \
	F32x4Mul; \
	F32x4Add; \
	V128Store $0, $off

// PLACED adds the sums of a place to the results at reg. Its group, R15 bytes,
// ends at w.
#define PLACED(a, b, w, reg) \
	Get w; \
	Get R15; \
	I64Sub; \
	Set R14; \
	ADDSUM(0, a, reg); \
	ADDSUM(16, b, reg)

// func dot1x4(dst *float32, w *byte, x *int32, blocks, groups, group, apart int64)
TEXT ·dot1x4(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD w+8(FP), R1
	MOVD blocks+24(FP), R5
	MOVD groups+32(FP), R6
	MOVD group+40(FP), R15
	MOVD apart+48(FP), R3
	Get R15
	I64Const $8
	I64Mul
	I64Const $32
	I64Add
	Set R15
	Get R3
	I64Const $32
	I64Mul
	Set R2
	Get R0
	Get R2
	I64Add
	Tee R11
	Get R2
	I64Add
	Tee R12
	Get R2
	I64Add
	Set R13
	Get R3
	Get R6
	I64Mul
	Get R15
	I64Mul
	Set R2
	Get R1
	Get R2
	I64Add
	Tee R8
	Get R2
	I64Add
	Tee R9
	Get R2
	I64Add
	Set R10
	V128Const $0x00ff00ff00ff00ff, $0x00ff00ff00ff00ff
	Set V9
	Loop
		MOVD x+16(FP), R3
		MOVD groups+32(FP), R6
		Loop
			SUMS(R3, V0, V4)
			SUMS(R3, V1, V5)
			SUMS(R3, V2, V6)
			SUMS(R3, V3, V7)
			ADD(32, R1) // past the scales
			ADD(32, R8)
			ADD(32, R9)
			ADD(32, R10)
			RUNS(8)
			Loop
				PLACES(0, 16)
				PLACES(32, 48)
				ADD(64, R1)
				ADD(64, R8)
				ADD(64, R9)
				ADD(64, R10)
				ADD(64, R3)
				LOOPWHILE(R7)
			End
			SPREAD(R3)
			PLACED(V0, V4, R1, R0)
			PLACED(V1, V5, R8, R11)
			PLACED(V2, V6, R9, R12)
			PLACED(V3, V7, R10, R13)
			LOOPWHILE(R6)
		End
		ADD(32, R0)
		ADD(32, R11)
		ADD(32, R12)
		ADD(32, R13)
		LOOPWHILE(R5)
	End
	RET

// BY adds register n to another.
#define BY(n, reg) \
	Get reg; \
	Get n; \
	I64Add; \
	Set reg

// BACK subtracts it.
#define BACK(n, reg) \
	Get reg; \
	Get n; \
	I64Sub; \
	Set reg

// dot4 has the vectors' activations at R3, R8, R9 and R10, the first one's
// results at R0 and the others' R11, R2 and R4 further on each, their sums in V0 to V3 for
// rows 0 to 3 and in V4 to V7 for rows 4 to 7. A group has R14 bytes, of weights
// as of activations.

// FLOATS makes bytes of a distance in float32.
#define FLOATS(reg) \
	Get reg; \
	I64Const $4; \
	I64Mul; \
	Set reg

// VECTORS does the same to the activations of each.
#define VECTORS(step) \
	step(R14, R3); \
	step(R14, R8); \
	step(R14, R9); \
	step(R14, R10)

// RESULT adds the scaled sums of the vector at x to the 8 numbers at R0.
#define RESULT(a, b, x) \
	SPREAD(x); \
	Get R0; \
	I32WrapI64; \
	V128Load 0(R0); \
	SCALED(a, V14); \
	F32x4Add; \
	V128Store $0; \
	Get R0; \
	I32WrapI64; \
	V128Load 16(R0); \
	SCALED(b, V15); \
	F32x4Add; \
	V128Store $0, $16

// func dot4(dst *float32, w *byte, x *int32, blocks, groups, group, second, third, fourth, places, apart int64)
TEXT ·dot4(SB), NOSPLIT, $0-88
	MOVD dst+0(FP), R0
	MOVD w+8(FP), R1
	MOVD blocks+24(FP), R5
	MOVD groups+32(FP), R6
	MOVD group+40(FP), R7
	MOVD second+48(FP), R11
	MOVD third+56(FP), R2
	MOVD fourth+64(FP), R4
	MOVD apart+80(FP), R12
	Get R7
	I64Const $8
	I64Mul
	I64Const $32
	I64Add
	Set R14
	FLOATS(R11)
	FLOATS(R2)
	FLOATS(R4)
	Get R12
	Get R6
	I64Mul
	Get R14
	I64Mul
	Set R13 // from a place to the next, in weights
	Get R12
	I64Const $32
	I64Mul
	Set R12 // and in results
	V128Const $0x00ff00ff00ff00ff, $0x00ff00ff00ff00ff
	Set V9
	Loop
		MOVD x+16(FP), R3
		MOVD groups+32(FP), R6
		Get R3
		Get R14
		Get R6
		I64Mul
		Tee R7
		I64Add
		Tee R8
		Get R7
		I64Add
		Tee R9
		Get R7
		I64Add
		Set R10
		Loop
			MOVD places+72(FP), R15
			Loop
				SUMS(R3, V0, V4)
				SUMS(R8, V1, V5)
				SUMS(R9, V2, V6)
				SUMS(R10, V3, V7)
				SCALES
				RUNS(4)
				Loop
					SPLIT(0, R1, V10, V11)
					SPLIT(16, R1, V12, V13)
					VECTOR(16, R3, V0, V4)
					VECTOR(16, R8, V1, V5)
					VECTOR(16, R9, V2, V6)
					VECTOR(16, R10, V3, V7)
					ADD(32, R1)
					ADD(32, R3)
					ADD(32, R8)
					ADD(32, R9)
					ADD(32, R10)
					LOOPWHILE(R7)
				End
				RESULT(V0, V4, R3)
				BY(R11, R0)
				RESULT(V1, V5, R8)
				BY(R2, R0)
				RESULT(V2, V6, R9)
				BY(R4, R0)
				RESULT(V3, V7, R10)
				// The same group at the next place.
				VECTORS(BACK)
				BACK(R14, R1)
				BY(R13, R1)
				BACK(R11, R0)
				BACK(R2, R0)
				BACK(R4, R0)
				BY(R12, R0)
				LOOPWHILE(R15)
			End
			// The next group at the first place.
			VECTORS(BY)
			BY(R14, R1)
			MOVD places+72(FP), R15
			Get R1
			Get R13
			Get R15
			I64Mul
			I64Sub
			Set R1
			Get R0
			Get R12
			Get R15
			I64Mul
			I64Sub
			Set R0
			LOOPWHILE(R6)
		End
		ADD(32, R0)
		LOOPWHILE(R5)
	End
	RET
