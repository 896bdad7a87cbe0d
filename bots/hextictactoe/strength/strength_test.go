//go:build thorough

package main

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		name      string
		pairs     [][2]float64
		low, high float64
	}{
		// Wilson's interval of 50 of 100 is 0.404 to 0.596.
		{"pairs won or lost as a whole", repeated(50, [2]float64{1, 1}, [2]float64{0, 0}), 0.404, 0.596},
		// If one side always wins, the games say nothing about the players, so the
		// interval must stay wide.
		{"each wins as x", repeated(100, [2]float64{1, 0}), 0.431, 0.569},
		{"all won", repeated(100, [2]float64{1, 1}), 0.963, 1},
	} {
		var s score
		for _, p := range tt.pairs {
			s.add(p)
		}
		if low, high := s.interval(); math.Abs(low-tt.low) > 0.0015 || math.Abs(high-tt.high) > 0.0015 {
			t.Errorf("%s: %v to %v, want %v to %v", tt.name, low, high, tt.low, tt.high)
		}
	}
}

func repeated(n int, pairs ...[2]float64) (list [][2]float64) {
	for range n {
		list = append(list, pairs...)
	}
	return list
}

func TestReadPair(t *testing.T) {
	const game = `{"games":[{"x":"threat","o":"b","winner":"x","reason":"win: a row complete","moves":9},`
	for text, want := range map[string]struct {
		pair  [2]float64
		fault string
	}{
		game + `{"x":"b","o":"threat","winner":"o","reason":"win: a row complete"}]}`:                        {pair: [2]float64{1, 1}},
		game + `{"x":"b","o":"threat","winner":"x","reason":"win: a row complete"}]}`:                        {pair: [2]float64{1, 0}},
		game + `{"x":"b","o":"threat","winner":"","reason":"draw: turn limit"}]}`:                            {pair: [2]float64{1, 0.5}},
		game + `{"x":"b","o":"threat","winner":"o","reason":"forfeit: left","fault":"hung up"}]}`:            {fault: "forfeit: left: hung up"},
		game + `{"x":"b","o":"threat","winner":"o","reason":"forfeit: out of time","fault":"out of time"}]}`: {pair: [2]float64{1, 1}},
		strings.TrimSuffix(game, ",") + `]}`:                                                                 {fault: "1 games"},
		`nothing`:                                                                                            {fault: "printed nothing"},
	} {
		pair, err := readPair([]byte(text))
		if want.fault == "" && (err != nil || pair != want.pair) || want.fault != "" && (err == nil || !strings.Contains(err.Error(), want.fault)) {
			t.Errorf("readPair(%s) = %v, %v; want %+v", text, pair, err, want)
		}
	}
}

// TestExtract checks that the files are those of the commit, and that an unknown commit
// is an error.
func TestExtract(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := write("a/file", strings.NewReader("text")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "one"}, {"rm", "-q", "a/file"},
	} {
		if _, err := git(t.Context(), args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := extract(t.Context(), "HEAD", "out"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join("out", "a", "file")); err != nil || string(text) != "text" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := extract(t.Context(), "no-such-commit", "out"); err == nil || !strings.Contains(err.Error(), "cannot read the files of commit no-such-commit") {
		t.Errorf("extract of an unknown commit = %v", err)
	}
}

func TestRefused(t *testing.T) {
	for _, arg := range []string{"more", "-openings=1", "-against"} {
		if err := run(t.Context(), []string{arg}, io.Discard, io.Discard); err == nil {
			t.Errorf("strength %s does not fail", arg)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, nil, io.Discard, io.Discard); err == nil {
		t.Error("run returns nil after an interrupt")
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("after an interrupt, the directory holds %v, %v", left, err)
	}
}
