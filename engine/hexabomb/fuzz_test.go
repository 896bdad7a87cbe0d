package hexabomb

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb/model"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// actionSeeds returns arrays in all shapes of junk, and some that are not JSON.
func actionSeeds() (seeds [][]byte) {
	for _, s := range junk {
		seeds = append(seeds, []byte("["+strings.ReplaceAll(s, "%[1]d", "1")+"]"))
	}
	for _, s := range []string{
		``, ` `, `[`, `[]`, ` [ ] `, `[]]`, `[,]`, `[{}`, `[{}]`, `{}`, `null`,
		`[{"id":01,"movement":"revive"}]`,
		`[{"id":1,"movement":"move","direction":"x+"},{"id":1,"movement":"revive"}]`,
		`[{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":-3}, {"id":-0,"movement":"revive"}]`,
		`[{"id":1234567890,"movement":"revive"}]`, `[{"id":0,"movement":"revive",}]`,
		`[{"id":0,"movement":"revive"},]`,
		"[{\"id\":\t0,\r\n\"movement\" : \"revive\"}]", `[{"id":0,"movement":"move","direction":"w+"}]`,
		`[{"id":0 1,"movement":"revive"}]`, `[{"id":0x,"movement":"revive"}]`,
		`[{"id":-,"movement":"revive"}]`,
	} {
		seeds = append(seeds, []byte(s))
	}
	return seeds
}

// FuzzReadActions compares the parser of actions with one based on encoding/json, and
// the fast path with the exact one.
func FuzzReadActions(f *testing.F) {
	for _, s := range actionSeeds() {
		f.Add(s)
	}
	m := row(4, 0, 2)
	m.Starts[0] = append(m.Starts[0], hexgrid.Coord{Q: 1})
	m.Starts[1] = append(m.Starts[1], hexgrid.Coord{Q: 3})
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := jsonscan.Parse(text); errors.Is(err, jsonscan.ErrDepth) {
			return // refused here, accepted by encoding/json
		}
		compareReaders(t, startOf(t, &current, m, 2, 0), model.New(model.Board(*m), 2, 0), text)
		compareReaders(t, startOf(t, &draft, m, 2, 0), model.NewDraft(model.Board(*m), 2), text)
	})
}

// compareReaders checks that all parsers read the same actions of player 0.
func compareReaders(t *testing.T, g *Game, slow *model.Model, text []byte) {
	t.Helper()
	if g.readQuickly(0, 0, text) {
		quick := slices.Clone(g.actions)
		g.actions = g.actions[:0]
		if !g.readExactly(0, &engine.Input{Actions: text}) || !slices.Equal(quick, g.actions) {
			t.Errorf("readQuickly(%q) = %v, want %v", text, quick, g.actions)
		}
	}
	g.actions = g.actions[:0]
	in := engine.Input{Player: 0, Actions: text}
	g.read(0, &in)
	checked, err := jsonscan.Parse(text)
	if err == nil { // actions known to be valid are read the same way
		unknown := slices.Clone(g.actions)
		g.actions = g.actions[:0]
		g.read(0, &engine.Input{Player: 0, Actions: checked, Valid: true})
		if !slices.Equal(unknown, g.actions) {
			t.Errorf("read(%q) = %v when it is known to be JSON, want %v", text, g.actions, unknown)
		}
		g.actions = g.actions[:0]
		g.read(0, &engine.Input{Player: 0, Actions: checked, Valid: true, Prepared: g.Prepare(checked)})
		if !slices.Equal(unknown, g.actions) {
			t.Errorf("read(%q) = %v when it was prepared, want %v", text, g.actions, unknown)
		}
	}
	var got, want []string
	for _, a := range g.actions {
		got = append(got, g.describe(a))
	}
	for _, a := range slow.Read([]engine.Input{in}) {
		want = append(want, a.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: read(%q) = %q, want %q", g.rules, text, got, want)
	}
}

// describe returns what the String method of the model's actions does.
func (g *Game) describe(a action) string {
	if a.reason != accepted {
		return fmt.Sprintf("%d %s", a.index, reasons[a.reason])
	}
	switch a.verb {
	case move:
		return fmt.Sprintf("%d: %d moves %v", a.index, a.id, hexgrid.Coord{}.Step(a.dir))
	case dropBomb:
		return fmt.Sprintf("%d: %d bombs %d %d", a.index, a.id, a.reach, a.delay)
	}
	var at hexgrid.Coord
	if g.revivesAnywhere {
		at = hexgrid.Coord{Q: int(a.q), R: int(a.r)}
	}
	return fmt.Sprintf("%d: %d revives at %v", a.index, a.id, at)
}

// FuzzStep plays any bytes as a game: each line is an input, its first byte selects
// the player, and an empty line ends a turn.
func FuzzStep(f *testing.F) {
	const bomb = `[{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":2}]`
	f.Add(false, []byte("0"+bomb+"\n1[{\"id\":1,\"movement\":\"move\",\"direction\":\"x-\"}]\n\n\n\n0[{\"id\":0,\"movement\":\"revive\"}]"))
	const elsewhere = `[{"id":0,"movement":"revive","revive_q":1,"revive_r":0}]`
	f.Add(false, []byte("0"+bomb+"\n\n\n\n\n\n0"+elsewhere))
	f.Add(true, []byte("0"+bomb+"\n0"+bomb+"\n\n\n\n2[]\n9[]\n"))
	for _, s := range actionSeeds() {
		if !slices.Contains(s, '\n') {
			f.Add(true, append([]byte("1"), s...))
		}
	}
	m := hexagon(2)
	m.Starts = [][]hexgrid.Coord{{m.Cells[0], m.Cells[9]}, {m.Cells[5], m.Cells[10]}}
	m.Specials = []hexgrid.Coord{m.Cells[12]}
	f.Fuzz(func(t *testing.T, suddenDeath bool, text []byte) {
		if len(text) > 4096 {
			return
		}
		specials := 0
		if suddenDeath {
			specials = 1
		}
		newDuel(t, &current, m, 2, specials).play(text)
		newDuel(t, &draft, m, 2, 0).play(text)
	})
}

// play plays any bytes as turns.
func (d *duel) play(text []byte) {
	var inputs []engine.Input
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" {
			d.step(inputs)
			inputs = nil
			continue
		}
		if _, err := jsonscan.Parse([]byte(line[1:])); errors.Is(err, jsonscan.ErrDepth) {
			continue
		}
		player := engine.PlayerID(line[0]) - '0'
		inputs = append(inputs, engine.Input{Player: player, Actions: []byte(line[1:])})
	}
	d.step(inputs)
}

// FuzzParseState checks that a state that parses survives being written and parsed
// again.
func FuzzParseState(f *testing.F) {
	played := record(2, 2, 30)
	g := start(f, played.m, benchSeats, 0)
	for _, inputs := range played.turns {
		g.Step(inputs)
		f.Add(g.AppendState(nil))
	}
	for _, s := range []string{
		``, `null`, `{}`, `[]`, `{"cells":[{"q":1,"r":-1,"color":-1},null]}`,
		`{"cells":[{"q":4294967296}]}`,
		`{"characters":[{"id":1e2,"alive":1}]}`, `{"explosions":{"01":[],"1":[{"q":0}],"x":null}}`,
		`{"CELL_COUNT":{"-1":9},"score":{"0":null}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseState(text)
		if err != nil {
			if s != nil || !strings.HasPrefix(err.Error(), "hexabomb state: ") {
				t.Errorf("ParseState(%q) = %v, %v", text, s, err)
			}
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("ParseState(%q) cannot be written: %v", text, err)
		}
		if again, err := ParseState(written); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("ParseState(%q) was written as %s, and read again as %+v, %v", text, written, again,
				err)
		}
	})
}
