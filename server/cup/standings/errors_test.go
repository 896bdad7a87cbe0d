package standings_test

import (
	"fmt"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// Failures are one group if they differ in what was printed before the report, and in its numbers,
// but not if they are at other places or of another kind.
func TestErrorGroups(t *testing.T) {
	python := func(line int, text string) []string {
		return []string{
			fmt.Sprint("turn ", line), "Traceback (most recent call last):",
			fmt.Sprintf(`  File "bot.py", line %d, in play`, line), text,
		}
	}
	goBot := func(at string) []string {
		return []string{
			"panic: index out of range [7] with length 3", "", "goroutine 1 [running]:",
			"main.play(" + at + ")", "\t/bot/main.go:12 +" + at,
		}
	}
	for _, tt := range []struct {
		name   string
		a, b   standings.Failure
		groups int
	}{
		{"numbers", standings.Failure{Printed: python(3, "KeyError: 7")}, standings.Failure{
			Printed: python(3, "KeyError: 93"),
		}, 1},
		{"places", standings.Failure{
			Printed: python(3, "KeyError: 7"),
		}, standings.Failure{Printed: python(4, "KeyError: 7")}, 2},
		{"errors", standings.Failure{Printed: python(3, "KeyError: 7")}, standings.Failure{
			Printed: python(3, "IndexError: 7"),
		}, 2},
		{"addresses", standings.Failure{
			Printed: goBot("0xc0ffee"),
		}, standings.Failure{Printed: goBot("0x1")}, 1},
		{"no report", standings.Failure{
			Printed: []string{"a", "turn 3"},
		}, standings.Failure{Printed: []string{"b", "turn 4"}}, 1},
		{"nothing", standings.Failure{}, standings.Failure{}, 1},
		{"kinds", standings.Failure{Kind: "crash"}, standings.Failure{Kind: "left"}, 2},
		{"bots", standings.Failure{Bot: "a"}, standings.Failure{Bot: "b"}, 2},
	} {
		s := standings.New(cuptest.Plan(plan.RoundRobin, 2, 2))
		s.AddFailure(&tt.a)
		s.AddFailure(&tt.b)
		if got := s.Table(1).Errors; len(got) != tt.groups {
			t.Errorf("%s: the groups are %+v, want %d", tt.name, got, tt.groups)
		}
	}
}

// A bot that fails in another way each time fills no memory: what is beyond the thousandth group
// is counted together.
func TestManyErrorGroups(t *testing.T) {
	s := standings.New(cuptest.Plan(plan.RoundRobin, 2, 2))
	const failures = 3000
	for k := range failures {
		letters := make([]byte, 12)
		for i := range letters {
			letters[i] = 'a' + byte(k>>i&1)
		}
		s.AddFailure(
			&standings.Failure{K: k, Bot: "a", Kind: "crash", Printed: []string{string(letters)}})
	}
	sum, groups := 0, s.Table(1).Errors
	for _, g := range groups {
		sum += g.Count
	}
	if sum != failures || len(groups) > 1100 {
		t.Errorf("%d groups count %d failures, want %d", len(groups), sum, failures)
	}
}
