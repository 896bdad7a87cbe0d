package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/server/contest/exact"
)

// The training is the method Adam (Kingma, Ba 2014) with decoupled decay of the weights
// (Loshchilov, Hutter 2019), on the cross entropy of the target. Products are converted before they
// are added, so that no machine fuses both operations.

const (
	epochs    = 8
	batch     = 128
	firstRate = 0.003 // of learning; it falls to lastRate of that
	lastRate  = 0.05
	decay     = 0.02
	beta1     = 0.9
	beta2     = 0.999
	// The deviations of the first weights.
	windowDeviation = 0.05
	secondDeviation = 0.1
)

const sums = bots.Sums

// model is the evaluation in floating-point numbers.
type model struct {
	direct    *parameters // by pattern
	windows   *parameters // by pattern and sum
	first     *parameters // by hidden unit, and sum of both sides
	firstBias *parameters
	second    *parameters
	bias      *parameters

	random *rand.Rand
	steps  int
	// for one position
	in, inSlope [2 * sums]float32
	units       [bots.Hidden]float32
}

// parameters are weights with their gradient and its moments.
type parameters struct{ weights, gradient, mean, square []float32 }

func newParameters(n int, weight func() float64) *parameters {
	p := &parameters{
		make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n),
	}
	for i := range p.weights {
		p.weights[i] = float32(weight())
	}
	return p
}

func newModel(seed uint64) *model {
	random := rand.New(rand.NewPCG(seed, 1))
	normal := func(deviation float64) func() float64 {
		return func() float64 { return random.NormFloat64() * deviation }
	}
	zero := func() float64 { return 0 }
	return &model{
		direct:    newParameters(bots.Patterns, zero),
		windows:   newParameters(bots.Patterns*sums, normal(windowDeviation)),
		first:     newParameters(bots.Hidden*2*sums, normal(1/math.Sqrt(2*sums))),
		firstBias: newParameters(bots.Hidden, zero),
		second:    newParameters(bots.Hidden, normal(secondDeviation)),
		bias:      newParameters(1, zero),
		random:    random,
	}
}

func (m *model) all() []*parameters {
	return []*parameters{m.direct, m.windows, m.first, m.firstBias, m.second, m.bias}
}

// learn goes once through the positions, in random order.
func (m *model) learn(list []position, epoch int) {
	m.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	steps := len(list) / batch
	for step := range steps {
		for i := range list[step*batch : (step+1)*batch] {
			p := &list[step*batch+i]
			m.blame(p, (float32(sigmoid(float64(m.value(p))))-p.target)/batch)
		}
		past := float32(epoch*steps+step) / float32(epochs*steps)
		m.step(firstRate * (1 - float32((1-lastRate)*past)))
	}
}

// value returns the logarithm of the odds that the side to move wins.
func (m *model) value(p *position) float32 {
	out := m.bias.weights[0]
	var both [2 * sums]float32
	for _, w := range p.windows {
		out += m.direct.weights[w]
		own, other := int(w)*sums, exchanged[w]*sums
		for k := range sums {
			both[k] += m.windows.weights[own+k]
			both[sums+k] += m.windows.weights[other+k]
		}
	}
	for k, sum := range both {
		m.in[k], m.inSlope[k] = min(max(sum, 0), bots.MostSum), 0
		if sum > 0 && sum < bots.MostSum {
			m.inSlope[k] = 1
		}
	}
	for i := range m.units {
		sum := m.firstBias.weights[i]
		for k, in := range m.in {
			sum += float32(m.first.weights[i*len(m.in)+k] * in)
		}
		m.units[i] = max(sum, 0)
		out += float32(m.second.weights[i] * m.units[i])
	}
	return out
}

// blame adds to the gradients, for the position whose value was computed last.
func (m *model) blame(p *position, slope float32) {
	var both [2 * sums]float32
	for i, unit := range m.units {
		if unit <= 0 {
			continue
		}
		m.second.gradient[i] += float32(slope * unit)
		inner := slope * m.second.weights[i]
		m.firstBias.gradient[i] += inner
		for k, in := range m.in {
			at := i*len(m.in) + k
			m.first.gradient[at] += float32(inner * in)
			both[k] += float32(inner * m.first.weights[at] * m.inSlope[k])
		}
	}
	m.bias.gradient[0] += slope
	for _, w := range p.windows {
		m.direct.gradient[w] += slope
		own, other := int(w)*sums, exchanged[w]*sums
		for k := range sums {
			m.windows.gradient[own+k] += both[k]
			m.windows.gradient[other+k] += both[sums+k]
		}
	}
}

// step changes the weights by the gradients, and sets these to 0.
func (m *model) step(rate float32) {
	m.steps++
	part1 := float32(1 - exact.Exp(float64(m.steps)*exact.Log(beta1)))
	part2 := float32(1 - exact.Exp(float64(m.steps)*exact.Log(beta2)))
	for _, p := range m.all() {
		for i, g := range p.gradient {
			if g == 0 && p.mean[i] == 0 { // a pattern that did not occur
				continue
			}
			p.mean[i] = float32(beta1*p.mean[i]) + float32((1-beta1)*g)
			p.square[i] = float32(beta2*p.square[i]) + float32((1-beta2)*g*g)
			root := float32(math.Sqrt(float64(p.square[i] / part2)))
			change := p.mean[i]/part1/(root+1e-8) + float32(decay*p.weights[i])
			p.weights[i] -= float32(rate * change)
			p.gradient[i] = 0
		}
	}
}

// loss returns the mean cross entropy of the targets.
func (m *model) loss(list []position) float64 {
	sum := 0.0
	for i := range list {
		p, target := sigmoid(float64(m.value(&list[i]))), float64(list[i].target)
		sum -= float64(target*exact.Log(p)) + float64((1-target)*exact.Log(1-p))
	}
	return sum / float64(len(list))
}

// weights returns the evaluation in integers.
func (m *model) weights() (w bots.Weights, err error) {
	round := func(x float32, unit int) int32 {
		return int32(math.Floor(float64(float64(x)*float64(unit)) + 0.5))
	}
	short := func(x float32, unit int) int16 {
		n := round(x, unit)
		if n != int32(int16(n)) {
			err = fmt.Errorf("the weight %v does not fit into 16 bits with the unit %d", x, unit)
		}
		return int16(n)
	}
	const valueUnit = bots.LogitUnit * bots.ValueParts
	for p := 1; p < bots.Patterns; p++ { // an empty window adds nothing
		from := canonical[p]
		for k := range sums {
			w.Windows[p][k] = short(m.windows.weights[from*sums+k], bots.WeightUnit)
		}
		w.Windows[p][sums] = short(m.direct.weights[from], valueUnit)
	}
	for i := range bots.Hidden {
		for k := range 2 * sums {
			w.First[i][k] = short(m.first.weights[i*2*sums+k], bots.WeightUnit)
		}
		w.FirstBias[i] = round(m.firstBias.weights[i], bots.WeightUnit*bots.WeightUnit)
		w.Second[i] = short(m.second.weights[i], valueUnit)
	}
	w.Bias = round(m.bias.weights[0], valueUnit)
	return w, err
}
