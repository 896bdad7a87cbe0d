package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Report is what came of a match whose seats were described.
type Report struct {
	Rules    string `json:"rules"`
	Seed     uint64 `json:"seed"`
	Turns    int    `json:"turns"`            // simulated
	TurnsMax int    `json:"turns_max"`        // asked for
	Winner   string `json:"winner,omitempty"` // its label; empty after a tie
	Reason   string `json:"reason,omitempty"` // of a game that ended before its last turn
	// SHA-256 of all states, hexadecimal; empty if it was not asked for
	Digest string       `json:"state_digest,omitempty"`
	Seats  []SeatReport `json:"seats"` // in the order in which they were given
	Times  Times        `json:"times"`

	// Err says why the match was aborted; nil if it was not.
	Err   error  `json:"-"`
	Error string `json:"error,omitempty"` // its text
}

// Times are when a match was played and how long that took.
type Times struct {
	Started time.Time `json:"started"`
	Logins  Millis    `json:"logins_ms"` // until all seats were filled
	Match   Millis    `json:"match_ms"`
}

// Status is how a bot held out.
type Status string

// The statuses.
const (
	Held    Status = "ok"              // it was there to the end
	Absent  Status = "never logged in" //
	Crashed Status = "crashed"         // it ended with an error before the match did
	Left    Status = "left early"      // it hung up, or was thrown out
	// it missed several turns in a row, after which the match no longer waited for it
	Hung Status = "hung"
)

// SeatReport is what came of one seat.
type SeatReport struct {
	Label       string   `json:"label"`
	Argument    string   `json:"argument"`              // as the user gave it
	Command     []string `json:"command,omitempty"`     // of a started bot
	Interpreter string   `json:"interpreter,omitempty"` // such as "python3 (Python 3.12.4)"
	Log         string   `json:"log,omitempty"`         // the file that holds its output
	Nickname    string   `json:"nickname"`
	// the client chose its nickname, which is not the one that the label stands for
	Chosen  bool            `json:"-"`
	Seed    uint64          `json:"seed"`
	Special bool            `json:"special"`
	ID      engine.PlayerID `json:"id"` // -1: it did not play
	Figures
	Status Status `json:"status"`
	Error  string `json:"error,omitempty"` // what was wrong, if something was
	// why it left before the end, in the words of its wire; empty: it did not
	Reason string `json:"-"`
	// the login that has the seat cannot be traced to the bot that was started
	Untraced bool `json:"untraced,omitempty"`
	// further logins of the bot's process, which got no seat
	Denied int `json:"denied_logins,omitempty"`
	// what is odd about these logins, a sentence each
	Remarks []string `json:"remarks,omitempty"`
	// a started bot that had stayed after an earlier match
	Resumed bool `json:"-"`
	// processor time of a started bot, of one that stays since its last match; 0: not known
	CPU  Millis `json:"-"`
	Exit string `json:"exit,omitempty"` // of a started bot: how it ended
	// of a started bot that did not hold out: its last output
	LastLines []string `json:"last_lines,omitempty"`
}

// Name returns what people call the seat's player: its label, with the nickname that it chose.
func (s *SeatReport) Name() string {
	if s.Chosen {
		return fmt.Sprintf("%s (%s)", s.Nickname, s.Label)
	}
	return s.Label
}

// RefusedTotal is the number of actions were refused.
func (s *SeatReport) RefusedTotal() (total int) {
	for _, n := range s.Refused {
		total += n
	}
	return total
}

// Refusals are the reasons for which actions were refused, the most frequent
// first.
func (s *SeatReport) Refusals() []string {
	reasons := make([]string, 0, len(s.Refused))
	for r := range s.Refused {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Refused[b], s.Refused[a]), strings.Compare(a, b))
	})
	return reasons
}

// shownRefusals is the number of reasons people that are shown: with more, a line of a table does
// not fit into a terminal.
const shownRefusals = 2

// ShownRefusals returns those of Refusals that people are shown.
func (s *SeatReport) ShownRefusals() []string {
	reasons := s.Refusals()
	return reasons[:min(len(reasons), shownRefusals)]
}

// Ranking is the seats, the first on top: then special players, and those who
// did not play.
func (r *Report) Ranking() []*SeatReport {
	var list []*SeatReport
	for i := range r.Seats {
		list = append(list, &r.Seats[i])
	}
	slices.SortStableFunc(list, func(a, b *SeatReport) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(a.Rank, b.Rank))
	})
	return list
}

// place is in which part of a ranking the seat belongs.
func (s *SeatReport) place() int {
	switch {
	case s.ID == engine.NoPlayer:
		return 2
	case s.Special:
		return 1
	}
	return 0
}
