package hextictactoe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// winsFile holds positions that the side to move wins, and in how many of its moves at most.
// They are the longest of games of threat against itself, found by long searches of the solver.
const winsFile = "testdata/wins.ndjson"

const mostWins = 100

type forcedWin struct {
	Turns int `json:"turns"`
	rules.Position
}

func readWins(t testing.TB) (list []forcedWin) {
	t.Helper()
	text, err := os.ReadFile(winsFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var w forcedWin
		if err := json.Unmarshal(line, &struct {
			Turns *int `json:"turns"`
		}{&w.Turns}); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &w.Position); err != nil {
			t.Fatal(err)
		}
		list = append(list, w)
	}
	return list
}

// TestWinsAreFound checks how many of the wins the solver proves, and the proofs.
func TestWinsAreFound(t *testing.T) {
	thorough.Long(t)
	if *update {
		writeWins(t)
	}
	wins := readWins(t)
	if len(wins) != mostWins {
		t.Fatalf("%d wins, want %d", len(wins), mostWins)
	}
	for _, tt := range []struct{ nodes, least int }{{20_000, 80}, {200_000, 95}} {
		solved := 0
		var missed []int
		for i, w := range wins {
			q, err := NewQuestion(w.Position, 8, 6)
			if err != nil {
				t.Fatal(err)
			}
			s := newSearch(&q, tt.nodes)
			_, n := s.solve(q.ToMove, tt.nodes)
			if n == 0 {
				missed = append(missed, i+1)
				continue
			}
			solved++
			if tt.nodes == 20_000 {
				if why := s.claim(t, q.ToMove, n, claims{}).refuted(q.Board, q.ToMove, q.Win, n); why != "" {
					t.Errorf("line %d: %s", i+1, why)
				}
			}
		}
		t.Logf("%d of %d wins with %d nodes, all but %v", solved, len(wins), tt.nodes, missed)
		if solved < tt.least {
			t.Errorf("%d wins with %d nodes, want %d or more", solved, tt.nodes, tt.least)
		}
	}
}

// writeWins collects the longest win of 3 to 8 moves of each game, until there are enough.
func writeWins(t *testing.T) {
	const budget = 300_000
	var file []byte
	for seed, n := uint64(1000), 0; n < mostWins; seed++ {
		c := Contest{Options: rules.Defaults(), Seed: seed, Turns: 100, Nodes: [2]int{512, 512}}
		c.Options.Setup = Opening(seed)
		c.Bots = [2]Bot{threat{hard}, threat{hard}}
		out, err := c.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if out.Winner == rules.None {
			continue
		}
		pieces := out.Board.Pieces()
		var longest forcedWin
		// from the third last move of the winner back, as long as it wins
		for at := 5 + 2*(len(out.Moves)-1) - 8; at > 5; at -= 4 {
			w := forcedWin{Position: rules.Position{Pieces: pieces[:at], ToMove: out.Winner}}
			if w.Turns = fewestTurns(t, w.Position, budget); w.Turns == 0 || w.Turns > 8 {
				break
			}
			if w.Turns >= 3 && w.Turns >= longest.Turns {
				longest = w
			}
		}
		if longest.Turns == 0 {
			continue
		}
		n++
		position, err := json.Marshal(longest.Position)
		if err != nil {
			t.Fatal(err)
		}
		file = append(fmt.Appendf(file, `{"turns":%d,`, longest.Turns), position[1:]...)
		file = append(file, '\n')
		t.Log(seed, longest.Turns)
	}
	if err := os.WriteFile(winsFile, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// fewestTurns returns in how many of its moves the side to move wins, as far as a search of that
// many nodes finds it.
func fewestTurns(t *testing.T, p rules.Position, nodes int) (turns int) {
	q, err := NewQuestion(p, 8, 6)
	if err != nil {
		t.Fatal(err)
	}
	_, turns = newSearch(&q, nodes).solve(q.ToMove, nodes)
	return turns
}
