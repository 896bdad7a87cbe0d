package hextictactoe

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// cluster returns a random position of pieces close together, without a winner.
func cluster(lots *rand.Rand, win int) *rules.Board {
	b := &rules.Board{}
	centers := []rules.Coord{{}, {Q: 40, R: -7}, {Q: rules.MaxCoord - 90, R: 90 - rules.MaxCoord}}
	centers = centers[:1+lots.IntN(3)]
	reach := 2 + lots.IntN(3)
	for range 3 + lots.IntN(40) {
		c := centers[lots.IntN(len(centers))].Add(
			rules.Coord{Q: lots.IntN(2*reach+1) - reach, R: lots.IntN(2*reach+1) - reach})
		p := rules.Piece{Coord: c, Side: rules.X + rules.Side(lots.IntN(2))}
		if b.At(c) == rules.None && len(b.AppendRows(nil, p, win)) == 0 {
			b.Place(p)
		}
	}
	return b
}

// openWindows scans all windows of the board for those that side can fill with one move
// and returns their empty cells.
func openWindows(b *rules.Board, side rules.Side, win int) (list [][]rules.Coord) {
	seen := map[string]bool{}
	for _, p := range b.Pieces() {
		for _, d := range hexgrid.Dirs {
			for back := range win {
				var empty []rules.Coord
				mine := 0
				for k := range win {
					switch c := p.Add(rules.Coord{}.Step(d).Scale(k - back)); b.At(c) {
					case rules.None:
						empty = append(empty, c)
					case side:
						mine++
					}
				}
				if mine+len(empty) == win && len(empty) <= 2 && !seen[fmt.Sprint(empty)] {
					seen[fmt.Sprint(empty)] = true
					list = append(list, empty)
				}
			}
		}
	}
	return list
}

// blocked reports whether every window contains one of the cells.
func blocked(windows [][]rules.Coord, cells ...rules.Coord) bool {
	for _, w := range windows {
		if !slices.ContainsFunc(cells, func(c rules.Coord) bool { return slices.Contains(w, c) }) {
			return false
		}
	}
	return true
}

// canBlock tries all pairs of cells in the windows.
func canBlock(windows [][]rules.Coord) bool {
	cells := slices.Concat(windows...)
	for i, a := range cells {
		for _, b := range cells[i:] {
			if blocked(windows, a, b) {
				return true
			}
		}
	}
	return false
}

// after returns the board with a move on it, and whether the move wins. It fails the test
// if the move is illegal.
func after(t *testing.T, q *Question, move []rules.Coord) (b *rules.Board, won bool) {
	t.Helper()
	b = &rules.Board{}
	for _, p := range q.Board.Pieces() {
		b.Place(p)
	}
	for _, c := range move {
		if b.At(c) != rules.None || !b.Near(c, q.View) || !rules.OnBoard(c) {
			t.Fatalf("%v: %v is not a legal move", q, move)
		}
		p := rules.Piece{Coord: c, Side: q.ToMove}
		b.Place(p)
		won = won || len(b.AppendRows(nil, p, q.Win)) > 0
	}
	if len(move) != 2 {
		t.Fatalf("%v: %v is not a complete move", q, move)
	}
	return b, won
}

// TestNeverMisses checks that no bot misses a win in one move, nor the block of one, at
// any depth and even without time.
func TestNeverMisses(t *testing.T) {
	thorough.Long(t)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	positions := 3000
	if short() {
		positions = 150
	}
	wins, blocks, lost := 0, 0, 0
	for seed := range positions {
		lots := rand.New(rand.NewPCG(uint64(seed), 9))
		q := Question{
			View: 8, Win: 6, Seed: uint64(seed), Depth: 1 + seed%2, Nodes: 256,
			ToMove: rules.X + rules.Side(lots.IntN(2)),
		}
		if lots.IntN(4) == 0 {
			q.Win = 4 + lots.IntN(4)
		}
		q.Board = cluster(lots, q.Win)
		ctx := t.Context()
		if seed%3 == 0 {
			ctx = stopped
		}
		a := threat{hard}.Move(ctx, q)
		b, won := after(t, &q, a.Pieces)
		threats := openWindows(q.Board, q.ToMove.Other(), q.Win)
		switch {
		case len(openWindows(q.Board, q.ToMove, q.Win)) > 0:
			wins++
			if !won {
				t.Fatalf("seed %d, %v: %v does not win\n%v", seed, &q, a.Pieces, q.Board.Pieces())
			}
			want := map[rules.Side]int{rules.X: 1, rules.O: -1}[q.ToMove]
			if a.WinIn != 0 || a.Heuristic != float64(want) {
				t.Errorf("seed %d: after the move that wins, the evaluation is %+v", seed, a.Evaluation)
			}
			if e := (threat{hard}).Judge(ctx, q); e.WinIn != want {
				t.Errorf("seed %d: the evaluation of a win in one move is %+v", seed, e)
			}
		case len(threats) == 0:
		case canBlock(threats):
			blocks++
			if left := openWindows(b, q.ToMove.Other(), q.Win); len(left) > 0 {
				t.Fatalf("seed %d, %v: %v leaves %v\n%v", seed, &q, a.Pieces, left, q.Board.Pieces())
			}
		default:
			lost++
		}
	}
	t.Logf("%d wins, %d blocks, %d lost positions", wins, blocks, lost)
	if wins < positions/20 || blocks < positions/20 {
		t.Errorf("%d wins and %d blocks are too few for a conclusion", wins, blocks)
	}
}

// TestMovesAreLegal checks that moves are legal under any options, also if the view is
// short or no row is possible.
func TestMovesAreLegal(t *testing.T) {
	thorough.Long(t)
	positions := uint64(400)
	if short() {
		positions = 40
	}
	for seed := range positions {
		lots := rand.New(rand.NewPCG(seed, 10))
		q := Question{
			View: 1 + lots.IntN(4), Win: 2 + lots.IntN(9), Seed: seed, Nodes: 128,
			ToMove: rules.X + rules.Side(lots.IntN(2)),
		}
		q.Board = cluster(lots, q.Win)
		if len(q.Board.Pieces()) == 0 {
			continue
		}
		for _, d := range Describe() {
			b, _ := New(d.Name)
			a := b.Move(t.Context(), q)
			if _, won := after(t, &q, a.Pieces); d.Name == "threat" && !won &&
				len(openWindows(q.Board, q.ToMove, q.Win)) > 0 {
				t.Errorf("seed %d: %s misses a win with a view of %d", seed, d.Name, q.View)
			}
			if again := b.Move(t.Context(), q); fmt.Sprint(again) != fmt.Sprint(a) {
				t.Errorf("seed %d: %s answers %v, then %v", seed, d.Name, a, again)
			}
		}
	}
}

// TestMovesAtTheEdge checks that no bot plays beyond the edge of the board.
func TestMovesAtTheEdge(t *testing.T) {
	thorough.Long(t)
	corner := rules.Coord{Q: rules.MaxCoord, R: rules.MaxCoord}
	for seed := range uint64(100) {
		lots := rand.New(rand.NewPCG(seed, 12))
		q := Question{View: 8, Win: 6, Seed: seed, Nodes: 128, ToMove: rules.X, Board: &rules.Board{}}
		for range 12 {
			p := rules.Piece{
				Coord: corner.Add(rules.Coord{Q: -lots.IntN(4), R: -lots.IntN(4)}),
				Side:  rules.X + rules.Side(lots.IntN(2)),
			}
			if q.Board.At(p.Coord) == rules.None && len(q.Board.AppendRows(nil, p, q.Win)) == 0 {
				q.Board.Place(p)
			}
		}
		for _, d := range Describe() {
			b, _ := New(d.Name)
			after(t, &q, b.Move(t.Context(), q).Pieces)
		}
	}
}

// TestRowsBeyondTheEdge checks that rows with cells beyond the edge of the board are no threats.
func TestRowsBeyondTheEdge(t *testing.T) {
	q := Question{View: 8, Win: 6, Nodes: 2000, ToMove: rules.O, Board: &rules.Board{}}
	for i := range 4 {
		q.Board.Place(rules.Piece{Coord: rules.Coord{R: rules.MaxCoord - i}, Side: rules.X})
	}
	if e := (threat{hard}).Judge(t.Context(), q); e.WinIn != 0 {
		t.Errorf("four pieces at the edge: %+v, but one piece blocks them", e)
	}
	q.Board.Place(rules.Piece{Coord: rules.Coord{R: rules.MaxCoord - 4}, Side: rules.O})
	if e := (threat{hard}).Judge(t.Context(), q); e.WinIn != 0 {
		t.Errorf("four blocked pieces at the edge: %+v", e)
	}
}

// TestAnnouncedWinsCome checks that an announced win comes in at most that many moves
// against sensible defence.
func TestAnnouncedWinsCome(t *testing.T) {
	thorough.Full(t)
	announced := 0
	for seed := range uint64(20) {
		c := Contest{Options: rules.Defaults(), Nodes: [2]int{4000, 4000}, Seed: seed, Turns: 600}
		c.Options.Setup = Opening(seed)
		keep := &witness{Bot: threat{hard}}
		c.Bots = [2]Bot{keep, keep}
		out, err := c.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for move, e := range keep.evaluations {
			side := rules.X
			if e.WinIn < 0 {
				side, e.WinIn = rules.O, -e.WinIn
			}
			if e.WinIn < 2 {
				continue
			}
			announced++
			if left := len(out.Moves) - 1 - move; out.Winner != side || left > e.WinIn {
				t.Errorf("seed %d, move %d: %s announced a win in %d moves; %s won %d moves later", seed, move,
					side, e.WinIn, out.Winner, left)
			}
		}
	}
	if announced < 5 {
		t.Errorf("only %d wins were announced", announced)
	}
}

// witness records a bot's evaluation of each move.
type witness struct {
	Bot
	evaluations []Evaluation
}

func (w *witness) Move(ctx context.Context, q Question) Answer {
	a := w.Bot.Move(ctx, q)
	w.evaluations = append(w.evaluations, a.Evaluation)
	return a
}
