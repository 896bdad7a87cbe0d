package arena

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
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
				r.Seats[i].Time = result.Quantiles{}
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

// parrot always says the same.
type parrot struct {
	*walker
	text []byte
}

func (p *parrot) Turn(netorcai.Turn) ([]byte, error) { return p.text, nil }

// What is no JSON array gets no further than it would over a wire: it spoils
// neither the recording nor the events.
func TestInProcessActionsAreRead(t *testing.T) {
	for text, status := range map[string]Status{
		`oops`: Crashed, `[1`: Crashed, `[] []`: Crashed, `{"a":1}`: Crashed, "": Crashed, " [ ]\n": Held, `[1]`: Held,
	} {
		board := hexagon()
		game := hexabomb.New(board)
		recorder := recording.New(recording.Options{Dir: t.TempDir(), Program: "test", Game: game, Map: board.AppendJSON(nil)})
		story := feed.New(feed.Options{Game: "hexabomb", Rules: game})
		a, err := New(Options{
			Seats: seats(t, "walker", "says "+text), Game: game, Builtin: builtin, Turns: 5, InProcess: true,
			Pace: fast(0), Watchers: []match.Watcher{recorder, story}, Log: zerolog.Nop(),
		})
		if err != nil {
			t.Fatal(err)
		}
		r := a.Play(t.Context())
		if s := r.Seats[1]; r.Err != nil || r.Turns != 5 || s.Status != status || (s.Error == "") != (status == Held) {
			t.Errorf("with a bot that says %q: %+v, its seat %+v; want %s", text, r, s, status)
		}
		events := story.From(0)
		for e, ok := events.Next(); ok; e, ok = events.Next() {
			if !json.Valid(e.Data) {
				t.Errorf("with a bot that says %q, there is the event %s", text, e.Data)
			}
		}
		file, err := recording.Open(recorder.Path())
		if err != nil {
			t.Fatal(err)
		}
		v, err := recording.Verify(t.Context(), file, func(string, []byte) (engine.Game, error) { return hexabomb.New(board), nil }, nil)
		if err != nil || v.Turns != 5 || v.Cut {
			t.Errorf("with a bot that says %q, the recording is %+v, %v", text, v, err)
		}
		_ = file.Close()
	}
}
