package hextictactoe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// openingsFile holds the openings that the server gives to cups.
const openingsFile = "../../server/games/hextictactoe/openings.ndjson"

// An opening is balanced if threat sees no side far ahead, and each side wins some of the games
// that threat plays against itself, with another number of nodes in each. An opening with a game
// that ends late is left out, since it would be a draw too often.
const (
	openingCount = 300
	judgeNodes   = 2048
	mostAhead    = 0.15 // of the evaluation, which is 1 for a win
	quickGames   = 6
	fewestWins   = 1 // of each side
	quickNodes   = 128
	moreNodes    = 32 // than in the game before
	longestGame  = 60 // of a game
)

// TestBalancedOpenings checks that the openings that come with the game are legal positions after
// two moves, and that none is another one turned, mirrored or shifted. With -update -timeout 1h it
// chooses them: the same ones each time, as long as threat plays as it does.
func TestBalancedOpenings(t *testing.T) {
	if *update {
		chooseOpenings(t)
	}
	text, err := os.ReadFile(openingsFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []*rules.Position
	for line := range bytes.Lines(text) {
		p := new(rules.Position)
		if err := json.Unmarshal(line, p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) != openingCount {
		t.Fatalf("%d openings, want %d", len(list), openingCount)
	}
	seen := map[string]int{}
	for i, p := range list {
		form := canonical(p)
		if other, ok := seen[form]; ok {
			t.Errorf("openings %d and %d are the same, but for a symmetry", other+1, i+1)
		}
		seen[form] = i
	}
	for i, p := range list {
		if len(p.Pieces) != 5 || p.ToMove != rules.O {
			t.Errorf("opening %d has %d pieces, %v to move", i+1, len(p.Pieces), p.ToMove)
		}
		o := rules.Defaults()
		for _, piece := range p.Pieces {
			if hexgrid.Distance(piece.Coord, p.Pieces[0].Coord) > o.ViewDistance {
				t.Errorf("opening %d: %v is too far from the first piece", i+1, piece)
			}
		}
		if _, err := NewQuestion(*p, o.ViewDistance, o.WinDistance); err != nil {
			t.Errorf("opening %d: %v", i+1, err)
		}
	}
}

func chooseOpenings(t *testing.T) {
	var file []byte
	seen := map[string]bool{}
	for seed := uint64(0); len(seen) < openingCount; seed++ {
		p := Opening(seed)
		form := canonical(p)
		if seen[form] || !even(t, p) {
			continue
		}
		seen[form] = true
		t.Logf("%d of %d", len(seen), seed+1)
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		file = append(append(file, line...), '\n')
	}
	if err := os.WriteFile(openingsFile, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// even reports whether an opening is balanced.
func even(t *testing.T, p *rules.Position) bool {
	t.Helper()
	o := rules.Defaults()
	q, err := NewQuestion(*p, o.ViewDistance, o.WinDistance)
	if err != nil {
		t.Fatal(err)
	}
	q.Nodes = judgeNodes
	threat, _ := New("threat")
	e := threat.Judge(context.Background(), q)
	if e.WinIn != 0 || math.Abs(e.Heuristic) > mostAhead {
		return false
	}
	wins := map[rules.Side]int{}
	o.Setup = p
	for game := range quickGames {
		nodes := quickNodes + moreNodes*game
		c := Contest{
			Options: o, Bots: [2]Bot{threat, threat}, Turns: longestGame, Nodes: [2]int{nodes, nodes},
		}
		out, err := c.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if out.Winner == rules.None {
			return false
		}
		wins[out.Winner]++
		fewest := min(wins[rules.X], wins[rules.O])
		if fewest >= fewestWins {
			return true
		}
		if fewest+quickGames-game-1 < fewestWins {
			return false
		}
	}
	return false
}

// canonical returns the same text for positions that one of the 12 symmetries of the grid, and a
// shift, carry into each other.
func canonical(p *rules.Position) (form string) {
	for turn := range 12 {
		pieces := slices.Clone(p.Pieces)
		for i := range pieces {
			c := pieces[i].Coord
			for range turn % 6 {
				c = rules.Coord{Q: -c.R, R: c.Q + c.R}
			}
			if turn >= 6 {
				c.Q, c.R = c.R, c.Q
			}
			pieces[i].Coord = c
		}
		slices.SortFunc(pieces, func(a, b rules.Piece) int {
			return slices.Compare([]int{a.Q, a.R}, []int{b.Q, b.R})
		})
		from := pieces[0].Coord
		text := ""
		for _, piece := range pieces {
			text += fmt.Sprint(piece.Sub(from), piece.Side)
		}
		if form == "" || text < form {
			form = text
		}
	}
	return form
}
