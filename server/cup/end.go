package cup

import (
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// end decides when a contest is over.
type end struct {
	standings *standings.Standings
	matches   int // after which it is; 0: no limit
	decided   bool
}

func newEnd(p *plan.Plan, s *plan.Schedule) end {
	return end{standings: standings.New(p), matches: s.Blocks() * p.Seats}
}

// add adds the next row.
func (e *end) add(row *results.Row, times []archive.Times) error {
	if err := archive.Add(e.standings, row, times); err != nil {
		return err
	}
	e.decided = e.standings.Verdict() != sprt.Undecided || e.standings.Decided()
	return nil
}
