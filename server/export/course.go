package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// Course is how a match went: the figures of its players now and then, deaths, departures, and
// who took the lead.
type Course struct {
	Header  *recording.Header
	End     *recording.End // nil: the recording is truncated
	Report  *result.Report
	Samples []Sample // about samples of them, the last one after the last turn
	Events  []Event  // by turn

	deaths int // index of the figure deaths, -1 if the game has none
	leader engine.PlayerID
	last   Sample
}

// samples is the number of samples a course has, about: as many rows as one takes in at a glance.
const samples = 10

// leads is the text of the event that a player takes the lead.
const leads = "takes the lead"

// Sample holds the figures of all players after a turn.
type Sample struct {
	Step  int
	Tally []int64 // of each player in turn, those that Header.Counts names
}

// Event is what happened to a player in a turn. Its text may hold what a bot sent.
type Event struct {
	Step   int
	Player engine.PlayerID
	Text   string // such as "lost a character"
}

// Course returns the course of the recorded match. Its report has a digest only if that is asked
// for, which takes time in proportion to the states.
func (r *Recording) Course(ctx context.Context, digest bool) (*Course, error) {
	c := &Course{leader: engine.NoPlayer}
	var file *recording.Reader
	var account *result.Replayed
	err := r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) error {
		if file == nil {
			file = p.Reader()
			c.Header = file.Header()
			c.deaths = slices.Index(c.Header.Counts, "deaths")
			account = result.NewReplayed(c.Header, digest)
		}
		account.Add(p, t)
		c.add(p, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.End, c.Report = file.End(), account.Report(file.End())
	if n := len(c.Samples); n == 0 || c.Samples[n-1].Step != c.last.Step {
		c.Samples = append(c.Samples, c.last)
	}
	return c, nil
}

func (c *Course) add(p *recording.Replay, t *recording.Turn) {
	h := c.Header
	for id := range h.Seats {
		if c.deaths < 0 || t.Step == 0 {
			break
		}
		at := id*len(h.Counts) + c.deaths
		if n := t.Tally[at] - c.last.Tally[at]; n == 1 {
			c.tell(t.Step, engine.PlayerID(id), "lost a character")
		} else if n > 1 {
			c.tell(t.Step, engine.PlayerID(id), fmt.Sprintf("lost %d characters", n))
		}
	}
	for _, d := range t.Left {
		c.tell(t.Step, d.Player, "left: "+d.Reason)
	}
	if w := p.Result().Winner; w != engine.NoPlayer && w != c.leader {
		c.leader = w
		c.tell(t.Step, w, leads)
	}
	c.last.Step = t.Step
	c.last.Tally = append(c.last.Tally[:0], t.Tally...)
	if t.Step%max(1, (h.Turns+samples-1)/samples) == 0 {
		c.Samples = append(c.Samples, Sample{t.Step, slices.Clone(t.Tally)})
	}
}

func (c *Course) tell(step int, id engine.PlayerID, text string) {
	c.Events = append(c.Events, Event{step, id, text})
}

// Last returns the figures after the last turn.
func (c *Course) Last() *Sample { return &c.Samples[len(c.Samples)-1] }

// Figures returns the figures of a player in a sample.
func (c *Course) Figures(s *Sample, id int) []int64 {
	n := len(c.Header.Counts)
	return s.Tally[id*n:][:n]
}

// Order returns the ids of the players, the best first, special players last. The game must
// have figures.
func (c *Course) Order() []int {
	var ids []int
	for id := range c.Header.Seats {
		ids = append(ids, id)
	}
	first := func(id int) int64 { return c.Figures(c.Last(), id)[0] }
	slices.SortStableFunc(ids, func(a, b int) int {
		if special := c.Header.Specials; (a < special) != (b < special) {
			return b - a
		}
		return cmp.Compare(first(b), first(a))
	})
	return ids
}
