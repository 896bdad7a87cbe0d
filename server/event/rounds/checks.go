package rounds

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
)

// Checks hold the progress of each team's bots, for teams that look for a mistake. They are kept in
// memory only, since the bots' connections end with the program as well.
type Checks struct {
	mu       sync.Mutex
	arrivals map[string]Arrival // by address
	teams    map[int]*Progress
}

// Arrival is the last client of an address that was no browser and was not admitted. One that is
// admitted is known to be of its team, and of no other one at that address.
type Arrival struct {
	At      time.Time
	Refused string // why
}

// Progress is how far the bots of a team have come.
type Progress struct {
	LoggedIn, Answered, Accepted bool
	Lapse                        string // how the last turn went that had no answer
	Refusal                      string // why the last action was refused
	// a bot was not admitted, because it is not the version that was frozen
	Changed bool
	Said    string // the version that it said it is
}

// maxArrivals bounds the addresses that are remembered: many times as many as an event has teams.
// When there are more, the earliest is forgotten.
const maxArrivals = 1000

// Arrived notes that a client has connected that is no browser.
func (c *Checks) Arrived(remote string, refused error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if refused == nil {
		delete(c.arrivals, limits.Source(remote))
		return
	}
	if c.arrivals == nil {
		c.arrivals = map[string]Arrival{}
	}
	c.arrivals[limits.Source(remote)] = Arrival{At: time.Now(), Refused: refused.Error()}
	if len(c.arrivals) <= maxArrivals {
		return
	}
	oldest := ""
	for address, b := range c.arrivals {
		if oldest == "" || b.At.Before(c.arrivals[oldest].At) {
			oldest = address
		}
	}
	delete(c.arrivals, oldest)
}

// Of returns how far the bots of a team have come, and the last client from an address if that was
// not admitted; else its time is zero.
func (c *Checks) Of(team int, remote string) (Progress, Arrival) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := Progress{}
	if found := c.teams[team]; found != nil {
		p = *found
	}
	return p, c.arrivals[limits.Source(remote)]
}

// note changes the progress of a team.
func (c *Checks) note(team int, change func(*Progress)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.teams == nil {
		c.teams = map[int]*Progress{}
	}
	if c.teams[team] == nil {
		c.teams[team] = &Progress{}
	}
	change(c.teams[team])
}

// watch returns a watcher that notes how far the teams of a match come. Their players have the ids
// from 0 on.
func (c *Checks) watch(teams []int) match.Watcher { return &checker{checks: c, teams: teams} }

// checker notes how far the teams of a match come.
type checker struct {
	match.BaseWatcher
	checks *Checks
	teams  []int
}

// Played implements match.Watcher.
func (w *checker) Played(p *match.Play) {
	for i := range p.Answers {
		a := &p.Answers[i]
		if int(a.Player) >= len(w.teams) {
			continue
		}
		refused, reason := 0, ""
		for _, r := range p.Result.Refused {
			if r.Input == i {
				refused, reason = refused+1, r.Reason
			}
		}
		w.checks.note(w.teams[a.Player], func(to *Progress) {
			if a.Lapse != engine.Answered {
				to.Lapse = a.Lapse.String()
				return
			}
			to.Answered, to.Refusal = true, reason
			var actions []json.RawMessage
			if !to.Accepted && json.Unmarshal(a.Actions, &actions) == nil {
				to.Accepted = len(actions) > refused
			}
		})
	}
}
