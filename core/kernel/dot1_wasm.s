//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"
#include "dot_wasm.h"

// func dot1(dst *float32, w *byte, x *int32, blocks, groups, group int64)
TEXT ·dot1(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD w+8(FP), R1
	MOVD blocks+24(FP), R5
	LOWBYTES
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
	GROUPBYTES(R15, R15)
	Get R3
	I64Const $32
	I64Mul
	Set R2
	APART(R2, R0, R11, R12, R13)
	Get R3
	Get R6
	I64Mul
	Get R15
	I64Mul
	Set R2
	APART(R2, R1, R8, R9, R10)
	LOWBYTES
	Loop
		MOVD x+16(FP), R3
		MOVD groups+32(FP), R6
		Loop
			SUMS(R3, V0, V4)
			SUMS(R3, V1, V5)
			SUMS(R3, V2, V6)
			SUMS(R3, V3, V7)
			ADDALL(32, R1, R8, R9, R10) // past the scales
			RUNS(8)
			Loop
				PLACES(0, 16)
				PLACES(32, 48)
				ADDALL(64, R1, R8, R9, R10)
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
		ADDALL(32, R0, R11, R12, R13)
		LOOPWHILE(R5)
	End
	RET
