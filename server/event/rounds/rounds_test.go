package rounds

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/contest/stages"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/result"
)

// matchTime is how long a match of the fake arena takes that is not cut.
const matchTime = time.Minute

// fakeArena is an arena without a host: bots wait as the test says, a match takes a minute, and its
// first seat wins.
type fakeArena struct {
	mu      sync.Mutex
	bots    waitingBots
	playing int
	most    int      // matches that were played at a time
	played  []string // the bots of each match, in the order in which they began
	kicked  []string
	fail    error // of each match

	practices []*fakeMatch // in the order in which they began
	hangs     bool         // a cut does not end those that begin
}

func (a *fakeArena) waiting() waitingBots {
	a.mu.Lock()
	defer a.mu.Unlock()
	copied := waitingBots{}
	for key, version := range a.bots {
		copied[key] = version
	}
	return copied
}

func (a *fakeArena) kick(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kicked = append(a.kicked, key)
}

// start takes the bot of the first seat of a practice from those that wait, until it is over.
func (a *fakeArena) start(ctx context.Context, t *play.Task) (started, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := &fakeMatch{
		Task: t, arena: a, life: ctx, fail: a.fail, hangs: a.hangs, cuts: make(chan struct{}),
	}
	if m.practice() {
		if a.fail != nil {
			return nil, a.fail
		}
		m.number = len(a.practices)
		a.practices = append(a.practices, m)
		delete(a.bots, t.Seats[0].Key)
		return m, nil
	}
	a.playing++
	a.most = max(a.most, a.playing)
	var bots []string
	for i := range t.Seats {
		bots = append(bots, t.Seats[i].Label)
	}
	a.played = append(a.played, strings.Join(bots, "+"))
	return m, nil
}

// fakeMatch is a match without a host, of a round or of practice. A cut ends it after a second, in
// which the turn is played, unless its bot hangs.
type fakeMatch struct {
	*play.Task
	arena  *fakeArena
	number int // of a practice
	life   context.Context
	fail   error
	hangs  bool // a cut does not end it
	cuts   chan struct{}
	once   sync.Once
}

func (m *fakeMatch) practice() bool { return m.Labels["series"] == "practice" }

func (m *fakeMatch) Feed() *feed.Feed {
	return feed.New(feed.Options{ID: fmt.Sprint("match ", m.number)})
}

func (m *fakeMatch) cut() { m.once.Do(func() { close(m.cuts) }) }

func (m *fakeMatch) wait() (ended host.Result, report *result.Report) {
	ended.Err = m.fail
	over, cuts := time.After(matchTime), m.cuts
	if m.hangs {
		cuts = nil
	}
	select {
	case <-m.life.Done():
		ended.Err = context.Cause(m.life)
	case <-over:
	case <-cuts:
		time.Sleep(time.Second)
	}
	m.arena.mu.Lock()
	defer m.arena.mu.Unlock()
	if !m.practice() {
		m.arena.playing--
	} else if key := m.Seats[0].Key; key != "" {
		m.arena.bots[key] = "v0"
	}
	report = &result.Report{}
	for i := range m.Seats {
		counts := result.Counts{{Value: int64(-i)}}
		report.Seats = append(report.Seats, result.SeatReport{Figures: result.Figures{Counts: counts}})
	}
	return ended, report
}

// day is an event whose rounds are played by a fake, in a bubble with a clock of its own.
type day struct {
	*Rounds
	t     *testing.T
	arena *fakeArena
	stop  func() // ends the rounds
}

// inBubble calls f with an event of two seats and some teams, whose bots wait.
func inBubble(t *testing.T, start Start, teams int, f func(*day)) {
	t.Helper()
	bubble(t, start, teams, func(*day) {}, f)
}

// bubble is inBubble with a function that changes the event before rounds are played.
func bubble(t *testing.T, start Start, teams int, before, f func(*day)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "acts"), 0o700); err != nil {
			t.Fatal(err)
		}
		e, err := event.Open(event.Options{Dir: dir, Disk: disk.Or(nil), Plan: plan.Plan{
			Bots: []plan.Bot{{Name: "filler", Seat: "filler"}}, Format: plan.Ladder, Game: "toy",
			Seats: 2, Maps: []plan.Map{{Name: "board", Places: 2}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		arena := &fakeArena{bots: waitingBots{}}
		for i := range teams {
			if _, _, err := e.SignUp(fmt.Sprint("Team ", i), e.Code()); err != nil {
				t.Fatal(err)
			}
			arena.bots[event.Key(i)] = fmt.Sprint("v", i)
		}
		r := New(e, Options{
			Start: start, Game: &games.Game{Name: "toy"}, Board: games.Instance{Map: "board", Players: 2},
			Turns: 10, TurnTimeout: time.Second, Log: zerolog.Nop(),
		})
		r.arena = arena
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		d := &day{r, t, arena, func() { cancel(); <-done }}
		before(d)
		go func() {
			defer close(done)
			r.Run(ctx)
		}()
		defer func() { d.stop() }()
		synctest.Wait() // Run waits for a round, and has read its options
		f(d)
	})
}

// after waits for some time, and fails the test unless as many rounds have begun and matches been
// played then.
func (d *day) after(pass time.Duration, rounds, matches int) {
	d.t.Helper()
	time.Sleep(pass)
	synctest.Wait()
	if v := d.event.View(); v.Rounds != rounds || v.Matches != matches {
		d.t.Errorf("there were %d rounds with %d results, want %d with %d", v.Rounds, v.Matches,
			rounds, matches)
	}
}

func (d *day) do(next func(*state.State) (state.Act, error)) {
	d.t.Helper()
	if err := d.event.Do(next); err != nil {
		d.t.Fatal(err)
	}
}

// wait sets the bots that wait: those of the first teams.
func (d *day) wait(teams int) {
	d.arena.mu.Lock()
	d.arena.bots = waitingBots{}
	for team := range teams {
		d.arena.bots[event.Key(team)] = ""
	}
	d.arena.mu.Unlock()
	notify(d.news)
}

func (d *day) playAgain(match int) (note string) {
	d.t.Helper()
	note, err := d.PlayAgain(match)
	if err != nil {
		d.t.Fatal(err)
	}
	return note
}

// Rounds begin by time, and their matches are played side by side.
func TestRoundsByTime(t *testing.T) {
	inBubble(t, Start{Every: 5 * time.Minute}, 5, func(d *day) {
		d.after(4*time.Minute, 0, 0)
		d.after(90*time.Second, 1, 0)
		d.arena.mu.Lock()
		most := d.arena.most
		d.arena.mu.Unlock()
		if n := len(d.Tables.Playing()); n != 2 || most != 2 {
			t.Errorf("%d matches of five teams are played, %d at a time", n, most)
		}
		if d.Tables.Of(0) == nil && d.Tables.Of(1) == nil {
			t.Error("neither of two teams has a table, and one team waits")
		}
		d.after(time.Minute, 1, 2)
		d.after(5*time.Minute, 2, 4)
		d.do(func(s *state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil })
		d.after(20*time.Minute, 2, 4)
		d.BeginNow() // also while rounds are paused
		d.after(2*time.Minute, 3, 6)
	})
}

// With rounds that begin when all are ready, a round waits for a team without a bot, though not for
// ever, and not for one that rests.
func TestRoundsWhenReady(t *testing.T) {
	inBubble(t, Start{Ready: true, Longest: 10 * time.Minute}, 4, func(d *day) {
		d.after(30*time.Second, 1, 0)
		d.arena.mu.Lock()
		delete(d.arena.bots, event.Key(3))
		d.arena.mu.Unlock()
		d.after(time.Minute, 1, 2)
		d.after(9*time.Minute, 1, 2)
		d.after(time.Minute, 2, 2) // three teams, of which one waits
		d.after(time.Minute, 2, 3)
		d.do(func(s *state.State) (state.Act, error) { return s.Teams.Rest(3, true) })
		d.after(time.Second, 3, 3)
	})
}

// A match without a result does not count, and the next round is played.
func TestFailedMatches(t *testing.T) {
	inBubble(t, Start{Every: 5 * time.Minute}, 2, func(d *day) {
		d.arena.mu.Lock()
		d.arena.fail = fmt.Errorf("the host is broken")
		d.arena.mu.Unlock()
		d.after(7*time.Minute, 1, 0)
		d.arena.mu.Lock()
		d.arena.fail = nil
		d.arena.mu.Unlock()
		d.after(5*time.Minute, 2, 1)
	})
}

// A match that is played again is a round of its own, once its teams are ready.
func TestPlayedAgain(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.BeginNow()
		d.after(2*time.Minute, 1, 1)
		d.wait(0)
		d.playAgain(0)
		d.after(10*time.Minute, 1, 1)
		d.wait(2)
		d.after(2*time.Minute, 2, 2)
		if !event.Ask(d.event, func(s *state.State) bool { return s.Results.IsVoid(0) }) {
			t.Error("the first match still counts")
		}
		if _, err := d.PlayAgain(7); err == nil {
			t.Error("a match that was not played is played again")
		}
	})
}

// A match that counts again is not played again, nor does another round begin in its place.
func TestPlayedAgainTakenBack(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.BeginNow()
		d.after(2*time.Minute, 1, 1)
		d.wait(0)
		d.playAgain(0)
		d.do(func(s *state.State) (state.Act, error) { return s.Void(0, false) })
		d.wait(2)
		d.after(10*time.Minute, 1, 1)

		d.do(func(s *state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil })
		if _, err := d.Practices.Start(d.t.Context(), 0, []string{"filler"}); err != nil {
			t.Fatal(err)
		}
		d.playAgain(0)
		d.after(time.Second, 1, 1) // until then practice goes on
		d.do(func(s *state.State) (state.Act, error) { return s.Void(0, false) })
		d.after(2*time.Hour, 1, 1)
	})
}

// A match that is to be played again when the program ends is played when it goes on.
func TestPlayedAgainAfterRestart(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.BeginNow()
		d.after(2*time.Minute, 1, 1)
		d.wait(0)
		d.playAgain(0)
		d.stop()
		r := New(d.event, d.opts)
		r.arena = d.arena
		ctx, cancel := context.WithCancel(d.t.Context())
		done := make(chan struct{})
		go func() { defer close(done); r.Run(ctx) }()
		d.Rounds, d.stop = r, func() { cancel(); <-done }
		d.wait(2)
		d.after(2*time.Minute, 2, 2)
		d.after(10*time.Minute, 2, 2)
	})
}

// A match of a final that is played again is a match of the final: no rated one follows it.
func TestFinalIsPlayedAgain(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.BeginNow()
		d.after(2*time.Minute, 1, 1)
		if err := d.event.StartFinal(stages.KnockOut, 2, 1); err != nil {
			t.Fatal(err)
		}
		d.after(2*time.Minute, 2, 2)
		if note := d.playAgain(1); !strings.Contains(note, "the final plays it again") {
			t.Errorf("the operator reads %q", note)
		}
		d.after(10*time.Minute, 2, 2) // rounds pause since the final is over
		d.do(func(s *state.State) (state.Act, error) { return &state.RoundsPaused{}, nil })
		d.after(10*time.Minute, 3, 3)
		if v := d.event.View(); !v.FinalOver || !v.Paused {
			t.Errorf("after the final: %+v", v)
		}
	})
}

// While a final pauses, another match can be played again, and the final does not go on.
func TestPlayedAgainBesideFinal(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.BeginNow()
		d.after(2*time.Minute, 1, 1)
		d.do(func(*state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil })
		if err := d.event.StartFinal(stages.KnockOut, 2, 1); err != nil {
			t.Fatal(err)
		}
		d.playAgain(0)
		d.after(10*time.Minute, 2, 2)
		if d.event.View().Round.Final || !d.finalPending() {
			t.Error("the final goes on while it pauses")
		}
		d.do(func(*state.State) (state.Act, error) { return &state.RoundsPaused{}, nil })
		d.after(10*time.Minute, 3, 3)
	})
}

// The matches of a final follow each other until it is over; then rounds pause.
func TestFinalIsPlayed(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 4, func(d *day) {
		d.BeginNow()
		d.after(2*time.Minute, 1, 2)
		if err := d.event.StartFinal(stages.KnockOut, 4, 1); err != nil {
			t.Fatal(err)
		}
		d.after(10*time.Minute, 3, 5) // two semi-finals and the final
		v := d.event.View()
		if !v.FinalOver || !v.Paused {
			t.Errorf("after the final: %+v", v)
		}
		d.after(2*time.Hour, 3, 5)
	})
}

// At the deadline versions freeze, and then a bot with another version is not ready.
func TestDeadline(t *testing.T) {
	inBubble(t, Start{Every: 10 * time.Minute}, 3, func(d *day) {
		if err := d.event.SetDeadline(5 * time.Minute); err != nil {
			t.Fatal(err)
		}
		d.after(4*time.Minute, 0, 0)
		if d.event.View().Frozen {
			t.Error("versions are frozen before the deadline")
		}
		time.Sleep(90 * time.Second)
		synctest.Wait()
		if !d.event.View().Frozen {
			t.Fatal("versions are not frozen after the deadline")
		}
		d.arena.mu.Lock()
		d.arena.bots[event.Key(2)] = "other"
		d.arena.mu.Unlock()
		if ready, _ := d.Connected(); !slices.Equal(ready, []int{0, 1}) {
			t.Errorf("ready are %v, want those with the frozen versions", ready)
		}
		if c := d.Changed(2); c == nil || c.Said != "other" || c.Frozen != "v2" {
			t.Errorf("the changed bot is %+v", c)
		}
	})
}

// Bots of a team that is removed or kicked are disconnected, and the end of the rounds ends
// matches.
func TestKicked(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 3, func(d *day) {
		if err := d.Kick(1); err != nil {
			t.Fatal(err)
		}
		if _, err := d.RemoveTeams([]int{2}, true); err != nil {
			t.Fatal(err)
		}
		if want := []string{event.Key(1), event.Key(2)}; !slices.Equal(d.arena.kicked, want) {
			t.Errorf("kicked are %q, want %q", d.arena.kicked, want)
		}
		d.BeginNow()
		d.after(time.Second, 1, 0)
		d.stop()
		d.after(time.Hour, 1, 0)
	})
}
