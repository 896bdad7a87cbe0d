package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/recording"
)

// tally sums up the turns of one kind's bots in recordings.
type tally struct {
	turns  int // of all its bots
	lapses [engine.Malformed + 1]int
	took   harness.Series // of the answers, in ms
	stalls int            // lapses in turns during which the machine stalled this program
}

// judge verifies every recording and prints how many turns each kind lost.
func (t *trial) judge() error {
	files, err := filepath.Glob(filepath.Join(t.records(), "*"))
	if err != nil || len(files) != t.matches {
		return fmt.Errorf("there are %d recordings of %d matches, %v", len(files), t.matches, err)
	}
	tallies := map[string]*tally{}
	for _, k := range kinds {
		tallies[k.name] = &tally{}
	}
	for _, name := range files {
		if err := t.verify(name, tallies); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Fprintf(t.Out, "%d recordings verified; the proxy cut %d of %d connections\n\n", len(files), t.cutting.cut.Load(), t.cutting.accepted.Load())
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kind\tvisits\tturns\ttimed out\tgone\tmalformed\tmedian answer\tlongest\t")
	for _, k := range kinds {
		c := tallies[k.name]
		median, longest := "-", "-"
		if len(c.took) > 0 {
			median, longest = fmt.Sprintf("%.0f ms", c.took.Median()), fmt.Sprintf("%.0f ms", c.took.Quantile(1))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", k.name, k.visits.Load(), c.turns,
			c.lapses[engine.TimedOut], c.lapses[engine.Gone], c.lapses[engine.Malformed], median, longest)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return checkHonest(tallies[kinds[0].name], t.timeout/2)
}

// checkHonest returns an error if honest bots lost turns; the error says how many of them
// the machine may have caused.
func checkHonest(c *tally, stalled time.Duration) error {
	lost := 0
	for _, n := range c.lapses {
		lost += n
	}
	switch {
	case c.turns == 0:
		return errors.New("no honest bot had a turn")
	case lost > 0:
		return fmt.Errorf("honest bots lost %d turns, %d of these while the machine did not run this program for %v or more: "+
			"if that is all of them, the machine is too busy for this test", lost, c.stalls, stalled)
	}
	return nil
}

// verify replays one recording, which must be complete.
func (t *trial) verify(name string, tallies map[string]*tally) error {
	r, err := recording.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	replay, err := recording.NewReplay(r, hexabomb.Game().Replay)
	if err != nil {
		return err
	}
	seats := make([]*tally, len(r.Header().Seats))
	for i, s := range r.Header().Seats {
		if seats[i] = tallies[kindOf(s.Nickname)]; seats[i] == nil {
			return fmt.Errorf("no bot is called %q", s.Nickname)
		}
		seats[i].turns += t.turns - 1
	}
	asked := r.Header().Started
	for turn, err := range replay.Turns() {
		if err != nil {
			return err
		}
		over := r.Header().Started.Add(turn.At)
		stalled := t.stalledIn(asked, over) >= t.timeout/2
		asked = over
		for _, in := range turn.Inputs {
			s := seats[in.Player]
			if in.Lapse == engine.Answered {
				s.took = append(s.took, harness.Milliseconds(in.Took))
				continue
			}
			s.lapses[in.Lapse]++
			if stalled {
				s.stalls++
			}
		}
	}
	if e := r.End(); e == nil || e.Error != "" || e.Turns != t.turns {
		return fmt.Errorf("its end is %+v", e)
	}
	return nil
}

// kindOf returns the name of the kind of the bot that plays under a name, or "" if no kind
// has such bots. The server gives a bot that is back before its last connection is gone its name with
// a number behind #, and cuts the name if that is too long.
func kindOf(nickname string) string {
	name, _, _ := strings.Cut(nickname, "#")
	name = strings.TrimRight(name, "0123456789")
	for _, k := range kinds {
		if name != "" && strings.HasPrefix(k.name, name) {
			return k.name
		}
	}
	return ""
}

// stall is a time in which the machine did not run this program. Turns that are lost in a
// stall are lost to the machine, not to the server.
type stall struct{ from, to time.Time }

func (s stall) length() time.Duration { return s.to.Sub(s.from) }

// watchStalls notes when a timer fires too late, until ctx is done.
func (t *trial) watchStalls(ctx context.Context) {
	const interval = 10 * time.Millisecond
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for last := time.Now(); ; {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		now := time.Now()
		if s := (stall{last, now}); s.length() > 2*interval {
			t.stalls = append(t.stalls, s)
		}
		last = now
		timer.Reset(interval)
	}
}

// longestStall returns the length of the longest stall.
func (t *trial) longestStall() (longest time.Duration) {
	for _, s := range t.stalls {
		longest = max(longest, s.length())
	}
	return longest
}

// stalledIn returns how much of the time between from and to lay in stalls.
func (t *trial) stalledIn(from, to time.Time) (sum time.Duration) {
	for _, s := range t.stalls {
		if s.from.Before(to) && s.to.After(from) {
			sum += min(s.length(), to.Sub(from), s.to.Sub(from), to.Sub(s.from))
		}
	}
	return sum
}
