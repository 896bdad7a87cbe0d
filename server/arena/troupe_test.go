package arena

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/server/match"
)

// TestInProcessAsOverTCP plays matches both ways: all but the times is the same.
func TestInProcessAsOverTCP(t *testing.T) {
	for _, names := range [][]string{
		{"walker", "walker", "walker", "walker"},
		{"walker", "walker", "ghost"},
		{"walker", "clumsy", "walker"},
		{"wild", "walker"},
	} {
		var reports []*Report
		for _, inProcess := range []bool{false, true} {
			r := play(t.Context(), t, Options{
				Seats: seats(t, names...), Order: match.Seeded, Seed: 11, Turns: 80, InProcess: inProcess,
			})
			if r.Err != nil || r.Digest == "" {
				t.Fatalf("%v, in process %v: report = %+v, want a match", names, inProcess, r)
			}
			r.Times = Times{}
			for i := range r.Seats {
				r.Seats[i].Time = Quantiles{}
			}
			reports = append(reports, r)
		}
		if diff := cmp.Diff(reports[0], reports[1]); diff != "" {
			t.Errorf("%v: over TCP and in process differ:\n%s", names, diff)
		}
	}
}

func TestInProcessInterrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	r := play(ctx, t, Options{
		Seats: seats(t, "walker", "walker"), Turns: 60_000, InProcess: true, Watchers: []match.Watcher{&stopper{stop: stop}},
	})
	if !errors.Is(r.Err, errStopped) || r.Turns < 5 || r.Turns == 60_000 {
		t.Errorf("report = %+v, want a match that ends early, since %v", r, errStopped)
	}
}

func TestInProcessTakesBuiltinBotsOnly(t *testing.T) {
	r := play(t.Context(), t, Options{Seats: seats(t, "walker", "(fine -1)"), InProcess: true, StartTimeout: time.Minute})
	if s := r.Seats[1]; s.Status != Absent || s.Error != errNotBuiltin.Error() {
		t.Errorf("a started bot = %+v, want it to be absent, since %v", s, errNotBuiltin)
	}
}
