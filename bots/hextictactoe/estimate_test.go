package hextictactoe

import (
	"math/rand/v2"
	"testing"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// learnedGrid returns the grid of a question with the learned evaluation.
func learnedGrid(q *Question) *grid {
	g := newGrid(q)
	g.learned = &estimate{evaluator: learnedEvaluator()}
	return g
}

// TestEstimateFollowsPieces checks that the value after any placing and removing of pieces, with or
// without a look at the value between, is that of a new grid with the same pieces.
func TestEstimateFollowsPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	q := Question{Board: new(rules.Board), View: 8, Win: 6}
	g := learnedGrid(&q)
	for range 2000 {
		c := g.cellAt(rules.Coord{Q: random.IntN(9), R: random.IntN(9)})
		switch {
		case len(g.placed) > 0 && random.IntN(2) == 0:
			g.take(g.placed[len(g.placed)-1].cell)
		case g.cells[c].side == rules.None:
			g.place(c, rules.X+rules.Side(random.IntN(2)))
		}
		if random.IntN(3) > 0 {
			continue
		}
		fresh := learnedGrid(&q)
		for _, p := range g.placed {
			fresh.place(fresh.cellAt(g.cells[p.cell].at), g.cells[p.cell].side)
		}
		for side := rules.X; side <= rules.O; side++ {
			if got, want := g.estimate(side), fresh.estimate(side); got != want {
				t.Fatalf("%d pieces, %v to move: %d, from the beginning %d", len(g.placed), side, got, want)
			}
		}
	}
}

// TestEstimateIsSymmetric checks that the value does not depend on how the board is turned or
// mirrored, nor on which side is called x.
func TestEstimateIsSymmetric(t *testing.T) {
	for seed := range uint64(50) {
		p := Opening(seed)
		want := valueOf(t, p)
		for range 6 {
			for i, piece := range p.Pieces {
				p.Pieces[i].Coord = rules.Coord{Q: -piece.R, R: piece.Q + piece.R}
			}
			if got := valueOf(t, p); got != want {
				t.Fatalf("seed %d: %d, turned %d", seed, want, got)
			}
		}
		for i, piece := range p.Pieces {
			p.Pieces[i].Coord = rules.Coord{Q: piece.R, R: piece.Q}
			p.Pieces[i].Side = piece.Side.Other()
		}
		p.ToMove = p.ToMove.Other()
		if got := valueOf(t, p); got != want {
			t.Fatalf("seed %d: %d, mirrored and with the other sides %d", seed, want, got)
		}
	}
}

func valueOf(t *testing.T, p *rules.Position) int32 {
	t.Helper()
	q, err := NewQuestion(*p, 8, 6)
	if err != nil {
		t.Fatal(err)
	}
	return learnedGrid(&q).estimate(p.ToMove)
}

// TestEstimateAllocatesNothing looks at positions that were looked at before.
func TestEstimateAllocatesNothing(t *testing.T) {
	q, err := NewQuestion(*Opening(1), 8, 6)
	if err != nil {
		t.Fatal(err)
	}
	g := learnedGrid(&q)
	c := g.cellAt(rules.Coord{Q: 1, R: 1})
	n := testing.AllocsPerRun(100, func() {
		g.place(c, rules.O)
		g.estimate(rules.X)
		g.take(c)
	})
	if n > 0 {
		t.Errorf("an evaluation allocates %v times", n)
	}
}

// TestWhereTheEvaluationIsUsed checks that threat plays without the learned evaluation if a win takes
// another number of pieces than it was learned for, or if the search is small.
func TestWhereTheEvaluationIsUsed(t *testing.T) {
	threat, _ := New("threat")
	plain, _ := Without("evaluation")
	for win := 4; win <= 8; win++ {
		for _, nodes := range []int{LearnedNodes - 1, LearnedNodes} {
			q, err := NewQuestion(*Opening(1), 8, win)
			if err != nil {
				t.Fatal(err)
			}
			q.Nodes = nodes
			got, want := threat.Move(t.Context(), q), plain.Move(t.Context(), q)
			used := got.Heuristic != want.Heuristic
			if used != (win == PatternCells && nodes == LearnedNodes) {
				t.Errorf("%d in a row, %d nodes: %+v, without it %+v", win, nodes, got.Option, want.Option)
			}
		}
	}
}
