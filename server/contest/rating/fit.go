package rating

import (
	"cmp"
	"math"
	"slices"

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
	// newtonTolerance is the step below which strengths count as found. The error is then about the
	// step's square, so that a table is exact to the last digits.
	newtonTolerance = 1e-10
	// chordTolerance is the error that a sample may have: 10⁻⁷ points. It is estimated as the step
	// by how much smaller it is than the one before.
	chordTolerance = 1e-9
	// slowRatio is how much of a step the next one may have with the factor of all results. With
	// more it takes longer than the two steps of Newton's method, each of which costs about four of
	// it.
	slowRatio = 0.15
)

// solver finds the most likely strengths for wins and stages that occur this often. Its memory is
// reused.
type solver struct {
	likelihood *likelihood
	draws      float64   // virtual ones of each bot
	wins       []float64 // of each bot
	stages     []float64 // how often each occurs
	sorted     []int32   // all stages by size, which the processor predicts
	present    []int32   // those that occur
	gradient   []float64
	hessian    []float64 // of minus the logarithm; the lower triangle, by rows
	factor     []float64 // Cholesky's, of the curvature at the strengths of all results
	powers     []float64 // e to the power of each strength
	virtual    []float64 // the curvature of each bot's virtual draws
	parts      []float64 // of one stage
}

func newSolver(l *likelihood, draws float64) *solver {
	sorted := make([]int32, len(l.ends))
	for id := range sorted {
		sorted[id] = int32(id)
	}
	slices.SortStableFunc(sorted,
		func(a, b int32) int { return cmp.Compare(len(l.stage(int(a))), len(l.stage(int(b)))) })
	most := 0
	if n := len(sorted); n > 0 {
		most = len(l.stage(int(sorted[n-1])))
	}
	return &solver{
		likelihood: l, draws: draws, sorted: sorted,
		wins:     make([]float64, l.bots),
		stages:   make([]float64, len(l.ends)),
		gradient: make([]float64, l.bots),
		hessian:  make([]float64, l.bots*l.bots),
		factor:   make([]float64, l.bots*l.bots),
		powers:   make([]float64, l.bots),
		virtual:  make([]float64, l.bots),
		parts:    make([]float64, most),
	}
}

// clear forgets all wins and stages.
func (s *solver) clear() {
	clear(s.wins)
	clear(s.stages)
}

// add adds the results of a unit, which was drawn some times.
func (s *solver) add(number int, times float64) {
	u := &s.likelihood.units[number]
	for _, w := range u.wins {
		s.wins[w.bot] += float64(times * w.weight)
	}
	for _, o := range u.stages {
		s.stages[o.stage] += float64(times * float64(o.count))
	}
}

// find notes which stages occur.
func (s *solver) find() {
	s.present = s.present[:0]
	for _, id := range s.sorted {
		if s.stages[id] > 0 {
			s.present = append(s.present, id)
		}
	}
}

// solve improves the strengths, natural logarithms with mean 0, until they are the most likely
// ones: until a step is below the tolerance.
//
// The model is that of Hunter, "MM Algorithms for Generalized Bradley-Terry Models", Annals of
// Statistics 32 (2004). His iteration finds the same strengths, but takes thousands of steps where
// a bot wins nearly always; in logarithms the likelihood is concave, and Newton's method takes
// few. TestFitAgainstMM compares both, TestFitGolden has the golden values of choix.
func (s *solver) solve(strengths []float64) {
	for range maxIterations {
		s.slope(strengths)
		s.bend()
		decompose(s.hessian, s.likelihood.bots)
		substitute(s.hessian, s.gradient)
		if s.step(strengths) < newtonTolerance {
			return
		}
	}
}

// improve finds the strengths of a sample, from those of all results. Their curvatures differ
// little, so that the factor of one serves for all samples: each step then takes the slope only,
// which is most of what a sample costs. This is the simplified Newton method, or chord method, of
// Ortega and Rheinboldt, "Iterative Solution of Nonlinear Equations in Several Variables" (1970),
// 7.1. Where it is slow, as with few results, Newton's method goes on. TestSamples holds it against
// that.
func (s *solver) improve(strengths []float64) {
	last := float64(maxStep)
	for range maxIterations {
		s.slope(strengths)
		substitute(s.factor, s.gradient)
		largest := s.step(strengths)
		ratio := largest / last
		if largest*min(ratio, 1) < chordTolerance {
			return
		}
		if ratio > slowRatio {
			break
		}
		last = largest
	}
	s.solve(strengths)
}

// step changes the strengths by the solver's step, or a part of a large one. It returns the largest
// change that the step has.
func (s *solver) step(strengths []float64) (largest float64) {
	for _, step := range s.gradient {
		largest = max(largest, math.Abs(step))
	}
	scale := min(1, maxStep/max(largest, maxStep))
	for i, step := range s.gradient {
		strengths[i] += float64(step * scale)
	}
	limit(strengths)
	return largest
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

// slope sets the gradient of the likelihood's logarithm, and the powers. The virtual draws'
// opponent has the mean strength, which is 0 but moves with each bot, so that the likelihood
// depends on the strengths' differences only.
func (s *solver) slope(strengths []float64) {
	n, pull := s.likelihood.bots, 0.0
	for i, strength := range strengths {
		s.powers[i] = exact.Exp(strength)
		win := s.powers[i] / (1 + s.powers[i])
		s.gradient[i] = s.draws * (0.5 - win)
		pull += s.gradient[i] / float64(n)
	}
	for bot, wins := range s.wins {
		s.gradient[bot] += wins - pull
	}
	for _, id := range s.present {
		stage, count := s.likelihood.stage(int(id)), s.stages[id]
		sum := 0.0
		for _, m := range stage {
			sum += float64(m.weight * s.powers[m.bot])
		}
		each := count / sum
		for _, m := range stage {
			s.gradient[m.bot] -= float64(each * float64(m.weight*s.powers[m.bot]))
		}
	}
}

// bend sets the curvature where slope was called. Along the mean of the strengths that of the
// virtual draws is 0; a constant in all its elements makes it definite, and does not move the mean.
func (s *solver) bend() {
	n, curvature := s.likelihood.bots, 0.0
	for i, power := range s.powers {
		win := power / (1 + power)
		s.virtual[i] = s.draws * float64(win*(1-win))
		curvature += s.virtual[i] / float64(n)
	}
	for i := range n {
		for j := range i + 1 {
			s.hessian[i*n+j] = (1 + curvature - s.virtual[i] - s.virtual[j]) / float64(n)
		}
		s.hessian[i*n+i] += s.virtual[i] + ridge
	}
	for _, id := range s.present {
		s.bendStage(s.likelihood.stage(int(id)), s.stages[id])
	}
}

// bendStage adds a sum of strengths in the denominator, which occurs count times.
func (s *solver) bendStage(stage []share, count float64) {
	n, sum := int32(s.likelihood.bots), 0.0
	for i, m := range stage {
		s.parts[i] = m.weight * s.powers[m.bot]
		sum += s.parts[i]
	}
	for i, m := range stage {
		p := s.parts[i] / sum
		s.parts[i] = p
		s.hessian[m.bot*n+m.bot] += float64(count * p)
		for j, other := range stage[:i+1] { // which are sorted by bot
			product := float64(count * float64(p*s.parts[j]))
			s.hessian[m.bot*n+other.bot] -= product
			if i != j && m.bot == other.bot { // a bot with two seats
				s.hessian[m.bot*n+other.bot] -= product
			}
		}
	}
}

// decompose replaces the lower triangle of a definite matrix of n rows by Cholesky's factor.
func decompose(h []float64, n int) {
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
}

// substitute replaces x by the solution of factor × factorᵀ × solution = x.
func substitute(factor, x []float64) {
	n := len(x)
	for i := range n {
		sum := x[i]
		for k := range i {
			sum -= float64(factor[i*n+k] * x[k])
		}
		x[i] = sum / factor[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < n; k++ {
			sum -= float64(factor[k*n+i] * x[k])
		}
		x[i] = sum / factor[i*n+i]
	}
}
