package hextictactoe

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// The learned evaluation looks at all windows of six cells with a piece. Each one adds a few
// numbers, which depend on its pattern, to sums: once as x sees it and once as o does. A network
// with one hidden layer computes the value for the side to move from the sums of both sides. All
// numbers are integers, so that every machine computes the same value.

// Sizes of the evaluation. With windows of eight cells, more sums or more hidden units it did not
// predict other games noticeably better. Without hidden units it won half as many Elo.
const (
	PatternCells = 6   // in a row
	Patterns     = 729 // 3 to the power of PatternCells
	Sums         = 4   // for each side
	Hidden       = 8
)

// LearnedNodes is the least number of nodes of a search that uses the evaluation: threat was
// measured to be stronger with it from this number on. The tree of a smaller one ends in the middle of its first moves, so that
// its value would swing with the side to move.
const LearnedNodes = 1000

// Units of the evaluation's numbers.
const (
	WeightUnit = 512 // stands for 1 in the sums, and in the weights of the hidden layer
	MostSum    = 4   // a sum counts as 0 if it is below, and as MostSum if it is above
	// LogitUnit is the change of a value that multiplies the odds of a win by e. With half of
	// fullScore, an evaluation is the probability that x wins, minus the probability that o does.
	LogitUnit  = fullScore / 2
	ValueParts = 16 // of a value: the unit of the numbers that are added up to it
)

// Weights are the numbers of the learned evaluation. The command evaluation finds them.
type Weights struct {
	// Windows holds the numbers that a window adds: to the sums, and to the value directly. Its
	// pattern is a number with a digit to the base 3 for each cell: 0 is an empty one, 1 has a piece
	// of the side that looks, 2 one of the other. The lowest digit is the first cell.
	Windows [Patterns][Sums + 1]int16
	// First holds the weights of the hidden units, for the sums of the side to move and of the other.
	First     [Hidden][2 * Sums]int16
	FirstBias [Hidden]int32
	Second    [Hidden]int16
	Bias      int32 // of the value
}

//go:embed evaluation.bin
var evaluationFile []byte

// evaluator holds the weights, and packed what windows add to the sums of x and of o.
type evaluator struct {
	weights Weights
	windows [Patterns][2]packed
}

// packed holds the numbers that a window adds, or their sums, in lanes of two large numbers, so
// that several are added at once. A number below 0 borrows from the lane above, and gives back when
// it is unpacked.
type packed [2]int64

// lane is the width of a lane in bits. It has room for eight times the sums of 400 random pieces,
// and games of cups have 401 at most.
const lane = 21

func pack(list [Sums + 1]int16) packed {
	return packed{
		int64(list[0]) + int64(list[1])<<lane + int64(list[2])<<(2*lane),
		int64(list[3]) + int64(list[4])<<lane,
	}
}

func (p *packed) unpack() (list [Sums + 1]int32) {
	const above = 64 - lane
	for i := range list {
		word := &p[i/3]
		list[i] = int32(*word << above >> above)
		*word = (*word - int64(list[i])) >> lane
	}
	return list
}

// learnedEvaluator returns the evaluator of the file that comes with the program.
var learnedEvaluator = sync.OnceValue(func() *evaluator {
	var w Weights
	if err := binary.Read(bytes.NewReader(evaluationFile), binary.LittleEndian, &w); err != nil {
		panic(fmt.Sprintf("evaluation.bin: %v", err)) // the file is part of the program
	}
	return newEvaluator(w)
})

func newEvaluator(w Weights) *evaluator {
	e := &evaluator{weights: w}
	for p := range Patterns {
		e.windows[p] = [2]packed{pack(w.Windows[p]), pack(w.Windows[swapped(p)])}
	}
	return e
}

// swapped returns a pattern with the pieces of both sides exchanged.
func swapped(pattern int) (other int) {
	for unit := 1; unit < Patterns; unit *= 3 {
		if digit := pattern / unit % 3; digit > 0 {
			other += (3 - digit) * unit
		}
	}
	return other
}

// estimate is the learned evaluation of a grid. It brings its sums up to date when a value is
// asked for, as most pieces are placed by the solver and to order moves.
type estimate struct {
	*evaluator
	stones []estimated // the pieces that the sums include
	kept   int         // of the stones: the first ones that have not been removed from the grid since
	sums   [2]packed   // of x and of o
}

type estimated struct {
	cell
	side rules.Side
}

// estimate returns the learned value of the position for side, which is to move.
func (g *grid) estimate(side rules.Side) int32 {
	e := g.learned
	for len(e.stones) > e.kept {
		last := e.stones[len(e.stones)-1]
		e.stones = e.stones[:len(e.stones)-1]
		g.include(last.cell, -int32(last.side))
	}
	for _, p := range g.placed[e.kept:] {
		s := g.cells[p.cell].side
		e.stones = append(e.stones, estimated{p.cell, s})
		g.include(p.cell, int32(s))
	}
	e.kept = len(e.stones)
	return e.value(side - rules.X)
}

// include changes a cell's digit in the patterns of its windows, and the sums.
func (g *grid) include(c cell, digit int32) {
	e, unit := g.learned, digit
	sums := e.sums
	for i, w := range g.through[c] {
		if i%PatternCells == 0 {
			unit = digit
		}
		pattern := &g.windows[w].pattern
		before := *pattern
		*pattern = uint16(int32(before) + unit)
		unit *= 3
		is, was := &e.windows[*pattern], &e.windows[before]
		sums[0][0] += is[0][0] - was[0][0]
		sums[0][1] += is[0][1] - was[0][1]
		sums[1][0] += is[1][0] - was[1][0]
		sums[1][1] += is[1][1] - was[1][1]
	}
	e.sums = sums
}

// value returns the value of the sums for a side that is to move.
func (e *estimate) value(own rules.Side) int32 {
	const most = MostSum * WeightUnit
	sums := e.sums
	mine, others := sums[own].unpack(), sums[1-own].unpack()
	var in [2 * Sums]int32
	for k := range Sums {
		in[k] = min(max(mine[k], 0), most)
		in[Sums+k] = min(max(others[k], 0), most)
	}
	w := &e.weights
	var out int32
	for i := range w.First {
		sum := w.FirstBias[i]
		for k, weight := range w.First[i] {
			sum += int32(weight) * in[k]
		}
		out += int32(w.Second[i]) * (max(sum, 0) / WeightUnit)
	}
	return (out/WeightUnit + mine[Sums] + w.Bias) / ValueParts
}
