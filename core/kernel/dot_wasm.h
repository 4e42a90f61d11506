// What the products of dot1_wasm.s and dot4_wasm.s have in common. They keep the
// weights' address in R1 and a mask of low bytes in V9.

// LOWBYTES is the mask.
#define LOWBYTES \
	V128Const $0x00ff00ff00ff00ff, $0x00ff00ff00ff00ff; \
	Set V9

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

// GROUPBYTES sets reg to the bytes of a group's weights in a block, of its number
// of columns.
#define GROUPBYTES(columns, reg) \
	Get columns; \
	I64Const $8; \
	I64Mul; \
	I64Const $32; \
	I64Add; \
	Set reg

// APART sets b, c and d to what lies once, twice and three times the distance
// beyond a.
#define APART(distance, a, b, c, d) \
	Get a; \
	Get distance; \
	I64Add; \
	Tee b; \
	Get distance; \
	I64Add; \
	Tee c; \
	Get distance; \
	I64Add; \
	Set d

// ADDALL adds n to four registers.
#define ADDALL(n, a, b, c, d) \
	ADD(n, a); \
	ADD(n, b); \
	ADD(n, c); \
	ADD(n, d)
