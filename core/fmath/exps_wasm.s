//go:build !purego

#include "textflag.h"

// Constants of exp.go, in both halves of a vector.
#define STEPSLOG2E V128Const $0x40871547652b82fe, $0x40871547652b82fe
#define STEPLN2HI V128Const $0x3f562e42fee00000, $0x3f562e42fee00000
#define STEPLN2LO V128Const $0x3d5a39ef35793c76, $0x3d5a39ef35793c76
#define C24TH V128Const $0x3fa5555555555555, $0x3fa5555555555555
#define SIXTH V128Const $0x3fc5555555555555, $0x3fc5555555555555
#define HALF V128Const $0x3fe0000000000000, $0x3fe0000000000000
#define ONE V128Const $0x3ff0000000000000, $0x3ff0000000000000
#define TINY V128Const $0xc05a000000000000, $0xc05a000000000000

// ENTRY gets the entry of the table for one of the whole numbers in V2.
#define ENTRY(lane) \
	Get V2; \
	I32x4ExtractLane $0, lane; \
	I32Const $511; \
	I32And; \
	I32Const $3; \
	I32Shl; \
	Get R3; \
	I32WrapI64; \
	I32Add; \
	I64Load $0

// ADDBOTH adds both halves of a vector to a sum, the lower one first.
#define ADDBOTH(vec, sum) \
	Get sum; \
	Get vec; \
	F64x2ExtractLane $0, $0; \
	F64Add; \
	Get vec; \
	F64x2ExtractLane $0, $1; \
	F64Add; \
	Set sum

// func expPairs(sums, dst *float64, xs *float32, top float64, table *uint64, pairs int64)
TEXT ·expPairs(SB), NOSPLIT, $0-48
	MOVD dst+8(FP), R0
	MOVD xs+16(FP), R1
	MOVD table+32(FP), R3
	MOVD pairs+40(FP), R2
	Get SP
	F64Load top+24(FP)
	F64x2Splat
	Set V7
	F64Const $0.0
	Tee F16
	Set F17
	Loop
		I64Load 0(R1)
		I64x2Splat
		F64x2PromoteLowF32x4
		Get V7
		F64x2Sub
		Tee V0
		STEPSLOG2E
		F64x2Mul
		F64x2Nearest
		Tee V1
		I32x4TruncSatF64x2SZero
		Set V2
		Get V0
		Get V1
		STEPLN2HI
		F64x2Mul
		F64x2Sub
		Get V1
		STEPLN2LO
		F64x2Mul
		F64x2Sub
		Set V1 // r
		ENTRY($0)
		I64x2Splat
		ENTRY($1)
		I64x2ReplaceLane $0, $1
		Get V2
		I64x2ExtendLowI32x4S
		I32Const $43
		I64x2Shl
		I64x2Add
		Tee V3 // t
		Get V3
		Get V1
		F64x2Mul
		Get V1
		C24TH
		F64x2Mul
		SIXTH
		F64x2Add
		Get V1
		F64x2Mul
		HALF
		F64x2Add
		Get V1
		F64x2Mul
		ONE
		F64x2Add
		F64x2Mul
		F64x2Add
		Get V0
		TINY
		F64x2Ge
		Tee V4
		V128And
		Set V3 // e
		Get R0
		I32WrapI64
		Get V3
		V128Store $0
		ADDBOTH(V3, F16)
		Get V3
		Get V0
		F64x2Mul
		Get V4
		V128And
		Set V3
		ADDBOTH(V3, F17)
		Get R0
		I64Const $16
		I64Add
		Set R0
		Get R1
		I64Const $8
		I64Add
		Set R1
		Get R2
		I64Const $1
		I64Sub
		Tee R2
		I64Eqz
		I32Eqz
		BrIf $0
	End
	MOVD sums+0(FP), R0
	Get R0
	I32WrapI64
	Get F16
	F64Store $0
	Get R0
	I32WrapI64
	Get F17
	F64Store $8
	RET
