// Package site shows a cup to others. A [Scoreboard] is the content of the cup's page: the
// standings, how far the cup is, and links to the matches whose recordings were kept; [Live]
// follows a cup that is being played. [Write] writes files: all matches and the standings as CSV
// and JSON, and a page that opens without a server or a network, with links to replays.
package site

import (
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// Scoreboard is what the page shows. The JSON has these keys.
type Scoreboard struct {
	Name     string  `json:"name"`     // of the cup's folder
	Expected int     `json:"expected"` // matches in all, as far as can be said; 0: that is not known
	Over     bool    `json:"over"`     // no further match will be played
	Rate     float64 `json:"rate"`     // matches that were added a second; 0: that is not known
	Recorded int     `json:"recorded"` // matches that can be seen
	// Matches are those that can be seen, the last one first; nil if the page has to ask for them.
	Matches []Match `json:"matches,omitempty"`
	// Replays are links to the matches that Standings.Errors names, by number.
	Replays   map[int]string   `json:"replays"`
	Standings *standings.Table `json:"standings"`
}

// Match is a match that can be seen.
type Match struct {
	*results.Row
	Replay string `json:"replay"` // a link
}

// NewScoreboard returns the scoreboard of a cup. seen are the matches that can be seen, the first
// one first.
func NewScoreboard(c *archive.Cup, t *standings.Table, seen []Match) *Scoreboard {
	s := &Scoreboard{
		Name: c.Name(), Expected: expected(c, t), Recorded: len(seen),
		Replays: map[int]string{}, Standings: t,
	}
	s.Over = t.Planned > 0 && t.Matches >= s.Expected ||
		t.Test != nil && t.Test.Verdict != standings.Undecided ||
		t.Until != nil && t.Until.Certain
	for i := range t.Errors {
		k := t.Errors[i].First
		at, found := slices.BinarySearchFunc(seen, k, func(m Match, k int) int { return m.K - k })
		if found {
			s.Replays[k] = seen[at].Replay
		}
	}
	return s
}

// expected returns how many matches the folder of a cup will have, as far as can be said: the test
// of a comparison without a limit has a forecast instead.
func expected(c *archive.Cup, t *standings.Table) int {
	return c.Shard.Matches(t.Planned, c.Plan.Stretch())
}
