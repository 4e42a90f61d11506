//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

#define UNIT V128Const $0x43d0000000000000, $0x43d0000000000000
#define ONES V128Const $0x3ff0000000000000, $0x3ff0000000000000

// func sharePairs(probs *float32, units *uint64, weights *float64, sum float64, pairs int64)
TEXT ·sharePairs(SB), NOSPLIT, $0-40
	MOVD probs+0(FP), R0
	MOVD units+8(FP), R1
	MOVD weights+16(FP), R2
	Get SP
	F64Load sum+24(FP)
	F64x2Splat
	Set V0
	MOVD pairs+32(FP), R3
	Loop
		AT(R0)
		V128Load 0(R2)
		Get V0
		F64x2Div
		F32x4DemoteF64x2Zero
		Tee V1
		I64x2ExtractLane $0, $0
		I64Store $0
		Get V1
		F64x2PromoteLowF32x4
		UNIT
		F64x2Mul
		Set V1
		AT(R1)
		Get V1
		F64x2ExtractLane $0, $0
		I64TruncSatF64S
		I64Store $0
		AT(R1)
		Get V1
		F64x2ExtractLane $0, $1
		I64TruncSatF64S
		I64Store $8
		ADD(8, R0)
		ADD(16, R1)
		ADD(16, R2)
		LOOPWHILE(R3)
	End
	RET

// WEIGH adds the weight of token i to the sums of whom it belongs to: (w, w*x), or
// nothing where it is removed.
#define WEIGH(i) \
	I32Load8U i(R1); \
	I32Const $4; \
	I32Shl; \
	AT(R0); \
	I32Add; \
	I64ExtendI32U; \
	Tee R5; \
	I32WrapI64; \
	V128Load 0(R5); \
	F64Load (8*i)(R3); \
	F64x2Splat; \
	ONES; \
	F32Load (4*i)(R2); \
	Tee F0; \
	F64PromoteF32; \
	Get F16; \
	F64Sub; \
	F64x2ReplaceLane $0, $1; \
	F64x2Mul; \
	Get F0; \
	LOWEST1; \
	F32Lt; \
	I64ExtendI32U; \
	I64Const $1; \
	I64Sub; \
	I64x2Splat; \
	V128And; \
	F64x2Add; \
	V128Store $0

// func weighFours(sums *float64, by *uint8, xs *float32, weights *float64, top float64, fours int64)
TEXT ·weighFours(SB), NOSPLIT, $0-48
	MOVD sums+0(FP), R0
	MOVD by+8(FP), R1
	MOVD xs+16(FP), R2
	MOVD weights+24(FP), R3
	Get SP
	F64Load top+32(FP)
	Set F16
	MOVD fours+40(FP), R4
	Loop
		WEIGH(0)
		WEIGH(1)
		WEIGH(2)
		WEIGH(3)
		ADD(4, R1)
		ADD(16, R2)
		ADD(32, R3)
		LOOPWHILE(R4)
	End
	RET

// BYTES makes one vector of bytes of what op makes of 16 numbers, four at a time.
#define BYTES(op) \
	op(0); \
	op(16); \
	I16x8NarrowI32x4S; \
	op(32); \
	op(48); \
	I16x8NarrowI32x4S; \
	I8x16NarrowI16x8S

#define ISGONE(off) \
	V128Load off(R1); \
	LOWEST; \
	F32x4Lt

#define ISSAME(off) \
	V128Load off(R1); \
	V128Load off(R2); \
	F32x4Eq

// func fallVectors(by *uint8, row, before *float32, here, later uint8, vectors int64) (fell int64, onlyCut bool)
TEXT ·fallVectors(SB), NOSPLIT, $0-49
	MOVD by+0(FP), R0
	MOVD row+8(FP), R1
	MOVD before+16(FP), R2
	Get SP
	I32Load8U here+24(FP)
	I8x16Splat
	Set V0
	Get SP
	I32Load8U later+25(FP)
	I8x16Splat
	Set V1
	MOVD vectors+32(FP), R3
	I64Const $0
	Set R4
	V128Const $-1, $-1
	Set V2 // where a cut explains the row
	Loop
		BYTES(ISGONE)
		Set V3
		V128Load 0(R0)
		Tee V4
		Get V1
		I8x16Eq
		Set V5
		Get V2
		Get V5
		BYTES(ISSAME)
		Get V3
		V128Bitselect
		V128And
		Set V2
		Get V3
		Get V5
		V128And
		Tee V3 // what falls here
		I8x16Bitmask
		I32Popcnt
		I64ExtendI32U
		Get R4
		I64Add
		Set R4
		AT(R0)
		Get V0
		Get V4
		Get V3
		V128Bitselect
		V128Store $0
		ADD(16, R0)
		ADD(64, R1)
		ADD(64, R2)
		LOOPWHILE(R3)
	End
	Get SP
	Get R4
	I64Store fell+40(FP)
	Get SP
	Get V2
	I8x16AllTrue
	I32Store8 onlyCut+48(FP)
	RET

// func onlyVectors(dst, xs *float32, by *uint8, that uint8, vectors int64)
TEXT ·onlyVectors(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD xs+8(FP), R1
	MOVD by+16(FP), R2
	Get SP
	I32Load8U that+24(FP)
	I32x4Splat
	Set V0
	MOVD vectors+32(FP), R3
	Loop
		AT(R0)
		V128Load 0(R1)
		GONE
		I32Load 0(R2)
		I32x4Splat
		I16x8ExtendLowI8x16U
		I32x4ExtendLowI16x8U
		Get V0
		I32x4Eq
		V128Bitselect
		V128Store $0
		ADD(16, R0)
		ADD(16, R1)
		ADD(4, R2)
		LOOPWHILE(R3)
	End
	RET
