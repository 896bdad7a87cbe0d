package hextictactoe

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// claim is a win that the solver claims, with its proof: the attack, and the answer to each reply.
type claim struct {
	attack  []rules.Coord
	replies map[[2]rules.Coord]*claim
	holds   bool // it was checked: moves in another order lead to the same claim
}

// claims are those of one proof, by position.
type claims map[uint64]*claim

func newSearch(q *Question, nodes int) *search {
	return &search{
		grid: newGrid(q), ctx: context.Background(), nodes: nodes, solver: newSolver(nodes),
	}
}

// claim returns the proof of a win of side in at most that many of its moves, which solve has
// found.
func (s *search) claim(t *testing.T, side rules.Side, most int, all claims) *claim {
	t.Helper()
	if c := all[s.hash]; c != nil {
		return c
	}
	s.nodes = 1 << 22
	s.most = most
	e := s.prove(side, 0, endless, endless)
	p, n := e.move, int(e.turns)
	if e.win > 0 {
		t.Fatal("a win that was claimed is not found again")
	}
	c := &claim{replies: map[[2]rules.Coord]*claim{}}
	all[s.hash] = c
	for _, id := range slices.Compact(p[:]) {
		c.attack = append(c.attack, s.cells[id].at)
	}
	if n == 1 {
		return c
	}
	s.play(p, side)
	ways, _ := s.appendBlocks(nil, s.appendThreats(nil, side))
	for _, w := range ways {
		s.play(w, side.Other())
		c.replies[replyOf(s.cells[w[0]].at, s.cells[w[1]].at)] = s.claim(t, side, most-1, all)
		s.undo(w)
	}
	s.undo(p)
	return c
}

func replyOf(a, b rules.Coord) [2]rules.Coord {
	if a.Q > b.Q || a.Q == b.Q && a.R > b.R {
		a, b = b, a
	}
	return [2]rules.Coord{a, b}
}

// refuted returns why a claim does not hold, or "". It knows the rules only: it tries all pairs of
// cells that could stop the attacker, and looks at all windows of the board. turns is the number of
// the attacker's moves in which it must have won.
func (c *claim) refuted(b *rules.Board, side rules.Side, win, turns int) string {
	if c.holds {
		return ""
	}
	if turns == 0 {
		return "the win takes longer than claimed"
	}
	b = boardOf(b)
	for _, at := range c.attack {
		p := rules.Piece{Coord: at, Side: side}
		if b.At(at) != rules.None || !b.Near(at, 8) {
			return fmt.Sprintf("%v cannot be placed", at)
		}
		b.Place(p)
		if len(b.AppendRows(nil, p, win)) > 0 {
			return ""
		}
	}
	if len(openWindows(b, side.Other(), win)) > 0 {
		return "the other side wins"
	}
	threats := openWindows(b, side, win)
	if len(threats) == 0 {
		return "the attack threatens nothing"
	}
	cells := slices.Concat(threats...)
	for i, a := range cells {
		if blocked(threats, a) {
			return fmt.Sprintf("%v meets all threats alone", a)
		}
		for _, other := range cells[i+1:] {
			if !blocked(threats, a, other) {
				continue
			}
			next := c.replies[replyOf(a, other)]
			if next == nil {
				return fmt.Sprintf("the reply %v, %v has no answer", a, other)
			}
			after := boardOf(b)
			after.Place(rules.Piece{Coord: a, Side: side.Other()})
			after.Place(rules.Piece{Coord: other, Side: side.Other()})
			if why := next.refuted(after, side, win, turns-1); why != "" {
				return why
			}
		}
	}
	c.holds = true
	return ""
}

func boardOf(b *rules.Board) *rules.Board {
	c := &rules.Board{}
	for _, p := range b.Pieces() {
		c.Place(p)
	}
	return c
}

var claimCount = flag.Int("claims", 1000, "how many claims of wins the thorough test checks")

// TestClaimsHold checks the proofs of wins from random positions, and from those of games.
func TestClaimsHold(t *testing.T) {
	want := *claimCount
	if short() {
		want = 60
	}
	var random, played tally
	for seed := uint64(0); random.claims+played.claims < want; seed++ {
		for n := range uint64(40) { // which have half as many wins as a game
			lots := rand.New(rand.NewPCG(40*seed+n, 13))
			random.check(t, Question{
				View: 8, Win: 6, Board: cluster(lots, 6), ToMove: rules.X + rules.Side(lots.IntN(2)),
			})
		}
		c := Contest{Options: rules.Defaults(), Turns: 60, Nodes: [2]int{leastNodes, leastNodes}}
		c.Options.Setup, c.Bots = Opening(seed), [2]Bot{threat{hard}, threat{hard}}
		out, err := c.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		pieces := out.Board.Pieces()
		for at := 5; at < len(pieces)-1; at += 2 {
			for _, side := range []rules.Side{rules.X, rules.O} {
				q, err := NewQuestion(rules.Position{Pieces: pieces[:at], ToMove: side}, 8, 6)
				if err != nil {
					t.Fatal(err)
				}
				played.check(t, q)
			}
		}
	}
	t.Logf("random positions: %+v; games: %+v", random, played)
	if least := min(random.claims, played.claims); least < want/5 {
		t.Errorf("%d claims of a kind are too few for a conclusion", least)
	}
}

// tally counts the positions in which the solver was asked, and what it claimed.
type tally struct{ positions, claims, longest int }

// check asks the solver for a win of two moves or more, and checks its proof.
func (n *tally) check(t *testing.T, q Question) {
	t.Helper()
	n.positions++
	s := newSearch(&q, 2000)
	_, turns := s.solve(q.ToMove, s.nodes)
	if turns < 2 {
		return
	}
	n.claims++
	n.longest = max(n.longest, turns)
	c := s.claim(t, q.ToMove, turns, claims{})
	if why := c.refuted(q.Board, q.ToMove, q.Win, turns); why != "" {
		t.Fatalf("%v to move: %s\n%v", q.ToMove, why, q.Board.Pieces())
	}
}

// TestSolverAllocatesNothing checks that a search in known cells uses the memory it has.
func TestSolverAllocatesNothing(t *testing.T) {
	w := readWins(t)[0]
	q, err := NewQuestion(w.Position, 8, 6)
	if err != nil {
		t.Fatal(err)
	}
	s := newSearch(&q, 2000)
	solve := func() {
		clear(s.proofs)
		s.nodes = 2000
		s.solve(q.ToMove.Other(), s.nodes)
		s.nodes = 2000
		s.solve(q.ToMove, s.nodes)
	}
	if n := testing.AllocsPerRun(3, solve); n > 0 {
		t.Errorf("a search of a known position allocates %v times", n)
	}
}
