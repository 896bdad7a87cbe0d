//go:build thorough

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
)

// TestSample plays a few matches of each contest on each map; the command plays a hundred.
func TestSample(t *testing.T) {
	thorough.Full(t)
	const matches = 4
	for _, c := range contests {
		for _, name := range maps.Names() {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				r, err := c.run(t.Context(), name, matches)
				if err != nil {
					t.Fatal(err)
				}
				if r.passed < matches-1 {
					t.Errorf("%d of %d succeed; the seeds %v fail", r.passed, matches, r.failed)
				}
			})
		}
	}
}

func TestPainterTakesEverySeat(t *testing.T) {
	for _, name := range maps.Names() {
		m, err := maps.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for seed := uint64(1); seed <= 100; seed++ {
			m := painterBeatsRandom.match(hexabomb.Compile(m), m.Seats(), seed)
			seen[m.painter()] = true
			if got := strings.Count(strings.Join(m.seats, " "), "painter"); got != 1 || m.seats[m.painter()] != "painter" {
				t.Fatalf("seed %d seats %v", seed, m.seats)
			}
		}
		if len(seen) != m.Seats() {
			t.Errorf("on %s the painter takes %d of %d seats", name, len(seen), m.Seats())
		}
	}
}

func TestSameSeedSameMatch(t *testing.T) {
	m, err := maps.Load("hourglass")
	if err != nil {
		t.Fatal(err)
	}
	board := hexabomb.Compile(m)
	for seed := uint64(1); seed <= 5; seed++ {
		match := painterBeatsRandom.match(board, m.Seats(), seed)
		first, err := match.play()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := match.play(); err != nil || !reflect.DeepEqual(again, first) {
			t.Errorf("seed %d: play() = %+v, %v, want %+v", seed, again, err, first)
		}
	}
}

func TestOutcomesDoNotDependOnCores(t *testing.T) {
	play := func(cores int) row {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		r, err := hunterKillsRandom.run(t.Context(), "pebble", 12)
		if err != nil {
			t.Fatal(err)
		}
		r.contest = contest{} // functions cannot be compared
		return r
	}
	if one, many := play(1), play(8); !reflect.DeepEqual(one, many) {
		t.Errorf("on one core %+v, on several %+v", one, many)
	}
}

func TestRowOK(t *testing.T) {
	for _, tt := range []struct {
		least, passed, matches int
		want                   bool
	}{{95, 95, 100, true}, {95, 94, 100, false}, {95, 3, 4, false}, {90, 9, 10, true}} {
		r := row{contest: contest{least: tt.least}, passed: tt.passed, matches: tt.matches}
		if got := r.ok(); got != tt.want {
			t.Errorf("ok() of %d in %d, wanted %d%%, = %v, want %v", tt.passed, tt.matches, tt.least, got, tt.want)
		}
	}
}

func TestRun(t *testing.T) {
	var out, progress bytes.Buffer
	if err := run(t.Context(), []string{"-map=pebble", "-matches", "2"}, &out, &progress); err != nil {
		t.Fatal(err)
	}
	for _, c := range contests {
		if !strings.Contains(out.String(), c.name+" ") || !strings.Contains(progress.String(), c.name+" on pebble: 2 of 2") {
			t.Errorf("%q is missing in\n%s%s", c.name, progress.String(), out.String())
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"-matches=0", "-matches=0"}, {"-map=nowhere", "pebble"}, {"more", "more"}, {"-x", "-x"},
	} {
		if err := run(t.Context(), []string{tt.args}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("run(%s) = %v, want an error with %q", tt.args, err, tt.want)
		}
	}
}

func TestMissedFigureIsAnError(t *testing.T) {
	old := contests
	defer func() { contests = old }()
	never := hunterKillsRandom
	never.passed = func(match, result) bool { return false }
	contests = []contest{never}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-map=pebble", "-matches=3"}, &out, io.Discard)
	if !errors.Is(err, errMissed) || !strings.Contains(out.String(), "1 2 3") {
		t.Errorf("run = %v with\n%s, want errMissed and the seeds", err, out.String())
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if err := run(ctx, nil, io.Discard, io.Discard); !errors.Is(err, why) {
		t.Errorf("run after the end = %v, want %v", err, why)
	}
}
