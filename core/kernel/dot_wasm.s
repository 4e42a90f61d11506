//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// Locals of both functions:
//	R0 dst, R1 weights, R3 activations, R5 blocks left
//	V9 a mask of the low bytes

// SPLIT makes low and high columns of the 16 bytes at off into V10 and V11.
#define SPLIT(off) \
	V128Load off(R1); \
	Tee V10; \
	I32Const $8; \
	I16x8ShrU; \
	Set V11; \
	Get V10; \
	Get V9; \
	V128And; \
	Set V10

// MAC adds V10 and V11 times the activations in x0 and x1 to sum.
#define MAC(sum, x0, x1) \
	Get V10; \
	Get x0; \
	I32x4DotI16x8S; \
	Get sum; \
	I32x4Add; \
	Get V11; \
	Get x1; \
	I32x4DotI16x8S; \
	I32x4Add; \
	Set sum

// QUAD does 4 columns of 8 rows.
#define QUAD(woff, xoff) \
	V128Load xoff(R3); \
	Set V4; \
	V128Load (xoff+16)(R3); \
	Set V5; \
	SPLIT(woff); \
	MAC(V1, V4, V5); \
	SPLIT(woff+16); \
	MAC(V2, V4, V5)

// SCALE adds sum times the weights' scales, which stand at woff before the
// group's bytes, times the activations' in V3, to acc.
#define SCALE(acc, sum, ws) \
	Get acc; \
	Get sum; \
	F32x4ConvertI32x4S; \
	Get ws; \
	Get V3; \
	F32x4Mul; \
	F32x4Mul; \
	F32x4Add; \
	Set acc

// func dot1(dst *float32, w *byte, x *int16, scale *float32, start *int32, blocks, groups, runs int64)
TEXT ·dot1(SB), NOSPLIT, $0-64
	MOVD dst+0(FP), R0
	MOVD w+8(FP), R1
	MOVD blocks+40(FP), R5
	V128Const $0x00ff00ff00ff00ff, $0x00ff00ff00ff00ff
	Set V9
	Loop
		MOVD x+16(FP), R3
		MOVD scale+24(FP), R4
		MOVD start+32(FP), R2
		MOVD groups+48(FP), R6
		ZERO(V6)
		ZERO(V7)
		Loop
			Get R2
			I32WrapI64
			I32Load $0
			I32x4Splat
			Tee V1
			Set V2
			V128Load 0(R1)
			Set V12
			V128Load 16(R1)
			Set V13
			ADD(32, R1)
			MOVD runs+56(FP), R7
			Loop
				QUAD(0, 0)
				QUAD(32, 32)
				QUAD(64, 64)
				QUAD(96, 96)
				QUAD(128, 128)
				QUAD(160, 160)
				QUAD(192, 192)
				QUAD(224, 224)
				ADD(256, R1)
				ADD(256, R3)
				LOOPWHILE(R7)
			End
			Get R4
			I32WrapI64
			F32Load $0
			F32x4Splat
			Set V3
			SCALE(V6, V1, V12)
			SCALE(V7, V2, V13)
			ADD(4, R2)
			ADD(4, R4)
			LOOPWHILE(R6)
		End
		STORE(V6, 0, R0)
		STORE(V7, 16, R0)
		ADD(32, R0)
		LOOPWHILE(R5)
	End
	RET
