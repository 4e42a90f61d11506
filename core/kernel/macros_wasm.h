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

// STORE writes a vector to reg + off. The assembler takes the immediate of a
// store, as that of ExtractLane, from a second operand.
#define STORE(vec, off, reg) \
	Get reg; \
	I32WrapI64; \
	Get vec; \
	V128Store $0, $off

// ZERO clears a vector.
#define ZERO(vec) \
	V128Const $0, $0; \
	Set vec

// Constants for vectors of four float32, those of exp.go.
#define EXPLOW V128Const $0xc2ae0000c2ae0000, $0xc2ae0000c2ae0000
#define EXPHIGH V128Const $0x42b0000042b00000, $0x42b0000042b00000
#define EXPMAGIC V128Const $0x4b4000004b400000, $0x4b4000004b400000
#define EXPLOG2E V128Const $0x3fb8aa3b3fb8aa3b, $0x3fb8aa3b3fb8aa3b
#define EXPLN2HI V128Const $0x3f3180003f318000, $0x3f3180003f318000
#define EXPLN2LO V128Const $0xb95e8083b95e8083, $0xb95e8083b95e8083
#define EXPC0 V128Const $0x3f0000003f000000, $0x3f0000003f000000
#define EXPC1 V128Const $0x3e2aaaaa3e2aaaaa, $0x3e2aaaaa3e2aaaaa
#define EXPC2 V128Const $0x3d2aa9c13d2aa9c1, $0x3d2aa9c13d2aa9c1
#define EXPC3 V128Const $0x3c0889083c088908, $0x3c0889083c088908
#define EXPC4 V128Const $0x3ab743ce3ab743ce, $0x3ab743ce3ab743ce
#define EXPC5 V128Const $0x3950696739506967, $0x3950696739506967
#define ONE V128Const $0x3f8000003f800000, $0x3f8000003f800000
#define GELUA V128Const $0xbfcc422abfcc422a, $0xbfcc422abfcc422a
#define GELUB V128Const $0xbd922279bd922279, $0xbd922279bd922279
#define HUGE V128Const $0x7f61b1e67f61b1e6, $0x7f61b1e67f61b1e6

// Swizzles that spread one lane over all four.
#define LANE0 V128Const $0x0302010003020100, $0x0302010003020100
#define LANE1 V128Const $0x0706050407060504, $0x0706050407060504
#define LANE2 V128Const $0x0b0a09080b0a0908, $0x0b0a09080b0a0908
#define LANE3 V128Const $0x0f0e0d0c0f0e0d0c, $0x0f0e0d0c0f0e0d0c
