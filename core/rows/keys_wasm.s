//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

#define TOPBIT V128Const $0x8000000080000000, $0x8000000080000000

// func keyVectors(dst *uint32, xs *float32, vectors int64)
TEXT ·keyVectors(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD xs+8(FP), R1
	MOVD vectors+16(FP), R2
	ZERO(V1)
	Loop
		AT(R0)
		V128Load 0(R1)
		Get V1
		F32x4Add // -0 becomes 0
		Tee V0
		Get V0
		I32Const $31
		I32x4ShrS
		TOPBIT
		V128Or
		V128Xor
		Get V0
		Get V0
		F32x4Ne
		V128Or // NaN
		V128Store $0
		ADD(16, R0)
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	RET

// func spanVectors(low, high, keys *uint32, vectors int64)
TEXT ·spanVectors(SB), NOSPLIT, $0-32
	MOVD low+0(FP), R0
	MOVD high+8(FP), R1
	MOVD keys+16(FP), R2
	MOVD vectors+24(FP), R3
	V128Const $-1, $-1
	Set V0
	ZERO(V1)
	Loop
		V128Load 0(R2)
		Tee V2
		Get V0
		I32x4MinU
		Set V0
		Get V2
		Get V1
		I32x4MaxU
		Set V1
		ADD(16, R2)
		LOOPWHILE(R3)
	End
	AT(R0)
	Get V0
	V128Store $0
	AT(R1)
	Get V1
	V128Store $0
	RET

// func belowVectors(keys *uint32, key uint32, vectors int64) (n int64)
TEXT ·belowVectors(SB), NOSPLIT, $0-32
	MOVD keys+0(FP), R0
	Get SP
	I32Load key+8(FP)
	I32x4Splat
	Set V0
	MOVD vectors+16(FP), R2
	ZERO(V1)
	Loop
		Get V1
		V128Load 0(R0)
		Get V0
		I32x4LtU
		I32x4Sub
		Set V1
		ADD(16, R0)
		LOOPWHILE(R2)
	End
	Get SP
	SUMLANES(V1)
	I64Store n+24(FP)
	RET

// ADDBIN adds a weight to the bin of the key at off.
#define ADDBIN(off) \
	I32Load off(R1); \
	Get R4; \
	I32WrapI64; \
	I32Sub; \
	Get R5; \
	I32WrapI64; \
	I32ShrU; \
	I32Const $2047; \
	I32And; \
	I32Const $3; \
	I32Shl; \
	AT(R0); \
	I32Add; \
	I64ExtendI32U; \
	Tee R6; \
	I32WrapI64; \
	I64Load 0(R6); \
	I64Load (2*off)(R2); \
	I64Add; \
	I64Store $0

// func addBins(bins *uint64, keys *uint32, weights *uint64, low uint32, shift uint32, fours int64)
TEXT ·addBins(SB), NOSPLIT, $0-40
	MOVD bins+0(FP), R0
	MOVD keys+8(FP), R1
	MOVD weights+16(FP), R2
	Get SP
	I64Load32U low+24(FP)
	Set R4
	Get SP
	I64Load32U shift+28(FP)
	Set R5
	MOVD fours+32(FP), R3
	Loop
		ADDBIN(0)
		ADDBIN(4)
		ADDBIN(8)
		ADDBIN(12)
		ADD(16, R1)
		ADD(32, R2)
		LOOPWHILE(R3)
	End
	RET
