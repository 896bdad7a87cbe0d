package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
)

// Course is how a match went: the figures of its players now and then, deaths, departures, and
// who took the lead.
type Course struct {
	Header  *recording.Header
	End     *recording.End // nil: the recording is truncated
	Samples []Sample       // about samples of them, the last one after the last turn
	Events  []Event        // by turn
	Progress

	deaths  int // index of the figure deaths, -1 if the game has none
	leader  engine.PlayerID
	last    Sample
	bombers []engine.PlayerID
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

// NewCourse returns the course of a match with the header h, whose turns follow. It takes 8 bytes
// for each player and turn.
func NewCourse(h *recording.Header) *Course {
	return &Course{
		Header: h, deaths: slices.Index(h.Counts, "deaths"), leader: engine.NoPlayer,
	}
}

// Add adds a turn, which has been replayed.
func (c *Course) Add(p *recording.Replay, t *recording.Turn) {
	h := c.Header
	for id := range h.Seats {
		if c.deaths < 0 || t.Step == 0 {
			break
		}
		at := id*len(h.Counts) + c.deaths
		if n := t.Tally[at] - c.last.Tally[at]; n > 0 {
			victim := engine.PlayerID(id)
			c.bombers = p.AppendBombers(c.bombers[:0], victim)
			c.tell(t.Step, victim, c.loss(victim, n))
		}
	}
	for _, d := range t.Left {
		c.tell(t.Step, d.Player, "left: "+d.Reason)
	}
	winner := p.Result().Winner
	if winner != engine.NoPlayer && winner != c.leader {
		c.leader = winner
		c.tell(t.Step, winner, leads)
	}
	c.follow(t, winner)
	c.last.Step = t.Step
	c.last.Tally = append(c.last.Tally[:0], t.Tally...)
	if t.Step%max(1, (h.Turns+samples-1)/samples) == 0 {
		c.Samples = append(c.Samples, Sample{t.Step, slices.Clone(t.Tally)})
	}
}

// loss returns the text for n deaths of characters of a player, of which the bombers are known.
func (c *Course) loss(victim engine.PlayerID, n int64) string {
	lost, bombs := "lost a character", "a bomb"
	if n > 1 {
		lost = fmt.Sprintf("lost %d characters", n)
	}
	if n > 1 || len(c.bombers) > 1 {
		bombs = "bombs"
	}
	switch {
	case len(c.bombers) == 0:
		return lost
	case len(c.bombers) == 1 && c.bombers[0] == victim:
		return lost + " to " + bombs + " of its own"
	}
	var owners []string
	for _, id := range c.bombers {
		if id == victim {
			owners = append(owners, "itself")
		} else {
			owners = append(owners, c.Name(id))
		}
	}
	return lost + " to " + bombs + " of " + strings.Join(owners, " and ")
}

// follow adds the first figure of each player and the leader after a turn.
func (c *Course) follow(t *recording.Turn, leader engine.PlayerID) {
	first := make([]int64, len(c.Header.Seats))
	if counts := len(c.Header.Counts); counts > 0 {
		for id := range first {
			first[id] = t.Tally[id*counts]
		}
	}
	c.First, c.Leaders = append(c.First, first), append(c.Leaders, leader)
}

// Close ends the course after the last turn; end is nil if the recording has none.
func (c *Course) Close(end *recording.End) {
	c.End = end
	if n := len(c.Samples); n == 0 || c.Samples[n-1].Step != c.last.Step {
		c.Samples = append(c.Samples, c.last)
	}
}

// Name returns the name of a player.
func (c *Course) Name(id engine.PlayerID) string { return c.Header.Seats[id].Name() }

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

// Rivals returns the pairs of players between whom turns decided: the best with each of the others
// that are ranked, the second first, n at most. There are none if the game has no figures.
func (c *Course) Rivals(n int) (pairs [][2]engine.PlayerID) {
	if len(c.Header.Counts) == 0 || len(c.Header.Seats)-c.Header.Specials < 2 {
		return nil
	}
	order := c.Order()[:len(c.Header.Seats)-c.Header.Specials]
	for _, id := range order[1:min(len(order), n+1)] {
		pairs = append(pairs, [2]engine.PlayerID{engine.PlayerID(order[0]), engine.PlayerID(id)})
	}
	return pairs
}
