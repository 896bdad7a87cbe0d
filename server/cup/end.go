package cup

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// UntilSetting is the name of the plan's setting that says how certain the leader has to be for the
// contest to end, such as 95%.
const UntilSetting = "until"

// ParseUntil returns the probability of an error that a value of UntilSetting allows.
func ParseUntil(text string) (margin float64, err error) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !strings.HasSuffix(text, "%") || !(percent >= 50 && percent <= 99.9) {
		return 0, fmt.Errorf("%q: want a percentage from 50%% to 99.9%%, such as 95%%", text)
	}
	return 1 - percent/100, nil
}

// end decides when a contest is over.
type end struct {
	standings *standings.Standings
	matches   int     // after which it is; 0: no limit
	margin    float64 // probability that the leader is not the best, with which it is; 0: none
	seats     int
	decided   bool
}

func newEnd(p *plan.Plan, s *plan.Schedule) end {
	e := end{standings: standings.New(p), matches: s.Blocks() * p.Seats, seats: p.Seats}
	for _, setting := range p.Settings {
		if setting.Name == UntilSetting {
			e.margin, _ = ParseUntil(setting.Value) // else it has no effect
		}
	}
	return e
}

// add adds the next row.
func (e *end) add(row *results.Row, times []archive.Times) error {
	if err := archive.Add(e.standings, row, times); err != nil {
		return err
	}
	e.decided = e.standings.Verdict() != sprt.Undecided
	blocks := (row.K + 1) / e.seats
	if e.margin == 0 || (row.K+1)%e.seats != 0 {
		return nil
	}
	if look := sprt.LookAt(blocks); look > 0 {
		_, spent := sprt.Look(look, e.margin)
		e.decided = e.standings.Certain(spent)
	}
	return nil
}
