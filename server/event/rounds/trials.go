package rounds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/processors"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// trialTurns is the number of turns a version has to answer one of: a language that compiles while
// it runs may miss the first.
const trialTurns = 10

// trialStart is the time that a version has to log in: nothing is built here.
const trialStart = 10 * time.Second

// trialsAtOnce returns how many test matches are played at once: versions that sleep hold one each,
// and rounds need the processors meanwhile.
func trialsAtOnce() int { return min(max(processors.Allowed()/2, 2), 4) }

// trials are the test matches that are being played.
type trials struct {
	*Rounds
	host *host.Host

	mu   sync.Mutex
	busy map[int]bool // teams whose versions are being tried
}

// tryVersions plays a test match of each version that was sent against built-in bots, which is not
// shown. It plays a few at once, until ctx ends.
func (r *Rounds) tryVersions(ctx context.Context) {
	o := r.public.Beside()
	o.Linger = time.Second
	h, err := host.Open(o)
	if err != nil {
		r.opts.Log.Error().Err(err).Msg("Versions that are sent cannot be tried")
		return
	}
	defer h.Shutdown(ctx)
	t := &trials{Rounds: r, host: h, busy: map[int]bool{}}
	var running sync.WaitGroup
	for range trialsAtOnce() {
		panics.Go(&running, func() { t.tryInTurn(ctx) },
			panics.Logged(r.opts.Log, "Trying versions failed"))
	}
	running.Wait()
}

// untried returns the version, with its team, that is to be tried next of the teams that are not in
// skipped; nil if all have been tried.
func (r *Rounds) untried(skipped map[int]bool) (team int, found *state.Version) {
	r.event.Read(func(s *state.State) {
		trials := s.Trials()
		i := slices.IndexFunc(trials, func(t state.Trial) bool { return !skipped[t.Team] })
		if i >= 0 {
			team, found = trials[i].Team, trials[i].Version
		}
	})
	return team, found
}

// next returns the version that is to be tried next and its team, which is busy until done is
// called. It returns nil if no version waits.
func (t *trials) next() (team int, v *state.Version) {
	t.mu.Lock()
	defer t.mu.Unlock()
	team, v = t.untried(t.busy)
	if v != nil {
		t.busy[team] = true
	}
	return team, v
}

func (t *trials) done(team int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.busy, team)
}

// tryInTurn tries one version after another until ctx ends.
func (t *trials) tryInTurn(ctx context.Context) {
	for ctx.Err() == nil {
		changed := t.event.View().Changed
		team, v := t.next()
		if v == nil {
			select {
			case <-ctx.Done():
			case <-changed:
			}
			continue
		}
		if p := panics.Catch(func() { t.tryOne(ctx, team, v) }); p != nil {
			t.opts.Log.Error().EmbedObject(p).Str("version", v.Digest).Msg("A version cannot be tried")
			pause(ctx, trialPause)
		}
		t.done(team)
	}
}

// tryOne tries a version, and notes the result unless it cannot be known.
func (t *trials) tryOne(ctx context.Context, team int, v *state.Version) {
	reason, err := t.try(ctx, team, v)
	switch {
	case ctx.Err() != nil:
	case err == nil:
		t.noteTried(ctx, team, v.Digest, reason)
		notify(t.news)
	default:
		t.opts.Log.Error().Err(err).Str("version", v.Digest).Msg("A version cannot be tried")
		pause(ctx, trialPause)
	}
}

// trialPause is after how long a version is tried again if that was impossible: a test match takes
// seconds.
const trialPause = 10 * time.Second

// noteTried writes the result of a test match. While that fails, which the event logs, it tries
// again, until ctx ends, so that the match is not played again.
func (r *Rounds) noteTried(ctx context.Context, team int, digest, reason string) {
	try := func(s *state.State) (state.Act, error) { return s.Versions.Try(team, digest, reason) }
	for ctx.Err() == nil {
		if err := r.event.Do(try); err == nil || errors.Is(err, state.ErrForgotten) {
			return
		}
		pause(ctx, event.RetryTime)
	}
}

// pause waits for a time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// try plays the test match of a version, and returns why it plays no rounds, "" if it does. The
// error says that this cannot be known.
func (t *trials) try(
	ctx context.Context, team int, v *state.Version,
) (reason string, err error) {
	one, err := t.teamSeat(ctx, team, Player{Sent: v})
	if err != nil {
		return err.Error(), nil
	}
	seats := []seat.Spec{one}
	for i := range t.event.Seats() - 1 {
		seats = append(seats, t.filler(i))
	}
	task := t.task(t.Setup(), seats, 0, uint64(v.At))
	task.Autostart, task.Patience, task.Labels = false, 0, map[string]string{"series": "trial"}
	task.Settings.Turns = min(task.Settings.Turns, trialTurns)
	task.Bots.Launch.Timeout = min(task.Bots.Launch.Timeout, trialStart)
	task.Bots.Fill = &seating.Once{NeedAll: true, Strict: true}
	room, err := t.host.Start(ctx, task.Spec)
	if err != nil {
		return "", err
	}
	ended := room.Wait()
	report := ended.Report()
	s := &report.Seats[0]
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case s.Answers > 0:
		return "", nil
	case report.Err != nil && !errors.Is(report.Err, seating.ErrMissing):
		return "", report.Err
	}
	return t.Outputs.withoutPaths(trialReason(s)), nil
}

// shownLines is the number of lines, the last that a version printed, in a reason: those with the
// mistake of a traceback.
const shownLines = 5

// trialReason says why a version did not answer a turn.
func trialReason(s *result.SeatReport) string {
	text := fmt.Sprintf("it logged in, and answered none of %d turns in time", trialTurns)
	switch {
	case s.Error != "":
		text = fmt.Sprintf("%s: %s", s.Status, s.Error)
	case s.Status != result.Held:
		text = string(s.Status)
	}
	if lines := s.LastLines; len(lines) > 0 {
		text += "; it printed: " + strings.Join(lines[max(0, len(lines)-shownLines):], " / ")
	}
	return text
}
