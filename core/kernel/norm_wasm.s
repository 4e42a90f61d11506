//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// HIGH brings the upper two numbers of a vector down.
#define HIGH \
	V128Const $0x0f0e0d0c0b0a0908, $0x0f0e0d0c0b0a0908; \
	I8x16Swizzle

// func addVectors(dst, src *float32, vectors int64)
TEXT ·addVectors(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD vectors+16(FP), R2
	Loop
		V128Load 0(R0)
		V128Load 0(R1)
		F32x4Add
		Set V0
		STORE(V0, 0, R0)
		ADD(16, R0)
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	RET

// func sumVectors(parts *float64, x *float32, vectors int64)
TEXT ·sumVectors(SB), NOSPLIT, $0-24
	MOVD parts+0(FP), R0
	MOVD x+8(FP), R1
	MOVD vectors+16(FP), R2
	ZERO(V0)
	ZERO(V1)
	Loop
		V128Load 0(R1)
		Tee V2
		F64x2PromoteLowF32x4
		Get V0
		F64x2Add
		Set V0
		Get V2
		HIGH
		F64x2PromoteLowF32x4
		Get V1
		F64x2Add
		Set V1
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	STORE(V0, 0, R0)
	STORE(V1, 16, R0)
	RET

// func squareVectors(parts *float64, x *float32, mean float32, vectors int64)
TEXT ·squareVectors(SB), NOSPLIT, $0-32
	MOVD parts+0(FP), R0
	MOVD x+8(FP), R1
	Get SP
	F32Load mean+16(FP)
	F32x4Splat
	Set V3
	MOVD vectors+24(FP), R2
	ZERO(V0)
	ZERO(V1)
	Loop
		V128Load 0(R1)
		Get V3
		F32x4Sub
		Tee V2
		F64x2PromoteLowF32x4
		Tee V4
		Get V4
		F64x2Mul
		Get V0
		F64x2Add
		Set V0
		Get V2
		HIGH
		F64x2PromoteLowF32x4
		Tee V4
		Get V4
		F64x2Mul
		Get V1
		F64x2Add
		Set V1
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	STORE(V0, 0, R0)
	STORE(V1, 16, R0)
	RET

// func normaliseVectors(dst, x, weight, bias *float32, mean, factor float32, vectors int64)
TEXT ·normaliseVectors(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD x+8(FP), R1
	MOVD weight+16(FP), R3
	MOVD bias+24(FP), R4
	Get SP
	F32Load mean+32(FP)
	F32x4Splat
	Set V1
	Get SP
	F32Load factor+36(FP)
	F32x4Splat
	Set V2
	MOVD vectors+40(FP), R2
	Loop
		V128Load 0(R1)
		Get V1
		F32x4Sub
		Get V2
		F32x4Mul
		V128Load 0(R3)
		F32x4Mul
		V128Load 0(R4)
		F32x4Add
		Set V0
		STORE(V0, 0, R0)
		ADD(16, R0)
		ADD(16, R1)
		ADD(16, R3)
		ADD(16, R4)
		LOOPWHILE(R2)
	End
	RET
