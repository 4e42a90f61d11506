package kernel

import "math"

// exp32 is e**x in float32, within 2 units in the last place: 0 below -87,
// e**88 above 88. e**x = 2**n e**r, with the polynomial of Cephes' expf.
func exp32(x float32) float32 {
	if !(x > expLow) {
		return 0
	}
	x = min(x, expHigh)
	t := float32(x*expLog2e) + expMagic // n in the low bits
	n := t - expMagic
	r := x - float32(n*expLn2hi)
	r -= float32(n * expLn2lo)
	p := float32(float32(expC5))
	p = float32(p*r) + expC4
	p = float32(p*r) + expC3
	p = float32(p*r) + expC2
	p = float32(p*r) + expC1
	p = float32(p*r) + expC0
	p = float32(p*float32(r*r)) + r + 1
	return p * math.Float32frombits(math.Float32bits(t)<<23+0x3f800000)
}

const (
	expLow   = -87
	expHigh  = 88
	expMagic = 3 << 22
	expLog2e = 1.44269504088896341
	expLn2hi = 0.693359375
	expLn2lo = -2.12194440e-4
	expC0    = 5.0000001201e-1
	expC1    = 1.6666665459e-1
	expC2    = 4.1665795894e-2
	expC3    = 8.3334519073e-3
	expC4    = 1.3981999507e-3
	expC5    = 1.9875691500e-4
)

// softmax replaces the first n of x by e**(x - their maximum) and returns 1
// over the sum. Maximum and sum are of four parts, number i in part i%4. What
// follows the first n, up to a multiple of 4, must be there and is lost.
func softmax(x []float32, n int) float32 {
	for i := n; i < roundUp(n, 4); i++ {
		x[i] = float32(math.Inf(-1)) // which adds nothing
	}
	x = x[:roundUp(n, 4)]
	var lanes [4]float32
	maxOf(&lanes, x)
	most := max(lanes[0], lanes[1], lanes[2], lanes[3])
	expSum(&lanes, x, most)
	return 1 / ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
}

// maxOfGeneric: of equal numbers the first, and NaN only where it stands first.
func maxOfGeneric(lanes *[4]float32, x []float32) {
	copy(lanes[:], x)
	for i, v := range x {
		if lanes[i%4] < v {
			lanes[i%4] = v
		}
	}
}

func expSumGeneric(lanes *[4]float32, x []float32, most float32) {
	*lanes = [4]float32{}
	for i, v := range x {
		x[i] = exp32(v - most)
		lanes[i%4] += x[i]
	}
}

// GeluNew applies x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) in place: HF's
// gelu_new, written with 1 + tanh u = 2 / (1 + e**(-2u)).
func GeluNew(x []float32) { geluNew(x) }

func geluNewGeneric(x []float32) {
	for i, v := range x {
		u := v * (float32(geluB*float32(v*v)) + geluA)
		x[i] = v / (exp32(u) + 1)
	}
}

const (
	geluA = -2 * 0.797884560802865355 // -2 sqrt(2/pi)
	geluB = geluA * 0.044715
)
