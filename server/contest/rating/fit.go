package rating

import (
	"math"

	"github.com/hexarena/hexarena/server/contest/exact"
)

const (
	// maxIterations is well above what Newton's method takes: some six steps, and as many more as
	// strengths are apart, since a step changes none by more than maxStep.
	maxIterations = 200
	maxStep       = 1
	// maxStrength bounds strengths that results alone leave infinite, such as that of a bot
	// that won all matches, if there are no virtual draws: 40 is 7 000 Elo.
	maxStrength = 40
	// ridge is added to the curvature, so that it can be inverted where results say nothing. It
	// changes the steps and not where they end.
	ridge = 1e-9
)

// solver finds the most likely strengths by Newton's method. Its memory is reused.
type solver struct {
	likelihood *likelihood
	draws      float64   // virtual ones of each bot
	wins       []float64 // of each bot
	stages     []float64 // how often each occurs
	gradient   []float64
	hessian    []float64 // of minus the logarithm; the lower triangle, by rows
	powers     []float64 // e to the power of each strength
	virtual    []float64 // the curvature of each bot's virtual draws
	shares     []float64 // of one stage
}

func newSolver(l *likelihood, draws float64) *solver {
	most := 0
	for _, stage := range l.stages {
		most = max(most, len(stage))
	}
	return &solver{
		likelihood: l, draws: draws,
		wins:     make([]float64, l.bots),
		stages:   make([]float64, len(l.stages)),
		gradient: make([]float64, l.bots),
		hessian:  make([]float64, l.bots*l.bots),
		powers:   make([]float64, l.bots),
		virtual:  make([]float64, l.bots),
		shares:   make([]float64, most),
	}
}

// solve improves the strengths, natural logarithms with mean 0, until they are the most likely
// ones for patterns that occur this often: until a step is below the tolerance.
//
// The model is that of Hunter, "MM Algorithms for Generalized Bradley-Terry Models", Annals of
// Statistics 32 (2004). His iteration finds the same strengths, but takes thousands of steps where
// a bot wins nearly always; in logarithms the likelihood is concave, and Newton's method takes
// few. TestFitAgainstMM compares both, TestFitGolden has the golden values of choix.
func (s *solver) solve(strengths, counts []float64, tolerance float64) {
	s.likelihood.total(counts, s.wins, s.stages)
	for range maxIterations {
		s.derive(strengths)
		s.descend()
		largest := 0.0
		for _, step := range s.gradient {
			largest = max(largest, math.Abs(step))
		}
		scale := min(1, maxStep/max(largest, maxStep))
		for i, step := range s.gradient {
			strengths[i] += float64(step * scale)
		}
		limit(strengths)
		if largest < tolerance {
			return
		}
	}
}

// limit moves the strengths to the mean 0, and those that are too far from it to the bounds.
func limit(strengths []float64) {
	sum := 0.0
	for _, strength := range strengths {
		sum += strength
	}
	mean := sum / float64(len(strengths))
	for i, strength := range strengths {
		strengths[i] = min(max(strength-mean, -maxStrength), maxStrength)
	}
}

// derive sets the gradient and the curvature of the likelihood's logarithm.
func (s *solver) derive(strengths []float64) {
	for i, strength := range strengths {
		s.powers[i] = exact.Exp(strength)
	}
	s.setVirtual()
	for bot, wins := range s.wins {
		s.gradient[bot] += wins
	}
	for id, count := range s.stages {
		if count > 0 {
			s.addStage(s.likelihood.stages[id], count)
		}
	}
}

// setVirtual sets both to those of the virtual draws. Their opponent has the mean strength, which
// is 0 but moves with each bot, so that the likelihood depends on the strengths' differences only.
// The curvature along their mean is therefore 0; a constant in all its elements makes it definite,
// and does not move the mean.
func (s *solver) setVirtual() {
	n := s.likelihood.bots
	pull, curvature := 0.0, 0.0 // the means
	for i, power := range s.powers {
		win := power / (1 + power)
		s.gradient[i] = s.draws * (0.5 - win)
		s.virtual[i] = s.draws * float64(win*(1-win))
		pull += s.gradient[i] / float64(n)
		curvature += s.virtual[i] / float64(n)
	}
	for i := range n {
		s.gradient[i] -= pull
		for j := range i + 1 {
			s.hessian[i*n+j] = (1 + curvature - s.virtual[i] - s.virtual[j]) / float64(n)
		}
		s.hessian[i*n+i] += s.virtual[i] + ridge
	}
}

// addStage adds a sum of strengths in the denominator, which occurs count times.
func (s *solver) addStage(stage []share, count float64) {
	n, sum := s.likelihood.bots, 0.0
	for i, m := range stage {
		s.shares[i] = m.weight * s.powers[m.bot]
		sum += s.shares[i]
	}
	for i, m := range stage {
		p := s.shares[i] / sum
		s.shares[i] = p
		s.gradient[m.bot] -= float64(count * p)
		s.hessian[m.bot*n+m.bot] += float64(count * p)
		for j, other := range stage[:i+1] {
			product := float64(count * float64(p*s.shares[j]))
			row, column := max(m.bot, other.bot), min(m.bot, other.bot)
			s.hessian[row*n+column] -= product
			if i != j && row == column { // a bot with two seats
				s.hessian[row*n+column] -= product
			}
		}
	}
}

// descend replaces the gradient by Newton's step, the solution of hessian × step = gradient, by
// Cholesky's decomposition in place.
func (s *solver) descend() {
	n, h, x := s.likelihood.bots, s.hessian, s.gradient
	for i := range n {
		for j := range i + 1 {
			sum := h[i*n+j]
			for k := range j {
				sum -= float64(h[i*n+k] * h[j*n+k])
			}
			if i == j {
				h[i*n+i] = math.Sqrt(max(sum, ridge))
			} else {
				h[i*n+j] = sum / h[j*n+j]
			}
		}
	}
	for i := range n {
		sum := x[i]
		for k := range i {
			sum -= float64(h[i*n+k] * x[k])
		}
		x[i] = sum / h[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < n; k++ {
			sum -= float64(h[k*n+i] * x[k])
		}
		x[i] = sum / h[i*n+i]
	}
}
