package standings_test

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// A contest that goes on until its leader is certain says who that is; bots that are the same
// program as the leader are the best with it, and of those that are equally good it says within how
// many points that is known.
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
		}, false, "No best bot was found: =painter and hun\x1b[2Jter are equal within ±2 Elo (95 %)."},
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

// Bots that are equal within the given points end a contest, at a look, and a comparison too; they
// do not if they differ, or there are too few blocks.
func TestWithin(t *testing.T) {
	win, loss, tie := [3]int{0, 1, 2}, [3]int{0, 1, 0}, [3]int{0, 1, 1}
	for _, tt := range []struct {
		format plan.Format
		within string
		block  [][3]int // of a cycle
		blocks int
		want   bool
	}{
		{plan.RoundRobin, "60", [][3]int{win, loss, tie, tie}, 512, true},
		{plan.RoundRobin, "60", [][3]int{win, loss, tie, tie}, 511, false},
		{plan.RoundRobin, "60", [][3]int{win, loss, tie, tie}, 32, false},
		{plan.RoundRobin, "", [][3]int{win, loss, tie, tie}, 512, false},
		{plan.RoundRobin, "60", [][3]int{tie}, 512, false},
		{plan.Comparison, "80", [][3]int{win, loss, tie, tie}, 512, true},
		{plan.Comparison, "80", [][3]int{win, loss, tie, tie}, 511, false},
		{plan.Comparison, "", [][3]int{win, loss, tie, tie}, 512, false},
	} {
		p := cuptest.Plan(tt.format, 2, 2)
		if p.Settings = append(p.Settings, plan.Setting{Name: plan.WithinSetting, Value: tt.within}); tt.format == plan.Comparison {
			p.Test = &sprt.Hypotheses{NElo0: -300, NElo1: 300, Alpha: 1e-6, Beta: 1e-6}
		} else {
			p.Settings = append(p.Settings, plan.Setting{Name: plan.UntilSetting, Value: "95%"})
		}
		var list [][3]int
		for i := range tt.blocks {
			list = append(list, tt.block[i%len(tt.block)])
		}
		s := of(t, p, blocks(p, list...))
		if got := s.Decided(); got != tt.want {
			t.Errorf("%+v: decided %v", tt, got)
		}
		table := s.Table(rating.TableResamples)
		if equal := strings.Contains(table.Answer, "is within ±") ||
			strings.Contains(table.Answer, "are equal within ±"); tt.want && !equal {
			t.Errorf("%+v: %s", tt, table.Answer)
		}
		if test := table.Test; test != nil && (test.Verdict == standings.Equal) != tt.want {
			t.Errorf("%+v: the test says %s", tt, test.Verdict)
		}
	}
}
