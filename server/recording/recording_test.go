package recording

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/match"
)

func small(turns int) *played { return &played{board: hexagon(4, 3, 2), seed: 5, turns: turns} }

func verifyFile(path string) (Verdict, error) {
	r, err := Open(path)
	if err != nil {
		return Verdict{}, err
	}
	defer r.Close()
	return Verify(context.Background(), r, games, nil)
}

func verifyBytes(data []byte) (Verdict, error) {
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Verdict{}, err
	}
	defer r.Close()
	return Verify(context.Background(), r, games, nil)
}

// A recording replays to the states of the match byte for byte, whether it was finished or
// the recorder was killed, and with External rules as well.
func TestReplay(t *testing.T) {
	thorough.Long(t)
	for _, external := range []bool{false, true} {
		for _, turns := range []int{0, 1, 15, 16, 100} {
			m := small(turns)
			m.external = external
			r := m.open(t)
			m.play(t, r)
			live := filepath.Join(t.TempDir(), "live")
			data, err := os.ReadFile(r.Path())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(live, data, 0o644); err != nil {
				t.Fatal(err)
			}
			r.Ended(m.ending())
			m.check(t, live, false)
			m.check(t, r.Path(), true)
			files, _ := os.ReadDir(filepath.Dir(r.Path()))
			if len(files) != 1 {
				t.Errorf("the folder holds %v, want one file", files)
			}
		}
	}
}

// check compares a file with the match.
func (m *played) check(t *testing.T, path string, ended bool) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p, err := NewReplay(r, games)
	if err != nil {
		t.Fatal(err)
	}
	for step, want := range m.states {
		turn, err := p.Next()
		if err != nil {
			t.Fatalf("turn %d: %v", step, err)
		}
		if !bytes.Equal(p.State(), want) || turn.Step != step {
			t.Fatalf("turn %d replays as turn %d to\n%s\nwant\n%s", step, turn.Step, p.State(), want)
		}
	}
	if _, err := p.Next(); err != io.EOF {
		t.Errorf("after the last turn: %v, want %v", err, io.EOF)
	}
	if got := r.End() != nil; got != ended {
		t.Errorf("it has an end: %v, want %v", got, ended)
	}
}

// Wherever a file was truncated, the turns before that can be read and are identical.
func TestCut(t *testing.T) {
	thorough.Long(t)
	m := small(20)
	live, finished := m.files(t)
	for _, data := range [][]byte{live, finished} {
		last := 0
		for n := 0; n < len(data); n += thorough.Size(11, 3) {
			v, err := verifyBytes(data[:n])
			if errors.Is(err, ErrEmpty) {
				continue
			}
			if err != nil || v.Turns < last || !v.Cut && v.Turns != m.turns {
				t.Fatalf("cut after %d of %d bytes: %+v, %v; before, %d turns", n, len(data), v, err, last)
			}
			last = v.Turns
		}
		if last < m.turns-1 {
			t.Errorf("almost whole, it has %d of %d turns", last, m.turns)
		}
	}
}

// A kill while the lines are being compressed loses nothing.
func TestKilledWhilePacking(t *testing.T) {
	thorough.Long(t)
	m := small(60)
	lines, packed := m.files(t)
	end, err := appendJSONLine(nil, map[string]End{"end": {Turns: m.turns, Winner: m.last.Winner}})
	if err != nil {
		t.Fatal(err)
	}
	lines = append(lines, end...)
	both := append(bytes.Clone(lines), packed...)
	for n := 0; n <= len(packed); n += 1 + len(packed)/50 {
		torn := bytes.Clone(both)
		copy(torn, packed[:n])
		for what, data := range map[string][]byte{
			"behind the lines": both[:len(lines)+n], "from the beginning": torn,
		} {
			if v, err := verifyBytes(data); err != nil || v.Cut || v.Turns != m.turns {
				t.Errorf("killed when %d of %d bytes were written %s: %+v, %v; want all %d turns", n,
					len(packed), what, v, err, m.turns)
			}
		}
	}
}

// The other contents of a file are read as they were written.
func TestContent(t *testing.T) {
	m := small(3)
	o := m.options(t)
	o.Rules = gameProxy{m}
	o.Extra, o.Labels = map[string]string{"pace": "fast"}, map[string]string{
		"series": "cup", "match": "7",
	}
	o.Describe = func(address string) Bot {
		if address == "127.0.0.1:40001" {
			return Bot{Label: "my_bot.py", Command: []string{"python3", "my_bot.py"}}
		}
		return Bot{}
	}
	o.Printed = new(Pages)
	r := New(o)
	o.Printed.Print("my_bot.py", "hello")
	m.begin(t, r)
	o.Printed.Print("my_bot.py", "a \"line\"\t\xff")
	o.Printed.Print("stranger", "not recorded")
	for range 1000 { // many times within one turn
		r.Left(match.SeatInfo{ID: 2, Reason: "gone to lunch"}, match.Player)
	}
	r.Left(match.SeatInfo{ID: 2, Reason: "gone home"}, match.Player)
	p := m.step(1)
	p.Answers = []match.Answer{
		{Input: engine.Input{
			Player: 1, Turn: 7, Actions: []byte("[ 1,\n\t2 ]"),
		}, Took: 1500, Debug: []byte("{\n}")},
		{Input: engine.Input{Player: 0, Turn: -1, Lapse: engine.Gone}},
	}
	p.Result.Refused = []engine.Refusal{{Player: 1, Input: 0, Action: -1, Reason: `un"readable`}}
	r.Played(p)
	r.Ended(&match.Ending{Steps: 1, Winner: engine.NoPlayer, Err: io.ErrUnexpectedEOF})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}

	f, err := Open(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := f.Header()
	if h.Rules != hexabomb.Rules || h.Seats[1].Name() != "my_bot.py" || h.Seats[2].Name() != "bot2" ||
		h.Options["pace"] != "fast" || h.DelayTurns != 100 || !maps.Equal(h.Labels, o.Labels) {
		t.Errorf("header = %+v", h)
	}
	turn, err := f.Next()
	if err != nil || len(turn.Printed) != 1 || turn.Printed[0].Lines[0] != "hello" {
		t.Errorf("turn 0 = %+v, %v; want a line printed by player 1", turn, err)
	}
	if turn, err = f.Next(); err != nil {
		t.Fatal(err)
	}
	if got := turn.Printed; len(got) != 1 || got[0].Player != 1 ||
		got[0].Lines[0] != "a \"line\"\t\uFFFD" {
		t.Errorf("printed = %+v", got)
	}
	if got := turn.Left; len(got) != 1 || got[0] != (Departure{2, "gone home"}) {
		t.Errorf("left = %+v", got)
	}
	if got := turn.Refused; len(got) != 1 || got[0] != p.Result.Refused[0] {
		t.Errorf("refused = %+v, want %+v", got, p.Result.Refused)
	}
	a, b := turn.Inputs[0], turn.Inputs[1]
	if string(a.Actions) != "[ 1,\n\t2 ]" || a.Input.Turn != 7 || a.Player != 1 || a.Took.Microseconds() != 1 || string(a.Debug) != "{\n}" || b.Lapse != engine.Gone || b.Actions != nil {
		t.Errorf("inputs = %+v", turn.Inputs)
	}
	if _, err := f.Next(); err != io.EOF || f.End().Error == "" {
		t.Errorf("end = %+v, %v", f.End(), err)
	}
}

// The golden recording was written by the first version of this format.
func TestGolden(t *testing.T) {
	const golden = "testdata/v1" + Extension
	if os.Getenv("UPDATE_GOLDEN") != "" {
		m := small(50)
		data, err := os.ReadFile(m.record(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v, err := verifyFile(golden)
	if err != nil || v.Cut || v.Turns != 50 {
		t.Errorf("verify = %+v, %v; want 50 turns", v, err)
	}
}

// Readers skip what newer programs add to a recording.
func TestUnknownFields(t *testing.T) {
	m := small(3)
	lines, _ := m.files(t)
	var changed []byte
	for line := range bytes.Lines(lines) {
		record := bytes.TrimSpace(line)[lineHead:]
		record = bytes.Replace(record, []byte(`{"hexarena_recording"`),
			[]byte(`{"to_come":{"a":[1]},"hexarena_recording"`), 1)
		record = bytes.Replace(record, []byte(`{"nickname"`), []byte(`{"to_come":"b","nickname"`), 1)
		start := len(changed)
		changed = endLine(append(beginLine(changed), record...), start)
	}
	if v, err := verifyBytes(changed); err != nil || v.Turns != m.turns ||
		bytes.Count(changed, []byte("to_come")) != 2 {
		t.Errorf("verify = %+v, %v; want all %d turns", v, err, m.turns)
	}
}

// The lines of a recording are written today as they were.
func TestLinesStayTheSame(t *testing.T) {
	r, err := Open("testdata/v1" + Extension)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for turn, err := range r.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		if line := appendTurnLine(nil, turn, len(r.header.Counts)); !bytes.Equal(line, r.line) {
			t.Fatalf("turn %d is written as\n%swant\n%s", turn.Step, line, r.line)
		}
	}
}
