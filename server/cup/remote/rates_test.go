package remote

import (
	"math"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// The values are those of tables: the statistic that is exceeded with a probability of 5 %, 1 % and 0.1 %, and for even
// degrees closed forms.
func TestChiSquare(t *testing.T) {
	for _, tt := range []struct {
		x       float64
		degrees int
		want    float64
	}{
		{3.841459, 1, 0.05},
		{6.634897, 1, 0.01},
		{10.827566, 1, 0.001},
		{5.991465, 2, 0.05},
		{27.631021, 2, 1e-6},
		{7.814728, 3, 0.05},
		{11.344867, 3, 0.01},
		{29.588298, 10, 0.001},
		{37.652484, 25, 0.05},
		{124.342113, 100, 0.05},
		{3000, 3000, 0.4966},
		{0, 5, 1},
		{5, 0, 1},
	} {
		if got := chiSquare(tt.x, tt.degrees); math.Abs(got-tt.want) > 1e-4*tt.want+1e-12 && tt.degrees != 3000 || math.Abs(got-tt.want) > 1e-3 {
			t.Errorf("chi-square of %v with %d degrees is %v, want %v", tt.x, tt.degrees, got, tt.want)
		}
	}
}

// Of four workers whose results are drawn alike, but for every tenth block of one of them, that one is named and no other.
func TestUnlikelyResults(t *testing.T) {
	thorough.Long(t)
	for _, bots := range []int{2, 4, 6} {
		p := cuptest.Plan(plan.RoundRobin, bots, 2)
		schedule, r := plan.NewSchedule(p), newRates(p)
		workers := []*worker{{name: "a"}, {name: "b"}, {name: "c"}, {name: "wrong"}}
		for k, row := range cuptest.Rows(p, 40_000) {
			m := schedule.Match(k)
			w := workers[k/maxLease%len(workers)]
			if w.name == "wrong" && m.Block%10 == 0 {
				row.Ranks = []int{1, 1}
			}
			r.add(&m, row, w)
		}
		for _, w := range workers {
			if chance := r.chance(w); (chance < suspicious) != (w.name == "wrong") {
				t.Errorf("%d bots: the results of %s have a chance of %v", bots, w.name, chance)
			}
		}
	}
}
