package rounds

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat"
)

// practise begins a practice of a team against the built-in bot.
func (d *day) practise(team int) *Practice {
	d.t.Helper()
	p, err := d.Practices.Start(d.t.Context(), team, []string{"filler"})
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// refused fails the test unless a practice does not begin, for a reason.
func (d *day) refused(team int, against []string, reason string) {
	d.t.Helper()
	_, err := d.Practices.Start(d.t.Context(), team, against)
	if err == nil || !strings.Contains(err.Error(), reason) {
		d.t.Errorf("practice against %q: %v, want %q", against, err, reason)
	}
}

// A practice begins at once, with the team's bot in the first seat. It is not rated, and each team
// has one.
func TestPractice(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 3, func(d *day) {
		for reason, against := range map[string][]string{
			"name 1 to 1": nil, "no built-in bot": {"unknown"},
			"was not sent by the team": {state.UploadPrefix + "0123456789abcdef"},
		} {
			d.refused(0, against, reason)
		}
		d.refused(0, []string{"filler", "filler"}, "name 1 to 1")
		if p := d.practise(0); p.Match != "match 0" || !p.Ends.IsZero() {
			t.Errorf("the practice is %+v", p)
		}
		spec := d.arena.practices[0].Spec
		labels := []string{spec.Seats[0].Label, spec.Seats[1].Label}
		if !slices.Equal(labels, []string{"Team0", "filler"}) ||
			spec.Seats[0].Kind != seat.Wait || spec.Labels["series"] != "practice" {
			t.Errorf("the match is of %q, with labels %q", labels, spec.Labels)
		}
		d.refused(0, []string{"filler"}, "the team practises already")
		d.practise(1)
		d.after(matchTime, 0, 0)
		if d.Practices.Of(0) != nil || d.Practices.Of(1) != nil {
			t.Error("a practice is not over")
		}
		d.practise(0)
	})
}

// A practice that the team stops ends with its turn; so does that of a team that is removed.
func TestPracticeStops(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		for _, stop := range []func(){
			func() { d.Practices.Stop(0) },
			func() {
				if _, err := d.RemoveTeams([]int{0}, true); err != nil {
					t.Error(err)
				}
			},
		} {
			d.practise(0)
			stop()
			d.after(2*time.Second, 0, 0)
			if d.Practices.Of(0) != nil {
				t.Error("a practice goes on after its stop")
			}
		}
	})
}

// A match that the host does not start leaves the team free to practise.
func TestPracticeFails(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.arena.fail = fmt.Errorf("the host is broken")
		d.refused(0, []string{"filler"}, "the host is broken")
		d.arena.fail = nil
		d.practise(0)
	})
}

// A round that is about to begin says so to those that practise, cuts their matches after the
// notice, and has their bots; no other practice begins until then.
func TestRoundEndsPractice(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 4, func(d *day) {
		d.practise(0)
		d.BeginNow()
		d.after(practiceNotice-time.Second, 0, 0)
		if p := d.Practices.Of(0); p == nil || time.Until(p.Ends) != time.Second {
			t.Errorf("a second before the cut the practice is %+v", p)
		}
		d.refused(1, []string{"filler"}, errRound.Error())
		d.after(3*time.Second, 1, 0)
		d.refused(1, []string{"filler"}, "the team plays a round")
		d.after(time.Minute, 1, 2)
		if n := len(d.arena.played); n != 2 {
			t.Errorf("%d matches of four teams were played", n)
		}
		d.practise(1)
	})
}

// A round does not wait for a practice that does not end by its cut.
func TestRoundLeavesPractice(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 3, func(d *day) {
		d.arena.hangs = true
		d.practise(0)
		d.BeginNow()
		d.after(practiceNotice+d.Setup().TurnTimeout+2*seatPatience+time.Second, 1, 0)
		d.after(time.Minute, 1, 1)
	})
}

// The end of the rounds ends practice.
func TestPracticeEndsWithRounds(t *testing.T) {
	inBubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.practise(0)
		d.stop()
		synctest.Wait()
		if d.Practices.Of(0) != nil {
			t.Error("a practice goes on")
		}
		d.refused(1, []string{"filler"}, errRound.Error())
	})
}

// brokenArena panics when its first match starts.
type brokenArena struct {
	*fakeArena
	mended bool
}

func (a *brokenArena) start(ctx context.Context, t *play.Task) (started, error) {
	if !a.mended {
		a.mended = true
		panic("oh")
	}
	return a.fakeArena.start(ctx, t)
}

// A practice whose start panics does not keep its team from another one.
func TestPracticePanics(t *testing.T) {
	bubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.Rounds.arena = &brokenArena{fakeArena: d.arena}
	}, func(d *day) {
		p := panics.Catch(func() {
			_, _ = d.Practices.Start(d.t.Context(), 0, []string{"filler"})
		})
		if p == nil {
			t.Error("the start does not panic")
		}
		d.practise(0)
	})
}
