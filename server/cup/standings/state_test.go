package standings_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// stateOf returns the state of standings.
func stateOf(t *testing.T, s *standings.Standings) []byte {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Standings that go on from a state are those that had all rows, to the last digit, wherever in a
// block the state is from.
func TestRestore(t *testing.T) {
	thorough.Long(t)
	for _, tt := range []struct {
		format      plan.Format
		bots, seats int
	}{
		{plan.RoundRobin, 5, 3},
		{plan.RoundRobin, 2, 2},
		{plan.Gauntlet, 4, 3},
		{plan.Comparison, 2, 4},
		{plan.Comparison, 4, 4},
	} {
		t.Run(fmt.Sprint(tt.format, tt.bots), func(t *testing.T) {
			p := cuptest.Plan(tt.format, tt.bots, tt.seats)
			rows := cuptest.Rows(p, 600)
			whole := standings.New(p)
			parts := map[int]*standings.Standings{}
			for k, row := range rows {
				if k%37 == 0 {
					s, err := standings.Restore(p, stateOf(t, whole))
					if err != nil {
						t.Fatal(err)
					}
					parts[k] = s
				}
				failure := standings.Failure{
					K: k, Bot: row.Bots[0], Kind: "crash", Exit: "exit \xff",
					Printed: []string{"a\x00\xfe", strings.Repeat("x", k%5)},
				}
				parts[-1] = whole
				for _, s := range parts {
					if err := s.Add(row); err != nil {
						t.Fatal(err)
					}
					if k%10 == 0 {
						s.AddFailure(&failure)
					}
				}
			}
			for k, s := range parts {
				if !reflect.DeepEqual(s.Table(20), whole.Table(20)) ||
					string(stateOf(t, s)) != string(stateOf(t, whole)) {
					t.Errorf("standings that went on from row %d differ from those of all rows", k)
				}
			}
		})
	}
}

// Beyond the limit of units, too, blocks go on as if they had not been interrupted.
func TestRestoreManyBlocks(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 3, 2)
	rows := cuptest.Rows(p, 10_100)
	s := of(t, p, rows[:8191])
	again, err := standings.Restore(p, stateOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[8191:] {
		for _, s := range []*standings.Standings{s, again} {
			if err := s.Add(row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !reflect.DeepEqual(again.Table(20), s.Table(20)) {
		t.Error("the tables differ")
	}
}

// A state of another plan, or a damaged one, is refused.
func TestRestoreRefuses(t *testing.T) {
	thorough.Long(t)
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	text := string(stateOf(t, of(t, p, cuptest.Rows(p, 100))))
	for _, other := range []*plan.Plan{cuptest.Plan(plan.RoundRobin, 5, 3), cuptest.Plan(plan.RoundRobin, 4, 4), cuptest.Plan(plan.Comparison, 4, 3)} {
		if _, err := standings.Restore(other, []byte(text)); err == nil {
			t.Error("a state of another plan is restored")
		}
	}
	for cut := 0; cut < len(text); cut += 11 {
		if _, err := standings.Restore(p, []byte(text[:cut])); err == nil {
			t.Errorf("%d of %d bytes are restored", cut, len(text))
		}
	}
	at := strings.Index(text, `"units":"`) + len(`"units":"`)
	for i := range 200 {
		damaged := []byte(text)
		damaged[at+i] = 'A' + byte(i%26)
		if s, err := standings.Restore(p, damaged); err == nil {
			s.Table(5) // does not panic
		}
	}
}
