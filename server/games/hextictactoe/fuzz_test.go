package hextictactoe

import (
	"slices"
	"testing"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

const notedSample = `name[a];player_x[ann];
1. [0,4][1,4]; 2. [1,0][2,0]; 3. [0,5][1,5]; 4. [3,0][-4,4]; 5. [0,6][1,6]; 6. [4,0][5,0];`

// Games in the notation that are taken obey the rules.
func FuzzNoted(f *testing.F) {
	for _, text := range []string{
		notedSample, "1. [0,0][1,0];", "1. [1,0];", "1. [1,0][2,0]; 2. [99,0][1,1];", "end_reason[draw];",
		"",
	} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, begins int) {
		g, err := parseNoted(text, begins)
		if err != nil {
			return
		}
		o := rules.Defaults()
		var board rules.Board
		board.Place(rules.Piece{Side: rules.X})
		for _, move := range g.game.Moves {
			for _, c := range move {
				at := rules.Coord{Q: int(c.Q), R: int(c.R)}
				if board.At(at) != rules.None || !board.Near(at, o.ViewDistance) {
					t.Fatalf("parseNoted(%q) takes %v", text, c)
				}
				board.Place(rules.Piece{Coord: at, Side: rules.O})
			}
		}
		if n := len(g.notation.Moves); n != len(g.game.Moves) {
			t.Errorf("parseNoted(%q) has %d of %d moves", text, len(g.game.Moves), n)
		}
	})
}

// Moves that are asked for are some of the game's.
func FuzzMoves(f *testing.F) {
	for _, text := range []string{
		"", "3", "12,30-34", " 1 - 2", "7-5", "1,,2", "99999999999999999999", "-1", "1-",
	} {
		f.Add(text, uint8(40))
	}
	f.Fuzz(func(t *testing.T, text string, most uint8) {
		list, err := parseMoves(text, int(most))
		if err != nil && list != nil ||
			slices.ContainsFunc(list, func(n int) bool { return n < 1 || n > int(most) }) {
			t.Errorf("parseMoves(%q, %d) = %v, %v", text, most, list, err)
		}
	})
}
