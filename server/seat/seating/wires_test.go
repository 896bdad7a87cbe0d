package seating_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/bots"
	tictactoe "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/bots/hextictactoe/serve"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/servertest"
)

// newPlacer returns a bot of hexagonal tic-tac-toe.
func newPlacer(name string, seed uint64) (netorcai.Bot, error) {
	s, err := bots.NewTicTacToe(name, seed)
	if err != nil {
		return nil, err
	}
	return bots.ForClient(s), nil
}

// placeAsChild runs a bot that logs in.
func placeAsChild() {
	c, err := loginAs(os.Getenv("BOT_NICKNAME"))
	if err != nil {
		os.Exit(4)
	}
	bot, err := newPlacer("random", 1)
	if err != nil {
		os.Exit(5)
	}
	if c.Play(context.Background(), bot) != nil {
		os.Exit(6)
	}
	os.Exit(0)
}

// serveAsChild runs a bot that listens.
func serveAsChild(port string) {
	l, err := net.Listen("tcp", net.JoinHostPort(os.Getenv("BOT_HOST"), port))
	if err != nil {
		os.Exit(4)
	}
	_ = serveBot(context.Background(), l)
	os.Exit(0)
}

// serveBot listens for servers of the HTTTX Bot API that dial a bot.
func serveBot(ctx context.Context, l net.Listener) error {
	bot, _ := tictactoe.New("nearest")
	return serve.Run(ctx, l, serve.Options{Bot: bot, Name: "nearest"})
}

// board returns options for a short game of hexagonal tic-tac-toe.
func board(t *testing.T, seats ...seat.Spec) Options {
	rules := hextictactoe.Defaults()
	rules.TurnLimit = 8
	return Options{
		Game: instance(hextictactoe.New(rules)), Seats: seats, Turns: rules.TurnLimit + 1, Seed: 3,
		Pace:    match.PaceSpec{Budget: &match.Budget{Time: time.Minute}}.Pace,
		InOrder: true, LeaveEnds: true,
		Once: seating.Once{NeedAll: true},
		Options: seating.Options{
			Options: direct.Options{Builtin: newPlacer, Patience: time.Minute}, HTTTX: true,
			Launch: seating.Launch{Logs: t.TempDir(), Timeout: time.Minute},
		},
	}
}

// started returns the seat of a child with a task.
func started(label, task string) seat.Spec {
	return seat.Spec{
		Kind: seat.Process, Argument: task, Label: label, Argv: []string{os.Args[0], childWord, task},
	}
}

// listeningBot returns the address of a bot that listens until the test ends.
func listeningBot(t *testing.T) string {
	t.Helper()
	l := servertest.Listen(t)
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = serveBot(ctx, l) })
	t.Cleanup(func() {
		stop()
		serving.Wait()
	})
	return "http://" + l.Addr().String()
}

// Clients that log in, bots of the HTTTX Bot API and built-in bots meet in the matches of
// a series, each on either side. A bot that listens is started once.
func TestSeriesOverAllWires(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	address := listeningBot(t)
	seats := []seat.Spec{
		started("client", "places"),
		started("server", "serves {port}"),
		{Kind: seat.Address, Label: "dialled", URL: address},
		{Kind: seat.Builtin, Label: "builtin", Builtin: "nearest"},
	}
	h, err := host.Open(host.Options{Bind: "127.0.0.1", Linger: 5 * time.Second, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Shutdown(t.Context())
	starts := map[string]int{}
	for i := range seats {
		for j := range seats {
			if i == j {
				continue
			}
			o := board(t, seats[i], seats[j])
			o.Host, o.StaysOn = h, true
			o.Progress = func(s *seat.Spec, what string) {
				if what == "starting" {
					starts[s.Label]++
				}
			}
			a, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			r := a.Play(t.Context())
			if r.Err != nil || r.Reason != "draw: turn limit" && r.Reason != "win: a row complete" {
				t.Errorf("%s against %s: %q, %v", seats[i].Label, seats[j].Label, r.Reason, r.Err)
			}
			for id, s := range r.Seats {
				if s.ID != engine.PlayerID(id) || s.Status != result.Held || s.Answers == 0 {
					t.Errorf("%s against %s: %s is player %d, %s %s, with %d answers", seats[i].Label,
						seats[j].Label, s.Label, s.ID, s.Status, s.Error, s.Answers)
				}
			}
		}
	}
	if starts["server"] != 1 || starts["client"] != 6 {
		t.Errorf(
			"started %v; want the bot that listens once, the one that logs in for each of its matches",
			starts)
	}
}

// A bot that listens is started for each match that is played at once, and plays those that follow.
// All are stopped with the host, or the check for goroutines that are left fails.
func TestBotThatListensInMatchesAtOnce(t *testing.T) {
	thorough.Long(t)
	h, err := host.Open(host.Options{Bind: "127.0.0.1", Linger: 5 * time.Second, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Shutdown(t.Context())
	var starts atomic.Int32
	for range 3 {
		var matches sync.WaitGroup
		for range 2 {
			o := board(t, started("server", "serves {port}"),
				seat.Spec{Kind: seat.Builtin, Label: "builtin", Builtin: "nearest"})
			o.Host, o.StaysOn = h, true
			o.Progress = func(s *seat.Spec, what string) {
				if what == "starting" && s.Label == "server" {
					starts.Add(1)
				}
			}
			a, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			matches.Go(func() {
				if r := a.Play(t.Context()); r.Err != nil {
					t.Error(r.Err)
				}
			})
		}
		matches.Wait()
	}
	if n := starts.Load(); n > 2 {
		t.Errorf("the bot was started %d times, want at most once for each of two matches at once", n)
	}
}

// Two bots at one address play against each other.
func TestBotAgainstItself(t *testing.T) {
	address := listeningBot(t)
	one := seat.Spec{Kind: seat.Address, Label: "one", URL: address}
	other := one
	other.Label = "other"
	a, err := New(board(t, one, other))
	if err != nil {
		t.Fatal(err)
	}
	r := a.Play(t.Context())
	if r.Err != nil || r.Seats[0].ID != 0 || r.Seats[1].ID != 1 {
		t.Errorf("report = %+v, want a match of both", r)
	}
}

// A match that needs all its bots is not played if one is missing. The error names the bot, and the
// report, which only the operator sees, the reason.
func TestMissingBot(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	for task, want := range map[string]string{
		"refuse":      "exit code 3 before it had logged in",
		"mute":        "no login within 100ms at BOT_PORT; a bot of the HTTTX Bot API has to have {port}",
		"mute {port}": "no login within 100ms at BOT_PORT, and no answer at http://127.0.0.1:",
	} {
		o := board(t, seat.Spec{Kind: seat.Builtin, Label: "builtin", Builtin: "nearest"},
			started("child", task))
		o.Launch.Timeout = 100 * time.Millisecond
		if task == "refuse" {
			o.Launch.Timeout = time.Minute
		}
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		r := a.Play(t.Context())
		missing := &r.Seats[1]
		if !errors.Is(r.Err, seating.ErrMissing) || r.Err.Error() != "a bot is missing: "+missing.Label ||
			!strings.Contains(missing.Error, want) || r.Turns != 0 {
			t.Errorf("%s: %v after %d turns, %q, want %q", task, r.Err, r.Turns, missing.Error, want)
		}
	}
}
