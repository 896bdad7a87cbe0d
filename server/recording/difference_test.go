package recording

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/match"
)

// alteration changes one recorded action or digest in lines that are then written with
// correct checksums.
type alteration struct {
	step   int
	player engine.PlayerID // NoPlayer: the digest
}

func alter(tb testing.TB, lines []byte, rnd *rand.Rand, h *Header) ([]byte, alteration) {
	tb.Helper()
	all := bytes.SplitAfter(bytes.TrimSuffix(lines, []byte("\n")), []byte("\n"))
	for {
		at := 2 + rnd.IntN(len(all)-2)
		record, err := unwrap(append(bytes.TrimSuffix(all[at], []byte("\n")), '\n'))
		if err != nil {
			tb.Fatal(err)
		}
		var turn Turn
		if err := turn.parse(record, h); err != nil {
			tb.Fatal(err)
		}
		a := alteration{step: turn.Step, player: engine.NoPlayer}
		if rnd.IntN(2) == 0 {
			turn.Digest[rnd.IntN(len(turn.Digest))] ^= 1 << rnd.IntN(8)
		} else {
			if len(turn.Inputs) == 0 {
				continue
			}
			in := &turn.Inputs[rnd.IntN(len(turn.Inputs))]
			text := alterAction(string(in.Actions), rnd)
			if text == string(in.Actions) {
				continue
			}
			in.Actions, a.player = []byte(text), in.Player
		}
		all[at] = appendTurnLine(nil, &turn, len(h.Counts))
		return bytes.Join(all, nil), a
	}
}

func alterAction(text string, rnd *rand.Rand) string {
	changes := [...][2]string{
		{`"x+"`, `"x-"`},
		{`"y+"`, `"z-"`},
		{`"z+"`, `"y-"`},
		{`"z-"`, `"x+"`},
		{`"move"`, `"revive"`},
		{`"bomb_range":2`, `"bomb_range":3`},
		{`"id":1`, `"id":2`},
		{`{"id"`, `{ "id"`},
		{`[]`, `[ ]`},
	}
	c := changes[rnd.IntN(len(changes))]
	return strings.Replace(text, c[0], c[1], 1)
}

// TestAlterations alters a recorded action or digest a thousand times. Each time the error
// names the turn, the player and what differs.
func TestAlterations(t *testing.T) {
	thorough.Long(t)
	m := small(30)
	lines, _ := m.files(t)
	h := *m.open(t).header(&m.frame)
	rnd := rand.New(rand.NewPCG(3, 3))
	for range thorough.Size(250, 1000) {
		altered, a := alter(t, lines, rnd, &h)
		_, err := verifyBytes(altered)
		var d *Difference
		if !errors.As(err, &d) {
			t.Fatalf("%+v: verify = %v, want a difference", a, err)
		}
		want := Difference{Step: a.step, Player: a.player, Field: "actions"}
		if a.player == engine.NoPlayer {
			want.Field = "digest of the state"
		}
		if d.Step != want.Step || d.Player != want.Player || d.Field != want.Field ||
			d.Recorded == d.Replayed {
			t.Fatalf("%+v: verify = %v, want turn %d, player %d, %s", a, d, want.Step, want.Player,
				want.Field)
		}
	}
}

// TestFlips flips a bit of a finished file a thousand times. Only the few bits without
// effect, such as the size of zstd's window, are not detected.
func TestFlips(t *testing.T) {
	thorough.Long(t)
	data, err := os.ReadFile(small(30).record(t))
	if err != nil {
		t.Fatal(err)
	}
	want := linesOf(t, data)
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 1000 {
		at, bit := rnd.IntN(len(data)), byte(1)<<rnd.IntN(8)
		data[at] ^= bit
		if v, err := verifyBytes(data); err == nil && !bytes.Equal(linesOf(t, data), want) {
			t.Fatalf("bit %#x of byte %d of %d: verify = %+v, want an error", bit, at, len(data), v)
		}
		data[at] ^= bit
	}
}

// linesOf returns the lines of a finished recording.
func linesOf(t *testing.T, data []byte) []byte {
	t.Helper()
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	lines, err := d.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// A change of the rules shows as a difference in the count that it changes.
func TestOtherRules(t *testing.T) {
	path := small(30).record(t)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = Verify(context.Background(), r, func(rules string, board []byte) (engine.Game, error) {
		g, err := games(rules, board)
		return generous{g}, err
	}, nil)
	var d *Difference
	if !errors.As(err, &d) || d.Step != 0 || d.Player != 1 || d.Field != "cells" ||
		d.Replayed == d.Recorded {
		t.Errorf("Verify = %v, want a difference in the cells of player 1", err)
	}
}

// generous is a game that counts one cell too many for player 1.
type generous struct{ engine.Game }

func (g generous) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	dst = g.Game.AppendTally(dst, p)
	if p == 1 {
		dst[1].Value++
	}
	return dst
}

// The error also names other parts of a turn that are changed, and the player.
func TestDifferences(t *testing.T) {
	m := small(30)
	lines, _ := m.files(t)
	h := *m.open(t).header(&m.frame)
	all := bytes.SplitAfter(lines, []byte("\n"))
	tests := []struct {
		field  string
		change func(*Turn) engine.PlayerID // the player that the change concerns
	}{
		{"score", func(turn *Turn) engine.PlayerID { turn.Tally[2*len(h.Counts)]++; return 2 }},
		{"deaths", func(turn *Turn) engine.PlayerID { turn.Tally[len(h.Counts)+2]--; return 1 }},
		{"refused actions", func(turn *Turn) engine.PlayerID {
			turn.Refused = append(turn.Refused, engine.Refusal{Input: 1, Action: 90, Reason: "bored"})
			return turn.Inputs[1].Player
		}},
		{"actions", func(turn *Turn) engine.PlayerID { turn.Inputs[0].Input.Turn--; return turn.Inputs[0].Player }},
		{"actions", func(turn *Turn) engine.PlayerID {
			turn.Inputs[2].Lapse = engine.Gone
			return turn.Inputs[2].Player
		}},
	}
	for i, tt := range tests {
		at := 10 + i
		record, err := unwrap(all[at])
		if err != nil {
			t.Fatal(err)
		}
		var turn Turn
		if err := turn.parse(record, &h); err != nil {
			t.Fatal(err)
		}
		player := tt.change(&turn)
		changed := slices.Clone(all)
		changed[at] = appendTurnLine(nil, &turn, len(h.Counts))
		_, err = verifyBytes(bytes.Join(changed, nil))
		var d *Difference
		if !errors.As(err, &d) || d.Step != turn.Step || d.Player != player || d.Field != tt.field {
			t.Errorf("verify = %v, want turn %d, player %d, %s", err, turn.Step, player, tt.field)
		}
	}
}

// Matches that start in the same second have separate files, and all levels of durability
// write the same.
func TestDurable(t *testing.T) {
	dir := t.TempDir()
	paths := map[string]bool{}
	for _, name := range durabilities {
		d, err := ParseDurability(name)
		if err != nil || durabilities[d] != name {
			t.Fatalf("ParseDurability(%q) = %v, %v", name, d, err)
		}
		m := small(20)
		o := m.options(t)
		o.Rules, o.Dir, o.Durable = gameProxy{m}, dir, d
		r := New(o)
		m.play(t, r)
		r.Ended(m.ending())
		paths[r.Path()] = true
		m.check(t, r.Path(), true)
	}
	if len(paths) != 3 {
		t.Errorf("the files are %v, want three", paths)
	}
	if d, err := ParseDurability("never"); err == nil {
		t.Errorf("ParseDurability(never) = %v, want an error", d)
	}
}

// rawStates is a recorder of a version that recorded states as the game logic had written them.
type rawStates struct{ *Recorder }

func (w rawStates) as(f *match.Frame, record func()) {
	plain := f.State
	f.State = bytes.ReplaceAll(bytes.ReplaceAll(plain, []byte(`,"`), []byte(` , "`)), []byte(`:1,`),
		[]byte(`:1.0,`))
	record()
	f.State = plain
}

func (w rawStates) Started(f *match.Frame) { w.as(f, func() { w.Recorder.Started(f) }) }

func (w rawStates) Played(p *match.Play) { w.as(p.Frame, func() { w.Recorder.Played(p) }) }

// untold is a game without counts, as a game logic may be.
type untold struct{ engine.Game }

func (untold) AppendTally(dst []engine.Count, _ engine.PlayerID) []engine.Count { return dst }

// altered is a game with another state.
type altered struct{ untold }

func (g altered) AppendState(dst []byte) []byte {
	return append(g.untold.AppendState(dst), ' ')
}

// A game logic plays a recording again whose states are in its own notation, and a state with
// another value is a difference.
func TestVerifyRawStates(t *testing.T) {
	m := small(20)
	m.external = true
	r := m.open(t)
	m.play(t, rawStates{r})
	r.Ended(m.ending())
	for _, game := range []engine.Game{
		untold{hexabomb.New(m.board)}, altered{untold{hexabomb.New(m.board)}},
	} {
		read, err := Open(r.Path())
		if err != nil {
			t.Fatal(err)
		}
		v, err := VerifyBy(t.Context(), read, game, nil)
		read.Close()
		if _, other := game.(altered); other != errors.As(err, new(*Difference)) ||
			!other && v.Turns != m.turns {
			t.Errorf("by %T: %+v, %v", game, v, err)
		}
	}
}
