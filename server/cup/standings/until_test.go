package standings_test

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// A contest that goes on until its leader is certain says who that is; bots that are the same
// program as the leader are the best with it, and those that are equally good never are.
func TestUntil(t *testing.T) {
	for _, tt := range []struct {
		name  string
		block [][3]int // played 16 times
		same  bool     // bots 0 and 1 are the same program
		want  string
	}{
		{"certain", [][3]int{
			{0, 1, 2}, {0, 2, 2}, {1, 2, 1},
		}, false, "=painter is the best, with a certainty of 95 %."},
		{"ties", [][3]int{
			{0, 1, 1}, {0, 2, 1}, {1, 2, 1},
		}, false, "It is not certain with 95 % which bot is the best. =painter is in the lead."},
		{"copies", [][3]int{{0, 1, 1}, {0, 2, 2}, {1, 2, 2}}, true, "=painter and hun\x1b[2Jter, which " +
			"are the same program, are the best, with a certainty of 95 %."},
		{"no copies", [][3]int{
			{0, 1, 1}, {0, 2, 2}, {1, 2, 2},
		}, false, "It is not certain with 95 % which bot is the best. =painter is in the lead."},
	} {
		p := cuptest.Plan(plan.RoundRobin, 3, 2)
		p.Settings = append(p.Settings, plan.Setting{Name: plan.UntilSetting, Value: "95%"})
		if p.Bots[0].Digest = (plan.Digest{7}); tt.same {
			p.Bots[1].Digest = p.Bots[0].Digest
		}
		var list [][3]int
		for range 16 {
			list = append(list, tt.block...)
		}
		rows := blocks(p, list...)
		s := of(t, p, rows[:64]) // 32 blocks: a look
		table := s.Table(rating.TableResamples)
		if got := table.Until.Sentence(); got != tt.want || s.Decided() != table.Until.Certain {
			t.Errorf("%s: %s, decided: %v; want %s", tt.name, got, s.Decided(), tt.want)
		}
		if u := of(t, p, rows[:66]).Table(rating.TableResamples).Until; u.Certain {
			t.Errorf("%s: between looks it is %+v", tt.name, u)
		}
	}
	if u := of(t, cuptest.Plan(plan.RoundRobin, 3, 2), nil).Table(10).Until; u != nil {
		t.Errorf("without the question the answer is %+v", u)
	}
	p := cuptest.Plan(plan.RoundRobin, 3, 2)
	p.Bots[0].Seat, p.Bots[1].Seat = "./bot --fast", "./bot --slow"
	p.Bots[1].Digest = p.Bots[0].Digest
	if p.Same(0, 1) || !p.Same(2, 2) || strings.Contains(p.Bots[2].Seat, " ") {
		t.Error("commands with other arguments are the same")
	}
}
