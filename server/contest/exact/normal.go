package exact

// inverseSqrt2Pi is 1/√(2π), the normal density at 0.
const inverseSqrt2Pi = 0.398942280401432677939946059934

// tail is where Normal changes from the series to the continued fraction: below it the series
// needs at most 50 terms, above it the fraction is exact to 1e-16 with fractionDepth levels.
const (
	tail          = 3
	fractionDepth = 60
)

// Normal returns the probability that a standard normal variable is at most x, by the series
// and the continued fraction of Marsaglia, "Evaluating the Normal Distribution", Journal of
// Statistical Software 11 (2004). The absolute error is below 1e-15. TestNormal compares it
// with the error function of package math.
func Normal(x float64) float64 {
	square := x * x
	density := inverseSqrt2Pi * Exp(-square/2)
	switch {
	case x > tail:
		return 1 - upperTail(x, density)
	case x < -tail:
		return upperTail(-x, density)
	}
	term, sum := x, x
	for i := 3.0; ; i += 2 {
		term = float64(term * (square / i))
		next := sum + term
		if next == sum {
			return 0.5 + float64(density*sum)
		}
		sum = next
	}
}

// upperTail returns the probability above x, where the density is given.
func upperTail(x, density float64) float64 {
	f := x
	for i := float64(fractionDepth); i >= 1; i-- {
		f = x + i/f
	}
	return density / f
}

// maxNormal bounds quantiles: a normal variable is beyond it with a probability below 1e-300.
const maxNormal = 37

// NormalQuantile returns the x at which [Normal] is p, by bisection. Its result is between
// -37 and 37, also for p of 0 and 1.
func NormalQuantile(p float64) float64 {
	if p > 0.5 {
		return -NormalQuantile(1 - p)
	}
	low, high := float64(-maxNormal), 0.0
	for {
		middle := (low + high) / 2
		if middle == low || middle == high {
			return middle
		}
		if Normal(middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
}

// StudentQuantile returns the quantile p of Student's t with the given degrees of freedom, by the
// expansion in Abramowitz and Stegun, 26.7.5. The error is below 0.001 for 9 degrees and p up to
// 0.975, and falls with the fourth power of the degrees. TestStudentQuantile holds it against
// tables.
func StudentQuantile(p, degrees float64) float64 {
	z := NormalQuantile(p)
	s := z * z
	horner := func(coefficients ...float64) float64 {
		sum := 0.0
		for _, c := range coefficients {
			sum = float64(sum*s) + c
		}
		return z * sum
	}
	g := [...]float64{
		horner(1, 1) / 4,
		horner(5, 16, 3) / 96,
		horner(3, 19, 17, -15) / 384,
		horner(79, 776, 1482, -1920, -945) / 92160,
	}
	t := 0.0
	for i := len(g) - 1; i >= 0; i-- {
		t = (t + g[i]) / degrees
	}
	return z + t
}
