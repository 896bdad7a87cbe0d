package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/recording"
)

// tally sums up the turns of one kind's bots in recordings.
type tally struct {
	turns  int // of all its bots
	lapses [engine.Malformed + 1]int
	took   []time.Duration // of the answers
	stalls int             // lapses in turns during which the machine stalled this program
}

// judge verifies every recording and prints how many turns each kind lost.
func (t *trial) judge(out io.Writer) error {
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
	fmt.Fprintf(out, "%d recordings verified; the proxy cut %d of %d connections\n\n", len(files), t.cutting.cut.Load(), t.cutting.accepted.Load())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kind\tvisits\tturns\ttimed out\tgone\tmalformed\tmedian answer\tlongest\t")
	for _, k := range kinds {
		c := tallies[k.name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", k.name, k.visits.Load(), c.turns,
			c.lapses[engine.TimedOut], c.lapses[engine.Gone], c.lapses[engine.Malformed], c.times())
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
	replay, err := recording.NewReplay(r, rules)
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
				s.took = append(s.took, in.Took)
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

// kindOf returns the name of the kind of the bot that plays under a name, "" if there is
// none. The server gives a bot that is back before its last connection is gone its name with
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

// rules implements recording.Games.
func rules(name string, board []byte) (engine.Game, error) {
	if name != hexabomb.Rules {
		return nil, recording.ErrRules
	}
	m, err := hexabomb.ParseMap(board)
	if err != nil {
		return nil, err
	}
	return hexabomb.New(m), nil
}

// times returns the median and the longest time of an answer, as two cells.
func (c *tally) times() string {
	n := len(c.took)
	if n == 0 {
		return "-\t-"
	}
	slices.Sort(c.took)
	return fmt.Sprintf("%d ms\t%d ms", c.took[n/2].Milliseconds(), c.took[n-1].Milliseconds())
}
