package seating_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/servertest"
)

// childWord makes the test binary a bot; the next argument is its task.
const childWord = "arena-test-bot"

var errUnknown = errors.New("no bot has that name")

// hexagon returns a board of radius 3 with one character for each of four players and
// the special player.
func hexagon() *hexabomb.Map {
	m := &hexabomb.Map{Specials: []hexgrid.Coord{{}}}
	for q := -3; q <= 3; q++ {
		for r := -3; r <= 3; r++ {
			if c := (hexgrid.Coord{Q: q, R: r}); hexgrid.Distance(c, hexgrid.Coord{}) <= 3 {
				m.Cells = append(m.Cells, c)
			}
		}
	}
	for _, d := range []hexgrid.Dir{hexgrid.XPlus, hexgrid.ZPlus, hexgrid.XMinus, hexgrid.ZMinus} {
		m.Starts = append(m.Starts, []hexgrid.Coord{hexgrid.Coord{}.Step(d).Scale(3)})
	}
	return m
}

// instance returns an instance for one match.
func instance(g engine.Game) games.Instance {
	return games.Instance{New: func() engine.Game { return g }}
}

func fast(limit time.Duration) func(match.Settings) match.Pace {
	return match.PaceSpec{Limit: limit}.Pace
}

// seats returns seats for the words: names of built-in bots, or tasks of childBot in
// parentheses.
func seats(t *testing.T, words ...string) []seat.Spec {
	t.Helper()
	var list []seat.Spec
	for _, word := range words {
		s := seat.Spec{Argument: word, Label: word, Builtin: word, Special: word == "ghost"}
		if task, ok := strings.CutPrefix(word, "("); ok {
			task = strings.TrimSuffix(task, ")")
			s.Label, _, _ = strings.Cut(task, " ")
			s.Kind, s.Builtin, s.Argv = seat.Process, "", []string{os.Args[0], childWord, task}
		}
		list = append(list, s)
	}
	seat.SetLabels(list)
	return list
}

func TestMatchOfBuiltinBots(t *testing.T) {
	r := play(t.Context(), t, Options{Seats: seats(t, "walker", "walker", "walker", "ghost"), Seed: 5})
	if r.Err != nil || r.Turns != 10 || r.TurnsMax != 10 || r.Rules != hexabomb.Rules || r.Seed != 5 {
		t.Fatalf("report = %+v, want 10 turns of hexabomb with seed 5", r)
	}
	ids := map[engine.PlayerID]bool{}
	for _, s := range r.Seats {
		if s.Status != result.Held || s.Error != "" || s.Skipped != 0 || s.Answers != 9 ||
			s.Time.P50 <= 0 || s.Time.P99 < s.Time.P50 {
			t.Errorf("seat %s = %+v, want 9 answers and no fault", s.Label, s)
		}
		if got := s.Refused["unknown character"]; got != 9 {
			t.Errorf("%s: refused for an unknown character %d times, want 9 (%v)", s.Label, got, s.Refused)
		}
		if len(s.Counts) == 0 || s.Counts[0].Name != "score" {
			t.Errorf("%s: counts = %v, want a score first", s.Label, s.Counts)
		}
		if (s.Rank == 0) != s.Special {
			t.Errorf("%s: rank %d, want one unless it is special", s.Label, s.Rank)
		}
		ids[s.ID] = true
	}
	if len(ids) != 4 || r.Seats[3].ID != 0 {
		t.Errorf("ids = %v, want 0 to 3, the special player's 0", ids)
	}
	if last := r.Ranking()[3]; !last.Special {
		t.Errorf("last of the ranking = %s, want the special player", last.Label)
	}
}

// TestSameSeedSameDigest checks that a match whose order and bots are seeded has the same
// states each time, and others for other seeds.
func TestSameSeedSameDigest(t *testing.T) {
	digest := func(seed uint64, turns int) string {
		r := play(t.Context(), t, Options{
			Seats: seats(t, "walker", "walker", "walker", "walker"), Order: match.Seeded, Seed: seed,
			Turns: turns,
		})
		if r.Err != nil || len(r.Digest) != 64 {
			t.Fatalf("report = %+v, want a digest of 64 digits", r)
		}
		return r.Digest
	}
	first := digest(7, 60)
	if again := digest(7, 60); again != first {
		t.Errorf("digest of the same match = %s, want %s", again, first)
	}
	if other := digest(8, 60); other == first {
		t.Errorf("digest with another seed = %s, want another", other)
	}
	if shorter := digest(7, 59); shorter == first {
		t.Errorf("digest of a shorter match = %s, want another", shorter)
	}
}

func TestBotsThatFail(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, tt := range []struct {
		seat   string
		limit  time.Duration // of a turn
		status result.Status
		error  string // prefix of the error
		exit   string
		last   string // one of the last lines
		turns  [3]int // answered, skipped, missed; negative: any number
	}{
		{"(fine -1)", 0, result.Held, "", "exit code 1", "", [3]int{9, 0, 0}},
		{"(refuse)", 0, result.Absent, "exit code 3 before it had logged in", "exit code 3", "I will not play", [3]int{}},
		{"(crash 4)", 0, result.Crashed, "exit code 9 in turn 4", "exit code 9", "Traceback: it went wrong", [3]int{4, 0, 5}},
		{"(quit 4)", 0, result.Left, "exit code 0 in turn 4", "exit code 0", "hello from quit", [3]int{4, 0, 5}},
		{
			"(cheat 4)", 0, result.Left,
			"removed in turn 4: Invalid TURN_ACK received. Invalid value (turn_number=5): expecting 4",
			"exit code 6", "hello from cheat",
			[3]int{4, 0, 5},
		},
		{"(hang 7)", 2 * time.Second, result.Held, "", "", "", [3]int{7, 2, 0}},
		{"clumsy", 0, result.Crashed, "turn 2: stumbled in turn 2", "", "", [3]int{2, 0, 7}},
		{"wild", 0, result.Crashed, "panic: roar in turn 0", "", "", [3]int{0, 0, 9}},
	} {
		t.Run(tt.seat, func(t *testing.T) {
			t.Parallel()
			r := play(t.Context(), t,
				Options{Seats: seats(t, "walker", tt.seat, "walker"), Pace: fast(tt.limit)})
			if r.Err != nil || r.Turns != 10 {
				t.Fatalf("report = %+v, want the match to go on to its end", r)
			}
			s := r.Seats[1]
			if s.Status != tt.status || !strings.HasPrefix(s.Error, tt.error) ||
				(s.Error == "") != (tt.error == "") || s.Exit != tt.exit {
				t.Errorf("status, error, exit = %q, %q, %q, want %q, %q, %q", s.Status, s.Error, s.Exit,
					tt.status, tt.error, tt.exit)
			}
			if got := [3]int{s.Answers, s.Skipped, s.Missed}; got != tt.turns {
				t.Errorf("turns answered, skipped, missed = %v, want %v", got, tt.turns)
			}
			if tt.last != "" && !slices.Contains(s.LastLines, tt.last) {
				t.Errorf("last lines = %q, want %q among them", s.LastLines, tt.last)
			}
			for _, i := range []int{0, 2} {
				if r.Seats[i].Status != result.Held {
					t.Errorf("its neighbour %s: %s, %s", r.Seats[i].Label, r.Seats[i].Status, r.Seats[i].Error)
				}
			}
		})
	}
}

// A bot may leave after it has answered the last TURN, without reading the end. The timer
// keeps the turn open long enough for it to leave first, on a busy machine too.
func TestBotThatLeavesAfterTheLastTurn(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	timer := func(match.Settings) match.Pace { return match.Timer(0, time.Second) }
	r := play(t.Context(), t,
		Options{Seats: seats(t, "walker", "(done 1)", "(quit 1)"), Turns: 3, Pace: timer})
	if r.Err != nil || r.Turns != 3 {
		t.Fatalf("report = %+v, want 3 turns", r)
	}
	if s := r.Seats[1]; s.Status != result.Held || s.Error != "" || s.Exit != "exit code 0" ||
		s.Answers != 2 {
		t.Errorf("after its last answer: %s %q, %s, %d answers; want ok, exit code 0, 2 answers",
			s.Status, s.Error, s.Exit, s.Answers)
	}
	if s := r.Seats[2]; s.Status != result.Left || s.Answers != 1 {
		t.Errorf("without its last answer: %s, %d answers; want left early and 1 answer", s.Status,
			s.Answers)
	}
}

func TestBotThatNeverLogsIn(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	var heard []string
	r := play(t.Context(), t, Options{
		Seats:   seats(t, "(mute)", "walker"),
		Options: seating.Options{Launch: seating.Launch{Timeout: 100 * time.Millisecond}},
		Once: seating.Once{
			Progress: func(s *seat.Spec, what string) { heard = append(heard, s.Label+" "+what) },
			Failed: func(s *seat.Spec, err error) {
				heard = append(heard, s.Label+" failed: "+err.Error())
			},
		},
	})
	s := r.Seats[0]
	if r.Err != nil || s.Status != result.Absent || s.Error != "no login within 100ms" ||
		s.ID != engine.NoPlayer || s.Rank != 0 {
		t.Errorf("report = %+v, want the match without the bot", r)
	}
	if got := r.Ranking()[1].Label; got != "mute" {
		t.Errorf("last of the ranking = %s, want mute", got)
	}
	want := []string{"mute starting", "mute failed: no login within 100ms", "walker starting"}
	if !slices.Equal(heard, want) {
		t.Errorf("progress = %q, want %q", heard, want)
	}
}

func TestNoLogins(t *testing.T) {
	thorough.Long(t)
	missing := seat.Spec{Label: "missing", Kind: seat.Process, Argv: []string{"/no/such/program"}}
	r := play(
		t.Context(), t,
		Options{
			Seats:   append(seats(t, "ghost", "(refuse)"), missing),
			Options: seating.Options{Launch: seating.Launch{OwnPorts: true}},
		},
	)
	if !errors.Is(r.Err, seating.ErrNoBot) || r.Error != seating.ErrNoBot.Error() {
		t.Errorf("error = %v, want %v", r.Err, seating.ErrNoBot)
	}
	if s := r.Seats[2]; s.Status != result.Absent ||
		!strings.Contains(s.Error, "cannot start /no/such/program") {
		t.Errorf("seat of a missing program: %s, %q", s.Status, s.Error)
	}
}

// stopWatcher is a watcher that stops the match after a few turns.
type stopWatcher struct {
	match.BaseWatcher
	stop context.CancelCauseFunc
}

var errStopped = errors.New("stopped by the test")

func (s *stopWatcher) Played(p *match.Play) {
	if p.Step == 5 {
		s.stop(errStopped)
	}
}

// TestInterrupted checks that no bot is running when Play returns, also if bots hang.
func TestInterrupted(t *testing.T) {
	thorough.Long(t)
	ctx, stop := context.WithCancelCause(t.Context())
	r := play(ctx, t, Options{
		Seats: seats(t, "walker", "(hang 3)", "(fine -1)"), Turns: 60_000,
		Pace:     fast(10 * time.Millisecond),
		Watchers: []match.Watcher{&stopWatcher{stop: stop}},
	})
	if !errors.Is(r.Err, errStopped) {
		t.Errorf("error = %v, want %v", r.Err, errStopped)
	}
	for _, s := range r.Seats {
		if s.Status != result.Held || s.ID == engine.NoPlayer {
			t.Errorf("%s: %s %s, want it to have played", s.Label, s.Status, s.Error)
		}
	}
}

func TestInterruptedWhileStarting(t *testing.T) {
	thorough.Long(t)
	ctx, stop := context.WithCancelCause(t.Context())
	r := play(ctx, t, Options{
		Seats: seats(t, "walker", "(mute)", "walker"),
		Once: seating.Once{Progress: func(*seat.Spec, string) {
			time.AfterFunc(50*time.Millisecond, func() { stop(errStopped) })
		}},
	})
	if !errors.Is(r.Err, errStopped) || r.Digest != "" {
		t.Errorf("report = %+v, want an interrupted match", r)
	}
}

func TestPortInUse(t *testing.T) {
	port := servertest.Listen(t).Addr().(*net.TCPAddr).Port
	o := Options{
		Game:    instance(hexabomb.New(hexagon())),
		Options: seating.Options{Options: direct.Options{Builtin: builtin}}, Seats: seats(t, "walker"),
		Turns: 1,
		Pace:  fast(0), Port: port, Yield: true,
	}
	a, err := New(o)
	if err != nil || a.Port() == port {
		t.Fatalf("New: %v, want another port", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.Play(ctx) // closes the port
	o.Yield = false
	_, err = New(o)
	var failed *host.PortError
	if !errors.As(err, &failed) || !failed.InUse() ||
		!strings.Contains(err.Error(), fmt.Sprintf("cannot listen on port %d", port)) {
		t.Errorf("New without another port: %v", err)
	}
}

// A nickname with deceptive characters is refused here too.
func TestDeceptiveNickname(t *testing.T) {
	a := open(t, Options{Turns: 1, Seats: seats(t, "walker", "(mute)")})
	ctx, stop := context.WithCancelCause(t.Context())
	over := make(chan *result.Report)
	go func() { over <- a.Play(ctx) }()
	c := servertest.Dial(t, a.Addr().String())
	c.SendLogin("a\u202eb", "player")
	if m := c.Expect("KICK"); !strings.Contains(m.Reason, "U+202E") {
		t.Errorf("kicked for %q", m.Reason)
	}
	stop(errStopped)
	<-over
}
