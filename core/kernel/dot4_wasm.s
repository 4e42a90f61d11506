//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"
#include "dot_wasm.h"

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
	GROUPBYTES(R7, R14)
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
	LOWBYTES
	Loop
		MOVD x+16(FP), R3
		MOVD groups+32(FP), R6
		Get R14
		Get R6
		I64Mul
		Set R7
		APART(R7, R3, R8, R9, R10)
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
					ADDALL(32, R3, R8, R9, R10)
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
