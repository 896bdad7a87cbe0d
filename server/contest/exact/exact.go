// Package exact holds the functions of the standard library's math that the statistics
// of contests need, with the same bits on every machine.
//
// The standard library's exponential and logarithm are written in assembly on some
// architectures, and a compiler may fuse x*y + z into one operation with a single
// rounding, as Go's does on arm64. So the functions here are built of additions,
// multiplications, divisions and square roots alone, and every product that is added to
// something, also in a later statement, is converted to float64 first, which the language
// specification says prevents the fusion. A division by a power of two counts as a product. All
// packages below server/contest are written like that; TestNothingIsFused holds them to it.
package exact

import "math"

// The natural logarithm of 2, and the same as a sum whose first part has 21 trailing zero
// bits, so that its product with an exponent is exact (as in fdlibm's e_exp.c).
const (
	Ln2   = 0.693147180559945309417232121458
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// Ln10 is the natural logarithm of 10, the base of Elo's scale.
const Ln10 = 2.30258509299404568401799145468

// The range in which [Exp] is finite and normal.
const (
	minExp = -708
	maxExp = 709
)

// expTerms is the degree of Taylor's polynomial in Exp. Its argument is at most ln(2)/2, so
// that the first term left out is below 2^-57 of the result.
const expTerms = 13

var reciprocalFactorial = func() (c [expTerms + 1]float64) {
	factorial := 1.0 // exact, as it stays below 2^53
	for i := range c {
		factorial *= float64(max(i, 1))
		c[i] = 1 / factorial
	}
	return c
}()

// Exp returns e to the power of x, with a relative error below 1e-15. It returns 0 below
// -708 and infinity above 709.
func Exp(x float64) float64 {
	switch {
	case x < minExp:
		return 0
	case x > maxExp:
		return math.Inf(1)
	}
	k := math.Floor(float64(x*(1/Ln2)) + 0.5)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo)
	p := reciprocalFactorial[expTerms]
	for i := expTerms - 1; i >= 0; i-- {
		p = float64(p*r) + reciprocalFactorial[i]
	}
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52) // 2 to the power of k
}

// logTerms is the number of terms of the series in Log: its argument is at most 0.1716, so
// that the first term left out is below 2^-60 of the sum.
const logTerms = 11

// Log returns the natural logarithm of a positive number, with a relative error below 1e-15
// except next to 1, where the absolute error is below 1e-16. It returns minus infinity for 0.
func Log(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0 || math.IsNaN(x):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	}
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		exponent--
	}
	s := (m - 1) / (m + 1) // Log(m) = 2 (s + s³/3 + s⁵/5 + …)
	z := s * s
	p := 0.0
	for i := logTerms; i >= 1; i-- {
		p = float64(p*z) + 1/float64(2*i+1)
	}
	k := float64(exponent)
	return float64(k*ln2Hi) + (2*s + (float64(2*s*float64(z*p)) + float64(k*ln2Lo)))
}
