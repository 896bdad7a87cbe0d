package recording

import (
	"crypto/sha256"
	"io"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A large answer without effect is abridged, with a description of the original, and the
// match verifies.
func TestAnswersWithoutEffectAreAbridged(t *testing.T) {
	thorough.Long(t)
	const theirs = `{"id":99,"movement":"move","direction":"x+"}`
	for name, rubbish := range map[string]string{
		"a long string": `["` + strings.Repeat("x", 1<<20) + `"]`,
		"a long key":    `[{"` + strings.Repeat("x", 20<<10) + `":0},` + theirs + `]`,
		"a padded action": `[{"` + strings.Repeat("x",
			20<<10) + `":0,"id":99,"movement":"bomb","bomb_range":2,"bomb_delay":-3}]`,
		"white space":        "[" + strings.Repeat(" ", 1<<20) + "]",
		"line feeds":         "[" + strings.Repeat(" \n0,", 1<<12) + "0]",
		"many empty objects": "[" + strings.Repeat("{},", 1<<12) + "{}]",
		"few, yet too many":  "[" + strings.Repeat("0,", 300) + "0]",
		"others' characters": "[" + strings.Repeat(theirs+",", 1000) + theirs + "]",
		"not UTF-8":          `["` + strings.Repeat("\xff", 1<<12) + `"]`,
	} {
		t.Run(name, func(t *testing.T) {
			hostile := func() *played {
				m := small(20)
				m.rubbish = []byte(rubbish)
				return m
			}
			m := hostile()
			path := m.record(t)
			m.check(t, path, true)
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			found := 0
			for turn, err := range r.Turns() {
				if err != nil {
					t.Fatal(err)
				}
				refused := 0
				for i := range turn.Inputs {
					in := &turn.Inputs[i]
					if in.Player != 0 {
						continue
					}
					found++
					if want := (Abridged{len(rubbish), sha256.Sum256([]byte(rubbish))}); in.Abridged != want {
						t.Fatalf("turn %d: abridged %+v, want %+v", turn.Step, in.Abridged, want)
					}
					if len(in.Actions) > wholeAnswer {
						t.Errorf("turn %d: %d bytes are kept, want at most %d", turn.Step, len(in.Actions),
							wholeAnswer)
					}
					refused += count(turn.Refused, func(f engine.Refusal) bool { return f.Input == i })
				}
				if refused > wholeRefusals {
					t.Errorf("turn %d: %d refusals are kept, want at most %d", turn.Step, refused, wholeRefusals)
				}
			}
			if found < 18 {
				t.Errorf("%d answers were without effect", found)
			}
			live, _ := hostile().files(t)
			usual, _ := small(20).files(t)
			if more, most := len(live)-len(usual), 20*3<<10; more > most {
				t.Errorf("the recording has %d bytes more, want at most %d", more, most)
			}
		})
	}
}

// An answer that has an effect is kept byte for byte, as is one of ordinary size.
func TestAnswersWithEffectAreWhole(t *testing.T) {
	for _, rubbish := range []string{
		`[{"id":0,"movement":"revive"},"x"]`,
		`["` + strings.Repeat("x", 3000) + `",{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":2}]`,
	} {
		m := small(3)
		m.rubbish = []byte(rubbish)
		r, err := Open(m.record(t))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for {
			turn, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range turn.Inputs {
				in := &turn.Inputs[i]
				if in.Player == 0 && turn.Step == 2 &&
					(string(in.Actions) != rubbish || in.Abridged.Bytes != 0) {
					t.Errorf("kept %.80s of %.80s", in.Actions, rubbish)
				}
			}
		}
	}
}

// An invalid description of the original is damage.
func TestAbridgedParses(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"bytes":0,"sha256":""}`, `{"bytes":-1}`, `{"bytes":5,"sha256":"00"}`, `null`,
		`{"bytes":1e3}`,
	} {
		var p parser
		if a := p.abridged([]byte(text)); p.err == nil {
			t.Errorf("%s: %+v, want an error", text, a)
		}
	}
}

func count(list []engine.Refusal, is func(engine.Refusal) bool) (n int) {
	for _, f := range list {
		if is(f) {
			n++
		}
	}
	return n
}
