package maps

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// generate returns a map after checking what must hold for every generated map.
func generate(t rapid.TB, o Options) *hexabomb.Map {
	t.Helper()
	m, err := Generate(o)
	if err != nil {
		t.Fatalf("Generate(%+v): %v", o, err)
	}
	r := Check("", m.AppendJSON(nil))
	if len(r.Problems)+len(r.Remarks) > 0 && len(m.Specials) > 0 {
		t.Fatalf("Check(Generate(%+v)) = %q, %q, want nothing", o, r.Problems, r.Remarks)
	}
	if !fair(r.Fairness.Verdict) || r.Info.Parts != 1 {
		t.Fatalf("Generate(%+v): %v in %d parts, want a fair board in one part: %q", o,
			r.Fairness.Verdict, r.Info.Parts, r.Fairness.Differences)
	}
	if r.Info.Players != o.Players || o.Characters > 0 && r.Info.Characters != o.Characters ||
		o.Specials > 0 && r.Info.Specials != o.Specials || o.Specials < 0 && r.Info.Specials != 0 {
		t.Fatalf("Generate(%+v) = %+v, want the requested numbers", o, r.Info)
	}
	return m
}

func TestGenerateAnyNumberOfPlayers(t *testing.T) {
	thorough.Full(t)
	counts, all := []int{127, 1024}, 16
	if thorough.Enabled {
		counts, all = []int{127, 256, 1023, 1024}, 64
	}
	for n := 1; n <= all; n++ {
		counts = append(counts, n)
	}
	for _, n := range counts {
		o := Options{Players: n, Seed: uint64(n) * 977}
		m := generate(t, o)
		if len(m.Specials) == 0 {
			t.Errorf("Generate(%+v) has no special positions", o)
		}
		wanted := n * suitedCells(n)
		if got := len(m.Cells); got > wanted*5/4 || got < wanted*3/4 {
			t.Errorf("Generate(%+v) has %d cells, want about %d", o, got, wanted)
		}
		if again, err := Generate(o); err != nil || again.Digest() != m.Digest() {
			t.Errorf("Generate(%+v) twice differs: %v", o, err)
		}
	}
}

func TestGenerateProperties(t *testing.T) {
	thorough.Full(t)
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Players: rapid.OneOf(rapid.SampledFrom([]int{1, 2, 3, 4, 6, 12}),
				rapid.IntRange(1, 80)).Draw(t, "players"),
			Characters: rapid.IntRange(1, 16).Draw(t, "characters"),
			Seed:       rapid.Uint64().Draw(t, "seed"),
		}
		perPlayer := rapid.IntRange(max(7, 3*o.Characters), 80).Draw(t, "cells per player")
		o.Cells = o.Players * perPlayer
		o.Specials = o.Players * rapid.IntRange(0, perPlayer/16).Draw(t, "specials per player")
		generate(t, o)
	})
}

// TestGenerateIsStable checks that the map of a seed never changes: users note seeds.
func TestGenerateIsStable(t *testing.T) {
	thorough.Long(t)
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Players: 4, Seed: 1}, "0376126c91aa17c7"},
		{Options{Players: 6, Characters: 7, Specials: 13, Cells: 500, Seed: 2}, "0ef07711ca5558cb"},
		{Options{Players: 5, Seed: 3}, "6dc3c337b89fe0d5"},
		{Options{Players: 1024, Seed: 4}, "70dd4029c76023d9"},
	} {
		m := generate(t, tt.o)
		if got := m.Digest(); got != tt.want {
			t.Errorf("Generate(%+v).Digest() = %q, want %q", tt.o, got, tt.want)
		}
		other := tt.o
		other.Seed++
		if next, err := Generate(other); err != nil || next.Digest() == m.Digest() {
			t.Errorf("Generate(%+v) with the next seed is the same, or fails: %v", tt.o, err)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{}, "players: 0 is not in the range 1 to 1024"},
		{Options{Players: 1025}, "players: 1025 is not in the range 1 to 1024"},
		{Options{Players: 4, Characters: -1}, "characters: -1 is not in the range 1 to 64"},
		{Options{Players: 4, Characters: 65}, "characters: 65 is not in the range 1 to 64"},
		{Options{
			Players: 4, Cells: 20,
		}, "cells: 20 is not in the range 48 to 50000 for 4 players with 4 characters"},
		{Options{
			Players: 4, Cells: 1 << 30,
		}, "cells: 1073741824 is not in the range 48 to 50000 for 4 players with 4 characters"},
		{Options{Players: 4, Specials: -2}, "specials: -2 is not in the range -1 to 30 for 240 cells"},
		{Options{
			Players: 4, Specials: 1000,
		}, "specials: 1000 is not in the range -1 to 30 for 240 cells"},
		{Options{
			Players: 6, Specials: 8,
		}, "specials: 8 cannot be placed fairly for 6 players; give -1 for none or a multiple of 6"},
		{Options{
			Players: 5, Specials: 6,
		}, "specials: 6 cannot be placed fairly for 5 players; give -1 for none or a multiple of 5"},
	} {
		if _, err := Generate(tt.o); err == nil || err.Error() != tt.want {
			t.Errorf("Generate(%+v) = %v, want %s", tt.o, err, tt.want)
		}
	}
}

func TestAroundWall(t *testing.T) {
	for reach := 1; reach < 8; reach++ {
		for _, n := range []int{1, 2, 3, 10, 50, 333} {
			cells, ok := around(wall(n, reach, 0), reach)
			if want := 2*n + 6*reach - 2; !ok || len(cells) != want {
				t.Errorf("around(wall of %d, %d) = %d cells, %v, want %d", n, reach, len(cells), ok, want)
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, name := range Names() {
		data, err := Read(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"cells": [{"q":0,"r":0}, {"q":1073741824,"r":-1073741824}], "initial_positions": {"0": [{"q":0,"r":0}]}}`))
	f.Add([]byte(`{"cells": [], "initial_positions": {}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := Check("fuzz", data)
		if (r.Map == nil) != (len(r.Problems) > 0) {
			t.Fatalf("Check = map %v, problems %q", r.Map != nil, r.Problems)
		}
		if r.Map == nil {
			return
		}
	})
}

func TestCheck(t *testing.T) {
	const start = `"initial_positions": {"0": [{"q":0,"r":0}]}`
	for _, tt := range []struct {
		data              string
		problems, remarks []string
	}{
		{``, []string{"not a JSON text: line 1, column 1: unexpected end of JSON input"}, nil},
		{
			`{"cells": [{"q":0,"r":0}], ` + start + `}`, nil,
			[]string{"no special_initial_positions: the map cannot be used for sudden death"},
		},
		{
			`{"cells": [{"q":0,"r":0},{"q":1,"r":0},{"q":9,"r":0}], ` + start + `, "special_positions": [{"q":1,"r":0}]}`,
			nil,
			[]string{
				`the key "special_positions" is ignored; known keys are cells, initial_positions, special_initial_positions`,
				"no special_initial_positions: the map cannot be used for sudden death",
				"the board has 2 unconnected parts, of 2, 1 cells",
			},
		},
		{
			`{"cells": [{"q":0,"r":0},{"q":1,"r":0},{"q":2,"r":0}],
			"initial_positions": {"0": [{"q":0,"r":0}], "1": [{"q":1,"r":0}]},
			"special_initial_positions": [{"q":2,"r":0}]}`, nil,
			[]string{
				"unfair: steps to the special positions: 1 to 1, 1.00 on average for player 1, 2 to 2, 2.00 " +
					"on average for player 0",
				"unfair: cells nearer to it than to any other player: 1 for player 0, 2 for player 1",
			},
		},
	} {
		r := Check("", []byte(tt.data))
		if fmt.Sprint(r.Problems) != fmt.Sprint(tt.problems) ||
			fmt.Sprint(r.Remarks) != fmt.Sprint(tt.remarks) {
			t.Errorf("Check(%s) = %q, %q, want %q, %q", tt.data, r.Problems, r.Remarks, tt.problems,
				tt.remarks)
		}
	}
}
