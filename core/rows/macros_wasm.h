// ADD adds n to a register.
#define ADD(n, reg) \
	Get reg; \
	I64Const $n; \
	I64Add; \
	Set reg

// LOOPWHILE jumps back when reg, less one, is not zero.
#define LOOPWHILE(reg) \
	Get reg; \
	I64Const $1; \
	I64Sub; \
	Tee reg; \
	I64Eqz; \
	I32Eqz; \
	BrIf $0

// AT is the address that a register holds.
#define AT(reg) \
	Get reg; \
	I32WrapI64

// SPLAT spreads a float32 argument over a vector.
#define SPLAT(arg, vec) \
	Get SP; \
	F32Load arg(FP); \
	F32x4Splat; \
	Set vec

// LOWEST is -math.MaxFloat32, GONE -Inf, in all parts of a vector.
#define LOWEST V128Const $0xff7fffffff7fffff, $0xff7fffffff7fffff
#define GONE V128Const $0xff800000ff800000, $0xff800000ff800000

// LOWEST1 is the same, alone.
#define LOWEST1 F32Const $-3.4028234663852886e38

// ZERO clears a vector.
#define ZERO(vec) \
	V128Const $0, $0; \
	Set vec

// SUMLANES is the sum of a vector's four whole numbers.
#define SUMLANES(vec) \
	Get vec; \
	I32x4ExtractLane $0, $0; \
	Get vec; \
	I32x4ExtractLane $0, $1; \
	I32Add; \
	Get vec; \
	I32x4ExtractLane $0, $2; \
	I32Add; \
	Get vec; \
	I32x4ExtractLane $0, $3; \
	I32Add; \
	I64ExtendI32U
