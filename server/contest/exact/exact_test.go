package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The functions agree with those of package math, whose last bits depend on the machine.
func TestExpAndLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		x := (rng.Float64() - 0.5) * 1400
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
		y := math.Exp(x / 2)
		if got, want := Log(y), math.Log(y); math.Abs(got-want) > 1e-15*max(math.Abs(want), 0.1) {
			t.Fatalf("Log(%v) = %v, want %v", y, got, want)
		}
	}
	for _, tt := range []struct{ got, want float64 }{
		{Exp(0), 1},
		{Exp(-1e9), 0},
		{Exp(1e9), math.Inf(1)},
		{Log(1), 0},
		{Log(0), math.Inf(-1)},
		{Log(math.Inf(1)), math.Inf(1)},
		// package math is wrong here on some machines
		{Log(math.SmallestNonzeroFloat64), -744.4400719213812},
	} {
		if tt.got != tt.want {
			t.Errorf("got %v, want %v", tt.got, tt.want)
		}
	}
	if got := Log(-1); !math.IsNaN(got) {
		t.Errorf("Log(-1) = %v, want NaN", got)
	}
}

func TestNormal(t *testing.T) {
	for x := -37.0; x <= 37; x += 0.001 {
		if got, want := Normal(x), math.Erfc(-x/math.Sqrt2)/2; math.Abs(got-want) > 1e-15 {
			t.Fatalf("Normal(%v) = %v, want %v", x, got, want)
		}
	}
	for p := 0.0005; p < 1; p += 0.0005 {
		if got := Normal(NormalQuantile(p)); math.Abs(got-p) > 1e-15 {
			t.Fatalf("Normal(NormalQuantile(%v)) = %v", p, got)
		}
	}
	if got, want := NormalQuantile(0.975), 1.959963984540054; math.Abs(got-want) > 1e-14 {
		t.Errorf("NormalQuantile(0.975) = %v, want %v", got, want)
	}
	for _, p := range []float64{0, 1} {
		if got := NormalQuantile(p); math.Abs(got) > maxNormal || math.Abs(got) < maxNormal-1 {
			t.Errorf("NormalQuantile(%v) = %v, want about %d", p, got, maxNormal)
		}
	}
}

// The values are those of printed tables of Student's t.
func TestStudentQuantile(t *testing.T) {
	for _, tt := range []struct{ p, degrees, want, tolerance float64 }{
		{0.975, 9, 2.262157, 1e-3},
		{0.975, 29, 2.045230, 1e-5},
		{0.975, 99, 1.984217, 1e-6},
		{0.025, 99, -1.984217, 1e-6},
		{0.995, 29, 2.756386, 1e-4},
		{0.975, 1e9, 1.959964, 1e-6},
	} {
		if got := StudentQuantile(tt.p, tt.degrees); math.Abs(got-tt.want) > tt.tolerance {
			t.Errorf("StudentQuantile(%v, %v) = %v, want %v", tt.p, tt.degrees, got, tt.want)
		}
	}
}
