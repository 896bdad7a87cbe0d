package recording

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Debug values are recorded verbatim, can be read wherever the file is truncated, and have
// no effect on the replay.
func TestDebugIsKept(t *testing.T) {
	m := small(40)
	m.debugs = true
	live, finished := m.files(t)
	for _, data := range [][]byte{live, finished, live[:len(live)-100], live[:len(live)/2]} {
		v, err := verifyBytes(data)
		if err != nil || v.Turns < 19 {
			t.Fatalf("verify %d of %d bytes: %+v, %v", len(data), len(live), v, err)
		}
		f, err := NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for turn, err := range f.Turns() {
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range turn.Inputs {
				if in.Debug != nil {
					seen++
				}
				if want := fmt.Sprintf(`{"text":"turn %d","cells":[{"q":%d,"r":0}]}`, turn.Step, in.Player); in.Debug != nil && string(in.Debug) != want {
					t.Fatalf("turn %d, player %d showed %s, want %s", turn.Step, in.Player, in.Debug, want)
				}
			}
		}
		if err := f.Close(); err != nil || seen < v.Turns {
			t.Errorf("%d answers of %d turns show something, %v", seen, v.Turns, err)
		}
	}
	for n := 0; n < len(live); n += 211 {
		if v, err := verifyBytes(live[:n]); err != nil && !errors.Is(err, ErrEmpty) ||
			err == nil && !v.Cut {
			t.Fatalf("cut after %d of %d bytes: %+v, %v", n, len(live), v, err)
		}
	}
}

func TestPages(t *testing.T) {
	var p Pages
	p.Print("bot", "before the start")
	p.Print("stranger", "not recorded")
	p.Seat("bot", 3)
	p.Seat("", 1)
	if got := p.At(0, time.Time{}); len(got) != 1 || got[0].Player != 3 ||
		got[0].Lines[0] != "before the start" {
		t.Errorf("At(0) = %v", got)
	}
	p.Print("bot", "in turn 1")
	for range 2 { // the second call returns the same
		if got := p.At(1, time.Time{}); len(got) != 1 || len(got[0].Lines) != 1 ||
			got[0].Lines[0] != "in turn 1" {
			t.Errorf("At(1) = %v", got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { p.At(2, time.Time{}); p.At(3, time.Time{}) }); n > 0 {
		t.Errorf("a turn without output allocates %v times", n)
	}
	for i := range 1000 {
		p.Print("bot", fmt.Sprintf("%d %s", i, strings.Repeat("x", 500)))
	}
	got := p.At(4, time.Time{})
	if len(got) != 1 || got[0].Lost+len(got[0].Lines) != 1000 ||
		!strings.HasPrefix(got[0].Lines[len(got[0].Lines)-1], "999 ") {
		t.Fatalf("of 1000 long lines, %d are lost and %d kept", got[0].Lost, len(got[0].Lines))
	}
	size := 0
	for _, line := range got[0].Lines {
		size += len(line)
	}
	if size > MaxPrinted || size < MaxPrinted/2 {
		t.Errorf("%d bytes are kept, want up to %d", size, MaxPrinted)
	}
	p.Print("bot", "before it was over")
	over := time.Now()
	p.mu.Lock()
	p.of("bot").times[0] = over
	p.mu.Unlock()
	p.Print("bot", "for the next turn")
	p.mu.Lock()
	p.of("bot").times[1] = over.Add(1)
	p.mu.Unlock()
	for step, want := range []string{"before it was over", "for the next turn"} {
		if got := p.At(5+step, over.Add(time.Duration(step))); len(got) != 1 || len(got[0].Lines) != 1 ||
			got[0].Lines[0] != want {
			t.Errorf("At(%d) = %v, want %q", 5+step, got, want)
		}
	}
	var none *Pages
	none.Seat("bot", 1)
	none.Done("bot")
	if got := none.At(1, time.Time{}); got != nil {
		t.Errorf("At of none = %v", got)
	}
}

// How a bot ended is told once. One that had played to the end, or was kicked, has not crashed.
func TestPagesEnd(t *testing.T) {
	var p Pages
	for label, player := range map[string]engine.PlayerID{
		"crash": 0, "quit": 1, "done": 2, "kicked": 3,
	} {
		p.Seat(label, player)
		p.Print(label, "last words")
	}
	p.End("crash", "exit code 1", true)
	p.End("quit", "exit code 0", false)
	p.Done("done")
	p.End("done", "exit code 1", true)
	p.End("kicked", "exit code 1", true) // before it is known why
	p.Done("kicked")
	for step, want := range []string{
		"crashed: exit code 1, exit code 0, exit code 1, exit code 1", "",
	} {
		var ended [4]string
		for _, o := range p.At(step, time.Time{}) {
			ended[o.Player] = o.Ended
		}
		if got := strings.Trim(strings.Join(ended[:], ", "), ", "); got != want {
			t.Errorf("At(%d) tells the ends %q, want %q", step, got, want)
		}
	}
}

func TestTail(t *testing.T) {
	o := Output{Player: 2, Lines: []string{"one", "", "three"}, Lost: 5, Ended: "exit code 0"}
	for limit, want := range map[int]string{
		0: "[] 8", 5: "[] 8", 6: `["three"] 7`, 7: `["" "three"] 6`, 10: `["" "three"] 6`,
		100: `["one" "" "three"] 5`,
	} {
		if got := o.Tail(limit); fmt.Sprintf("%q %d", got.Lines, got.Lost) != want || got.Player != 2 ||
			got.Ended != "exit code 0" {
			t.Errorf("Tail(%d) = %q %d, want %s", limit, got.Lines, got.Lost, want)
		}
	}
}

// Output of a player that the match does not have is damage.
func TestStrangerPrints(t *testing.T) {
	m := small(1)
	data, _ := m.files(t)
	end, err := appendJSONLine(nil,
		map[string]End{"end": {Turns: 1, Printed: []Output{{Player: engine.PlayerID(3)}}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verifyBytes(append(data, end...)); err == nil {
		t.Error("output of player 3 of 3 is accepted")
	}
}
