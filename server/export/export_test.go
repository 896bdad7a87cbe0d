package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

var all = games.List{hextictactoe.Game()}

const moves = "1. [0,4][1,4];\n2. [1,0][2,0];\n"

// noted returns a recording of the moves.
func noted(t *testing.T) Recording {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "game.txt")
	if err := os.WriteFile(file, []byte("playercross[Ann]; endreason[draw];\n"+moves), 0o600); err != nil {
		t.Fatal(err)
	}
	g, list, err := ReadNotation(all, file)
	if err != nil || len(list) != 1 {
		t.Fatalf("ReadNotation = %v, %v", list, err)
	}
	path, err := RecordNoted(recording.Options{Dir: dir, Program: "test", Seed: 1}, g, list[0])
	if err != nil {
		t.Fatal(err)
	}
	return Recording{Path: path, Games: all, Progress: func(int, int) {}}
}

// A game that was read from a notation is written in every format.
func TestFormats(t *testing.T) {
	thorough.Long(t)
	r := noted(t)
	holds := map[string]string{
		"json": `"Ann"`, "csv": "turn,player,name", "svg": "<svg", "png": "PNG", "gif": "GIF89a",
		"html": "<html", "htttx": moves, "npz": "lines.npy",
	}
	for _, f := range Formats(all) {
		var out bytes.Buffer
		if err := f.Write(t.Context(), &out, r, Options{Turn: LastTurn, To: LastTurn, FPS: 10}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if want := holds[f.Name]; want == "" || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %.200q does not hold %q", f.Name, out.String(), want)
		}
		if f.Name == "json" && !json.Valid(out.Bytes()) {
			t.Errorf("%s is not JSON", out.String())
		}
	}
}

// Options that do not suit the recording are errors in what the user asked for.
func TestWrongOptions(t *testing.T) {
	r := noted(t)
	for _, tt := range []struct {
		format string
		o      Options
		says   string
	}{
		{"svg", Options{Turn: 101}, "--turn: 100: "},
		{"png", Options{Turn: -2}, "--turn: -3: "},
		{"png", Options{Size: 1}, "--size: "},
		{"gif", Options{From: 2, To: 1, FPS: 10}, "--from: 1: it is after --to, 0"},
		{"gif", Options{To: LastTurn, FPS: 1000}, "--fps: 1000 "},
		{"gif", Options{To: LastTurn, FPS: 10, Every: -1}, "--every: -1: "},
	} {
		list := Formats(all)
		f := list[slices.IndexFunc(list, func(f Format) bool { return f.Name == tt.format })]
		err := f.Write(t.Context(), new(bytes.Buffer), r, tt.o)
		if !errors.As(err, new(games.UsageError)) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s with %+v: %v, want a usage error with %q", tt.format, tt.o, err, tt.says)
		}
	}
}

func TestInterrupted(t *testing.T) {
	r := noted(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range Formats(all) {
		if err := f.Write(ctx, new(bytes.Buffer), r, Options{Turn: LastTurn, To: LastTurn, FPS: 10}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", f.Name, err, context.Canceled)
		}
	}
}

func TestCourse(t *testing.T) {
	r := noted(t)
	c, report, err := r.Course(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if r := report; r.Err != nil || r.Winner != "" || len(r.Seats) != 2 ||
		r.Seats[0].Status != result.Held {
		t.Errorf("the report is %+v, want a match without a winner that both played to the end", r)
	}
	if last := c.Last(); last.Step != c.End.Turns || c.Samples[0].Step != 0 {
		t.Errorf("samples from turn %d to %d of %d", c.Samples[0].Step, last.Step, c.End.Turns)
	}
	if order := c.Order(); len(order) != 2 {
		t.Errorf("the order is %v, want two players", order)
	}
	found := 0
	if err := r.ReplayTo(t.Context(), 1, func(_ *recording.Replay, turn *recording.Turn) error { found = turn.Step; return nil }, nil); err != nil || found != 1 {
		t.Errorf("ReplayTo(1) shows turn %d, %v", found, err)
	}
}

// Pictures and notations name players as the page does: by nicknames, not by files.
func TestNames(t *testing.T) {
	h := &recording.Header{Seats: []recording.Seat{
		{Nickname: "my_bot", Bot: recording.Bot{Label: "my_bot.py"}},
		{Bot: recording.Bot{Label: "threat"}},
		{Nickname: "ada"},
	}}
	if got, want := matchOf(h).Names, []string{"my_bot", "threat", "ada"}; !slices.Equal(got, want) {
		t.Errorf("names = %q, want %q", got, want)
	}
}
