package hextictactoe

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

func start(t testing.TB, o Options, turns int) *Game {
	t.Helper()
	g := New(o)
	if _, err := g.Start(engine.Setup{Players: 2, Turns: turns}); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	thorough.Long(t)
	clocked := Defaults()
	clocked.Clock = Clock{Kind: Incremental, Base: 100, Increment: 10}
	free := Defaults()
	free.WinDistance = 4
	free.Setup = randomPosition(rand.New(rand.NewPCG(1, 1)), 4)
	for name, o := range map[string]Options{"defaults": Defaults(), "clock": clocked, "free setup": free} {
		t.Run(name, func(t *testing.T) {
			// Act places pieces close to those of a game of its own, so that they are
			// near pieces in nearly all games of the suite.
			g := start(t, o, 50)
			enginetest.Run(t, func() engine.Game { return New(o) }, enginetest.Options{
				Setup:   engine.Setup{Players: 2, Turns: 50},
				Refused: []engine.Setup{{}, {Players: 1}, {Players: 3}, {Players: 2, Specials: 1}},
				Act: func(rnd *rand.Rand, state []byte, p engine.PlayerID) []byte {
					if strings.Contains(string(state), `"to_move":"`+(X+Side(p)).String()) {
						return moveOf(freeCell(rnd, state, &g.board), freeCell(rnd, state, &g.board))
					}
					return []byte("[]")
				},
			})
		})
	}
}

// freeCell returns a cell near the pieces of b that is empty according to a state.
func freeCell(rnd *rand.Rand, state []byte, b *Board) Coord {
	for {
		c := randomCell(rnd, b, 6)
		if !strings.Contains(string(state), string(appendCoord([]byte("{"), c))+`,"p"`) {
			return c
		}
	}
}

// at parses a list of cells such as "1,0 0,1".
func at(text string) (list []Coord) {
	for _, word := range strings.Fields(text) {
		var c Coord
		if _, err := fmt.Sscanf(word, "%d,%d", &c.Q, &c.R); err != nil {
			panic(err)
		}
		list = append(list, c)
	}
	return list
}

// TestGames plays moves, o first, and checks how the game stands after the last.
func TestGames(t *testing.T) {
	edge := Defaults()
	edge.Setup = &Position{ToMove: X, Pieces: []Piece{{Coord{Q: MaxCoord, R: -MaxCoord}, O}}}
	near := Defaults()
	near.ViewDistance, near.WinDistance = 1, 3
	short := Defaults()
	short.TurnLimit = 2
	tests := []struct {
		name    string
		options Options
		moves   []string // each is the cells of a move, or an array of actions
		reason  string
		winner  Side
	}{
		{"goes on", Defaults(), []string{"1,0 0,1"}, "", None},
		{"a row along q", Defaults(), []string{
			"0,1 1,1", "0,-1 1,-1", "2,1 3,1", "2,-1 3,-1", "4,1 5,1",
		}, won, O},
		{"a row along r, by x", Defaults(), []string{
			"5,0 5,1", "0,1 0,2", "5,2 5,4", "0,3 0,-1", "5,5 6,6", "0,-2 7,7",
		}, won, X},
		{"a row of seven", Defaults(), []string{
			"1,1 2,0", "0,1 0,2", "3,-1 5,-3", "0,4 0,5", "6,-4 7,-5", "8,0 8,1", "4,-2 9,9",
		}, won, O},
		{"five are not enough", Defaults(), []string{
			"0,1 1,1", "0,-1 1,-1", "2,1 3,1", "2,-1 3,-1", "4,1 6,1",
		}, "", None},
		{"the first piece wins, the second is ignored", Defaults(), []string{
			"0,1 1,1", "0,-1 1,-1", "2,1 3,1", "2,-1 4,-1", "4,1 9,1", "5,-1 6,-1", "5,1 5,1",
		}, won, O},
		{"a single piece that wins", Defaults(), []string{
			"0,1 1,1", "0,-1 1,-1", "2,1 3,1", "2,-1 4,-1", "4,1 9,1", "5,-1 6,-1", "5,1",
		}, won, O},
		{"a single piece that does not win", Defaults(), []string{"1,0"}, ForfeitOne, X},
		{"occupied by the other side", Defaults(), []string{"0,0 1,0"}, ForfeitOccupied, X},
		{"both pieces on one cell", Defaults(), []string{"1,0 1,0"}, ForfeitOccupied, X},
		{"as far away as allowed", Defaults(), []string{"8,0 -8,8"}, "", None},
		{"too far", Defaults(), []string{"9,0 1,0"}, ForfeitFar, X},
		{"too far diagonally", Defaults(), []string{"5,4 1,0"}, ForfeitFar, X},
		{"the second piece is near the first", near, []string{"1,0 2,0"}, "", None},
		{"the first piece is not near the second", near, []string{"2,0 1,0"}, ForfeitFar, X},
		{"far out", Defaults(), []string{"2147483647,-2147483647 1,0"}, forfeitEdge, X},
		{"over the edge", edge, []string{fmt.Sprintf("%d,0 1,0", MaxCoord+1)}, forfeitEdge, O},
		{"on the edge", edge, []string{
			fmt.Sprintf("%d,%d %d,%d", MaxCoord, 1-MaxCoord, MaxCoord-8, -MaxCoord),
		}, "", None},
		{"the turn limit", short, []string{"1,0 0,1", "2,2 2,1"}, drawn, None},
		{"a win in the last move", Options{
			ViewDistance: 8, WinDistance: 2, TurnLimit: 1, Clock: Clock{Kind: NoClock},
		}, []string{"1,0 2,0"}, won, O},
		{"no move", Defaults(), []string{`[]`}, forfeitMissing, X},
		{"two moves", Defaults(), []string{
			`[{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]},{}]`,
		}, forfeitSeveral, X},
		{"invalid JSON", Defaults(), []string{`[{"pieces"`}, forfeitUnreadable, X},
		{"an object", Defaults(), []string{
			`{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}`,
		}, forfeitUnreadable, X},
		{"no pieces", Defaults(), []string{
			`[{"piece":[{"q":1,"r":0},{"q":2,"r":0}]}]`,
		}, forfeitMalformed, X},
		{"null", Defaults(), []string{`[{"pieces":null}]`}, forfeitMalformed, X},
		{"an empty list of pieces", Defaults(), []string{`[{"pieces":[]}]`}, forfeitNumber, X},
		{"three pieces", Defaults(), []string{
			`[{"pieces":[{"q":1,"r":0},{"q":2,"r":0},{"q":3,"r":0}]}]`,
		}, forfeitNumber, X},
		{"half a coordinate", Defaults(), []string{
			`[{"pieces":[{"q":0.5,"r":0},{"q":2,"r":0}]}]`,
		}, forfeitMalformed, X},
		{"a missing coordinate", Defaults(), []string{
			`[{"pieces":[{"q":1},{"q":2,"r":0}]}]`,
		}, forfeitMalformed, X},
		{"a huge number", Defaults(), []string{
			`[{"pieces":[{"q":1e300,"r":0},{"q":2,"r":0}]}]`,
		}, forfeitMalformed, X},
		{"a string", Defaults(), []string{
			`[{"pieces":[{"q":"1","r":0},{"q":2,"r":0}]}]`,
		}, forfeitMalformed, X},
		{"unknown fields", Defaults(), []string{
			`[{"evaluation":{"win_in":2},"pieces":[{"q":1,"r":0,"s":-1},{"q":2,"r":0}]}]`,
		}, "", None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDuel(t, tt.options, 100)
			var got engine.Result
			for i, m := range tt.moves {
				if got.Over {
					t.Fatalf("over before move %d: %+v", i+1, got)
				}
				actions := []byte(m)
				if m[0] != '[' && m[0] != '{' {
					actions = moveOf(at(m)...)
				}
				got = d.step(engine.Input{Actions: actions})
			}
			if got.Reason != tt.reason || got.Winner != tt.winner.Player() || got.Over != (tt.reason != "") {
				t.Errorf("after %q: %+v, want %q, won by %q", tt.moves, got, tt.reason, tt.winner)
			}
			if (len(got.Refused) > 0) != strings.HasPrefix(tt.reason, "forfeit") {
				t.Errorf("after %q: refused %v, %s", tt.moves, got.Refused, tt.reason)
			}
		})
	}
}

// TestInputs checks that the newest answer of the side to move counts, although both
// players answer every turn.
func TestInputs(t *testing.T) {
	good := moveOf(at("1,0 0,1")...)
	tests := []struct {
		name   string
		inputs []engine.Input
		reason string
		moves  int
	}{
		{"no input", nil, "", 0},
		{"the other side answers with nothing", []engine.Input{
			{Player: 0, Actions: []byte(` [ ] `)}, {Player: 1, Actions: good},
		}, "", 1},
		{"the other side left", []engine.Input{{Player: 0, Lapse: engine.Gone}}, forfeitLeft, 0},
		{"the other side left after a move", []engine.Input{
			{Player: 0, Lapse: engine.Gone}, {Player: 1, Actions: good},
		}, forfeitLeft, 1},
		{"the other side left after a losing move", []engine.Input{
			{Player: 0, Lapse: engine.Gone}, {Player: 1, Actions: []byte(`[]`)},
		}, forfeitMissing, 0},
		{"the other side is late", []engine.Input{
			{Player: 0, Lapse: engine.TimedOut}, {Player: 1, Actions: good},
		}, "", 1},
		{"an unknown player left", []engine.Input{
			{Player: 7, Lapse: engine.Gone}, {Player: 1, Actions: good},
		}, "", 1},
		{"the other side moves", []engine.Input{{Player: 0, Actions: good}}, "", 0},
		{"an old answer, then the new", []engine.Input{
			{Player: 1, Turn: 3, Actions: []byte(`[]`)}, {Player: 1, Turn: 4, Actions: good},
		}, "", 1},
		{"the new answer, then an old one", []engine.Input{
			{Player: 1, Turn: 4, Actions: good}, {Player: 1, Turn: 3, Actions: []byte(`[]`)},
		}, "", 1},
		{"an old answer and a lapse", []engine.Input{
			{Player: 1, Turn: 3, Actions: good}, {Player: 1, Turn: 4, Lapse: engine.TimedOut},
		}, forfeitTime, 0},
		{"an unknown player", []engine.Input{
			{Player: 7, Actions: good}, {Player: -1, Actions: good},
		}, "", 0},
		{"left", []engine.Input{{Player: 1, Lapse: engine.Gone}}, forfeitLeft, 0},
		{"malformed", []engine.Input{{Player: 1, Lapse: engine.Malformed}}, forfeitUnreadable, 0},
		{"an invalid lapse", []engine.Input{{Player: 1, Lapse: 9}}, forfeitSilent, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := start(t, Defaults(), 10)
			if got := g.Step(tt.inputs); got.Reason != tt.reason || g.moves != tt.moves {
				t.Errorf("Step(%v) = %+v after %d moves, want %q after %d", tt.inputs, got, g.moves, tt.reason,
					tt.moves)
			}
		})
	}
}
