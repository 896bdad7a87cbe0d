package hextictactoe

import (
	"flag"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// A shape is some pieces of x, with nothing else near, up to the symmetries of the grid. A path of its
// pieces leads from each to each, whose steps are at most closeBy cells or, on a line, inLine. A shape
// with which x wins is minimal if x wins with none of its parts.
type shape []rules.Coord

const (
	closeBy = 2
	inLine  = 4 // with a cell to spare in a window of six
)

// name returns the same text for the same shape.
func (s shape) name() string {
	p := &rules.Position{}
	for _, c := range s {
		p.Pieces = append(p.Pieces, rules.Piece{Coord: c, Side: rules.X})
	}
	return canonical(p)
}

// parts returns the shapes of all pieces but one, connected or not.
func (s shape) parts() (list []shape) {
	for i := range s {
		list = append(list, slices.Delete(slices.Clone(s), i, i+1))
	}
	return list
}

// wins reports whether the solver proves that x wins by force, with pieces of o on some cells.
func (s shape) wins(against ...rules.Coord) bool {
	const nodes = 20_000 // ten times as many find no more wins with three pieces
	b := &rules.Board{}
	for _, c := range s {
		b.Place(rules.Piece{Coord: c, Side: rules.X})
	}
	for _, c := range against {
		b.Place(rules.Piece{Coord: c, Side: rules.O})
	}
	o := rules.Defaults()
	q := Question{Board: b, ToMove: rules.X, View: o.ViewDistance, Win: o.WinDistance}
	search := newSearch(&q, nodes)
	search.most = mostTurns
	return search.prove(rules.X, 0, endless, endless).win == 0
}

// near returns the empty cells within a distance of the shape.
func (s shape) near(most int) (cells []rules.Coord) {
	seen := map[rules.Coord]bool{}
	for _, c := range s {
		seen[c] = true
	}
	for _, c := range s {
		for q := -most; q <= most; q++ {
			for r := -most; r <= most; r++ {
				at := rules.Coord{Q: c.Q + q, R: c.R + r}
				if !seen[at] && hexgrid.Distance(at, c) <= most {
					seen[at] = true
					cells = append(cells, at)
				}
			}
		}
	}
	return cells
}

// grown returns the shapes of one more piece.
func grown(shapes []shape) (more []shape) {
	seen := map[string]bool{}
	for _, s := range shapes {
		for _, at := range s.near(inLine) {
			connected := false
			for _, c := range s {
				d := at.Sub(c)
				line := d.Q == 0 || d.R == 0 || d.Q == -d.R
				away := hexgrid.Distance(at, c)
				connected = connected || away <= closeBy || line && away <= inLine
			}
			next := append(slices.Clone(s), at)
			if connected && !seen[next.name()] {
				seen[next.name()] = true
				more = append(more, next)
			}
		}
	}
	return more
}

// TestShapes counts the shapes of three and four pieces with which x wins by force, if it is to move,
// and the minimal ones. The catalogue of the engine Six has the same numbers.
func TestShapes(t *testing.T) {
	thorough.Full(t)
	type counts struct{ shapes, wins, minimal int }
	want := []counts{{5, 0, 0}, {41, 16, 16}, {779, 529, 61}} // of two, three and four pieces
	shapes := []shape{{{}}}
	won := map[string]bool{}
	var wins []shape
	for i, want := range want {
		shapes, wins = grown(shapes), nil
		got := counts{shapes: len(shapes)}
		for _, s := range shapes {
			if !s.wins() {
				continue
			}
			won[s.name()] = true
			wins = append(wins, s)
			got.wins++
			if !slices.ContainsFunc(s.parts(), func(p shape) bool { return won[p.name()] }) {
				got.minimal++
			}
		}
		if got != want {
			t.Errorf("shapes of %d pieces: %+v, want %+v", i+2, got, want)
		}
	}
	if *checkReplies {
		testUnstoppable(t, wins)
	}
}

var checkReplies = flag.Bool("replies", false,
	"count the shapes of four pieces that no reply stops, in TestShapes: ten minutes")

// testUnstoppable counts the shapes with which x wins even if o moves first. The catalogue has them
// all, but says of one, {0 0} {0 1} {3 -3} {3 0}, that it wins without force after some reply.
func testUnstoppable(t *testing.T, wins []shape) {
	var next, count atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(wins); i = int(next.Add(1)) - 1 {
				if wins[i].unstoppable() {
					t.Logf("no reply stops %v", wins[i])
					count.Add(1)
				}
			}
		})
	}
	all.Wait()
	if n := count.Load(); n != 22 {
		t.Errorf("%d shapes of four pieces cannot be stopped, want 22", n)
	}
}

// unstoppable reports whether x wins whatever two pieces o places within five cells of the shape:
// others are on no row with it. Cells that are on the most rows with pieces of x are tried first.
func (s shape) unstoppable() bool {
	cells := s.near(rowReach)
	shared := func(c rules.Coord) (n int) {
		for _, x := range s {
			d := x.Sub(c)
			if away := hexgrid.Distance(x, c); d.Q == 0 || d.R == 0 || d.Q == -d.R {
				n += max(0, rowReach+1-away)
			}
		}
		return n
	}
	slices.SortStableFunc(cells, func(a, b rules.Coord) int { return shared(b) - shared(a) })
	for i := range cells {
		for j := range i {
			if !s.wins(cells[i], cells[j]) {
				return false
			}
		}
	}
	return true
}

// rowReach is the distance of the ends of a row of six.
const rowReach = 5
