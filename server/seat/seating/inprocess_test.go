package seating_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// playOverTCP plays a match in which bots of this process log in as clients.
func playOverTCP(t *testing.T, o Options, names []string) *result.Report {
	t.Helper()
	for i := range o.Seats {
		o.Seats[i].Kind = seat.Open
	}
	a := open(t, o)
	var playing sync.WaitGroup
	defer playing.Wait()
	playing.Go(func() {
		for i, name := range names {
			role := netorcai.RolePlayer
			bot, err := builtin(name, seat.Seed(o.Seed, i))
			if err != nil {
				t.Error(err)
				return
			}
			c, err := netorcai.Dial(t.Context(), a.Addr().String(), netorcai.Login{Nickname: fmt.Sprint("bot", i), Role: role})
			if err != nil {
				t.Error(err)
				return
			}
			playing.Go(func() {
				defer c.Close()
				_ = panics.Catch(func() { _ = c.Play(t.Context(), bot) })
			})
		}
	})
	return a.Play(t.Context())
}

// Matches in process and over TCP differ only in times.
func TestInProcessAsOverTCP(t *testing.T) {
	for _, names := range [][]string{
		{"walker", "walker", "walker", "walker"},
		{"walker", "clumsy", "walker"},
		{"wild", "walker"},
	} {
		o := Options{Order: match.Seeded, Seed: 11, Turns: 80, Seats: seats(t, names...)}
		reports := []*result.Report{playOverTCP(t, o, names)}
		for _, inProcess := range []bool{false, true} { // with a server, and without
			o.Seats, o.InProcess = seats(t, names...), inProcess
			reports = append(reports, play(t.Context(), t, o))
		}
		for _, r := range reports {
			if r.Err != nil || r.Digest == "" {
				t.Fatalf("%v: report = %+v, want a match", names, r)
			}
			for i := range r.Seats {
				s := &r.Seats[i] // without times, names and departures, which differ
				r.Seats[i] = result.SeatReport{ID: s.ID, Figures: s.Figures}
				r.Seats[i].Time = result.Quantiles{}
			}
			r.Times, r.Winner = result.Times{}, ""
			if diff := cmp.Diff(reports[0], r); diff != "" {
				t.Errorf("%v: over TCP and in process differ:\n%s", names, diff)
			}
		}
	}
}

func TestInProcessInterrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	r := play(ctx, t, Options{
		Seats: seats(t, "walker", "walker"), Turns: 60_000, InProcess: true,
		Watchers: []match.Watcher{&stopWatcher{stop: stop}},
	})
	if !errors.Is(r.Err, errStopped) || r.Turns < 5 || r.Turns == 60_000 {
		t.Errorf("report = %+v, want a match that ends early with %v", r, errStopped)
	}
}

func TestInProcessTakesBuiltinBotsOnly(t *testing.T) {
	r := play(t.Context(), t, Options{Seats: seats(t, "walker", "(fine -1)"), InProcess: true})
	if s := r.Seats[1]; s.Status != result.Absent || s.Error != seating.ErrNotBuiltin.Error() {
		t.Errorf("a started bot = %+v, want it to be absent with %v", s, seating.ErrNotBuiltin)
	}
}

// fixedBot always gives the same answer.
type fixedBot struct {
	*walkingBot
	text []byte
}

func (p *fixedBot) Turn(netorcai.Turn) ([]byte, error) { return p.text, nil }

// An answer that is not a JSON array is refused as over the network: it corrupts neither
// the recording nor the events.
func TestInProcessActionsAreRead(t *testing.T) {
	for text, status := range map[string]result.Status{
		`oops`: result.Crashed, `[1`: result.Crashed, `[] []`: result.Crashed, `{"a":1}`: result.Crashed,
		"": result.Crashed, " [ ]\n": result.Held, `[1]`: result.Held,
	} {
		board := hexagon()
		game := hexabomb.New(board)
		recorder := recording.New(
			recording.Options{Dir: t.TempDir(), Program: "test", Rules: game, Map: board.AppendJSON(nil)})
		story := feed.New(feed.Options{Game: "hexabomb", Rules: game})
		r := play(t.Context(), t, Options{
			Seats: seats(t, "walker", "says "+text), Game: instance(game), Turns: 5, InProcess: true,
			Watchers: []match.Watcher{recorder, story},
		})
		if s := r.Seats[1]; r.Err != nil || r.Turns != 5 || s.Status != status ||
			(s.Error == "") != (status == result.Held) {
			t.Errorf("with a bot that answers %q: %+v, its seat %+v; want %s", text, r, s, status)
		}
		events := story.From(0)
		for e, ok := events.Next(); ok; e, ok = events.Next() {
			if !json.Valid(e.Data) {
				t.Errorf("with a bot that answers %q, there is the event %s", text, e.Data)
			}
		}
		file, err := recording.Open(recorder.Path())
		if err != nil {
			t.Fatal(err)
		}
		v, err := recording.Verify(t.Context(), file, func(string, []byte) (engine.Game, error) { return hexabomb.New(board), nil }, nil)
		if err != nil || v.Turns != 5 || v.Cut {
			t.Errorf("with a bot that answers %q, the recording is %+v, %v", text, v, err)
		}
		_ = file.Close()
	}
}
