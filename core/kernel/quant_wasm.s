//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// FOUR makes whole numbers of the 4 activations at off, in vec. Adding 1.5 * 2^23
// leaves them in the low bits.
#define FOUR(off, vec) \
	V128Load off(R1); \
	Get V7; \
	F32x4Mul; \
	EXPMAGIC; \
	F32x4Add; \
	EXPMAGIC; \
	I32x4Sub; \
	Set vec

// PAIR stores a pair of V4's int16 four times. The numbers begin 16 bytes into
// the group.
#define PAIR(lane, off) \
	Get R0; \
	I32WrapI64; \
	Get V4; \
	lane; \
	I8x16Swizzle; \
	V128Store $0, $(off+16)

// func quantiseVectors(words *int32, x *float32, eights int64)
TEXT ·quantiseVectors(SB), NOSPLIT, $0-24
	MOVD words+0(FP), R0
	MOVD x+8(FP), R1
	MOVD eights+16(FP), R2
	Get R2
	Set R3
	ZERO(V0)
	V128Const $-1, $-1
	Set V1
	Loop
		V128Load 0(R1)
		F32x4Abs
		Set V2
		V128Load 16(R1)
		F32x4Abs
		Set V3
		Get V1
		Get V2
		HUGE
		F32x4Le
		V128And
		Get V3
		HUGE
		F32x4Le
		V128And
		Set V1
		Get V0
		Get V2
		F32x4Pmax
		Get V3
		F32x4Pmax
		Set V0
		ADD(32, R1)
		LOOPWHILE(R3)
	End
	Get V0
	F32x4ExtractLane $0, $0
	Get V0
	F32x4ExtractLane $0, $1
	F32Max
	Get V0
	F32x4ExtractLane $0, $2
	F32Max
	Get V0
	F32x4ExtractLane $0, $3
	F32Max
	Set F0
	// F1 is the scale, F2 what activations are multiplied by.
	F32Const $0.0
	Tee F1
	Set F2
	Get F0
	F32Const $1e-30
	F32Ge
	If
		Get F0
		F32Const $32767.0
		F32Div
		Set F1
		F32Const $32767.0
		Get F0
		F32Div
		Set F2
	End
	Get V1
	I32x4AllTrue
	I32Eqz
	If
		F32Const $0.0
		F32Const $0.0
		F32Div
		Set F1
		F32Const $0.0
		Set F2
	End
	Get F2
	F32x4Splat
	Set V7
	MOVD x+8(FP), R1
	ZERO(V6)
	Loop
		FOUR(0, V4)
		FOUR(16, V5)
		Get V6
		Get V4
		I32x4Add
		Get V5
		I32x4Add
		Set V6
		Get V4
		Get V5
		I16x8NarrowI32x4S
		Set V4
		PAIR(LANE0, 0)
		PAIR(LANE1, 16)
		PAIR(LANE2, 32)
		PAIR(LANE3, 48)
		ADD(64, R0)
		ADD(32, R1)
		LOOPWHILE(R2)
	End
	// The scale ends the group, the sum begins it.
	Get R0
	I32WrapI64
	Get F1
	F32x4Splat
	V128Store $0, $16
	MOVD words+0(FP), R0
	Get R0
	I32WrapI64
	Get V6
	I32x4ExtractLane $0, $0
	Get V6
	I32x4ExtractLane $0, $1
	I32Add
	Get V6
	I32x4ExtractLane $0, $2
	I32Add
	Get V6
	I32x4ExtractLane $0, $3
	I32Add
	I32Const $-128
	I32Mul
	I32x4Splat
	V128Store $0
	RET
