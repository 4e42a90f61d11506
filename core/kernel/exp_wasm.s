//go:build !purego

#include "textflag.h"
#include "macros_wasm.h"

// EXP replaces V0 by e**V0 as exp32 does, with V1, V2, V3.
#define EXP \
	Get V0; \
	EXPLOW; \
	F32x4Gt; \
	Set V3; \
	Get V0; \
	EXPHIGH; \
	F32x4Pmin; \
	Tee V0; \
	EXPLOG2E; \
	F32x4Mul; \
	EXPMAGIC; \
	F32x4Add; \
	Tee V1; \
	EXPMAGIC; \
	F32x4Sub; \
	Set V2; \
	Get V0; \
	Get V2; \
	EXPLN2HI; \
	F32x4Mul; \
	F32x4Sub; \
	Get V2; \
	EXPLN2LO; \
	F32x4Mul; \
	F32x4Sub; \
	Tee V0; \
	EXPC5; \
	F32x4Mul; \
	EXPC4; \
	F32x4Add; \
	Get V0; \
	F32x4Mul; \
	EXPC3; \
	F32x4Add; \
	Get V0; \
	F32x4Mul; \
	EXPC2; \
	F32x4Add; \
	Get V0; \
	F32x4Mul; \
	EXPC1; \
	F32x4Add; \
	Get V0; \
	F32x4Mul; \
	EXPC0; \
	F32x4Add; \
	Get V0; \
	Get V0; \
	F32x4Mul; \
	F32x4Mul; \
	Get V0; \
	F32x4Add; \
	ONE; \
	F32x4Add; \
	Get V1; \
	I32Const $23; \
	I32x4Shl; \
	ONE; \
	I32x4Add; \
	F32x4Mul; \
	Get V3; \
	V128And; \
	Set V0

// func maxLanes(lanes, x *float32, vectors int64)
TEXT ·maxLanes(SB), NOSPLIT, $0-24
	MOVD lanes+0(FP), R0
	MOVD x+8(FP), R1
	MOVD vectors+16(FP), R2
	V128Load 0(R1)
	Set V0
	Loop
		Get V0
		V128Load 0(R1)
		F32x4Pmax
		Set V0
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	STORE(V0, 0, R0)
	RET

// func expLanes(lanes, x *float32, most float32, vectors int64)
TEXT ·expLanes(SB), NOSPLIT, $0-32
	MOVD lanes+0(FP), R0
	MOVD x+8(FP), R1
	Get SP
	F32Load most+16(FP)
	F32x4Splat
	Set V5
	MOVD vectors+24(FP), R2
	ZERO(V4)
	Loop
		V128Load 0(R1)
		Get V5
		F32x4Sub
		Set V0
		EXP
		STORE(V0, 0, R1)
		Get V4
		Get V0
		F32x4Add
		Set V4
		ADD(16, R1)
		LOOPWHILE(R2)
	End
	STORE(V4, 0, R0)
	RET

// func geluVectors(x *float32, vectors int64)
TEXT ·geluVectors(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	MOVD vectors+8(FP), R2
	Loop
		V128Load 0(R0)
		Tee V4
		Get V4
		F32x4Mul
		GELUB
		F32x4Mul
		GELUA
		F32x4Add
		Get V4
		F32x4Mul
		Set V0
		EXP
		Get R0
		I32WrapI64
		Get V4
		Get V0
		ONE
		F32x4Add
		F32x4Div
		V128Store $0
		ADD(16, R0)
		LOOPWHILE(R2)
	End
	RET
