package cup

import (
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// The processor time of started bots is known for each match, whether they stay or not, and how
// late the runner was.
func TestCosts(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, how := range []string{once, stays} {
		c, _ := startedContest(t, how, 4, 2, "random", "painter")
		dir := t.TempDir()
		playAll(t, c, dir, 1)
		played, err := archive.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		s, err := played.Standings(func(*results.Row) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		table := s.Table(0)
		for _, b := range table.Bots {
			if b.CPU == nil || b.CPU.Matches != 4 || b.CPU.Match <= 0 || b.CPU.Turn <= 0 {
				t.Errorf("of bots that play %s, %s has used %+v, want the time of 4 matches", how, b.Name,
					b.CPU)
			}
		}
		if table.Lag == nil || table.Lag.Max < table.Lag.Mean {
			t.Errorf("of bots that play %s, the lag is %+v", how, table.Lag)
		}
	}
}
