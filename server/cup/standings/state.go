package standings

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// state is all that standings know, so that they can go on later without the rows before.
type state struct {
	Matches  int                `json:"matches"`
	Next     int                `json:"next"`
	Totals   []total            `json:"totals"`
	Meetings []meetings         `json:"meetings"`
	Block    []rating.Result    `json:"block"`
	Blocks   rating.BlocksState `json:"blocks"`
	Compared []compared         `json:"compared"`
	Test     *sprt.State        `json:"test,omitempty"`
	Reached  []reached          `json:"reached"`
	Table    []int              `json:"table"`
	Tables   int                `json:"tables"`
	Errors   []errorState       `json:"errors"`
	Costs    []cost             `json:"costs"`
	Lags     lags               `json:"lags"`
}

// compared is the distribution of the blocks of a bot against another one.
type compared struct {
	Bot    int                `json:"bot"`
	Other  int                `json:"other"`
	Blocks score.Distribution `json:"blocks"`
}

// errorState is an error group. The output of bots need not be UTF-8, which JSON would change, and
// is therefore kept as bytes.
type errorState struct {
	Key     []byte     `json:"key"`
	Exit    []byte     `json:"exit"`
	Printed [][]byte   `json:"printed"`
	Group   ErrorGroup `json:"group"`
}

// MarshalJSON returns the state of the standings, for [Restore]. Its size does not depend on the
// number of matches, but for what [rating.Blocks] holds up to its limits.
func (s *Standings) MarshalJSON() ([]byte, error) {
	state := state{
		Matches: s.matches, Next: s.next, Totals: s.totals, Meetings: s.meets, Block: s.block,
		Blocks:  s.blocks.State(),
		Reached: s.reached, Table: s.table, Tables: s.tables, Costs: s.costs, Lags: s.lags,
	}
	if s.test != nil {
		test := s.test.State()
		state.Test = &test
	}
	for pair, blocks := range s.compared {
		state.Compared = append(state.Compared, compared{pair[0], pair[1], blocks})
	}
	slices.SortFunc(state.Compared,
		func(a, b compared) int { return slices.Compare([]int{a.Bot, a.Other}, []int{b.Bot, b.Other}) })
	for key, group := range s.errors {
		e := errorState{Key: []byte(key), Exit: []byte(group.Exit), Group: *group, Printed: [][]byte{}}
		for _, line := range group.Printed {
			e.Printed = append(e.Printed, []byte(line))
		}
		e.Group.Exit, e.Group.Printed = "", nil
		state.Errors = append(state.Errors, e)
	}
	slices.SortFunc(state.Errors,
		func(a, b errorState) int { return strings.Compare(string(a.Key), string(b.Key)) })
	return json.Marshal(&state)
}

// Restore returns the standings of a plan without mistakes from their state. It returns an error if
// that is not one of this plan.
func Restore(p *plan.Plan, text []byte) (*Standings, error) {
	s := New(p)
	var state state
	if err := json.Unmarshal(text, &state); err != nil {
		return nil, err
	}
	if err := errors.Join(state.check(s), s.blocks.Restore(state.Blocks)); err != nil {
		return nil, fmt.Errorf("the state is of another plan: %w", err)
	}
	s.matches, s.next, s.totals = state.Matches, state.Next, state.Totals
	s.meets, s.block = state.Meetings, state.Block
	s.reached, s.table, s.tables = state.Reached, state.Table, state.Tables
	s.costs, s.lags = state.Costs, state.Lags
	if s.test != nil {
		if err := s.test.Restore(*state.Test); err != nil {
			return nil, err
		}
	}
	for _, c := range state.Compared {
		s.compared[[2]int{c.Bot, c.Other}] = c.Blocks
	}
	for _, e := range state.Errors {
		if s.errors == nil {
			s.errors = errorGroups{}
		}
		group := e.Group
		group.Exit, group.Printed = string(e.Exit), []string{}
		for _, line := range e.Printed {
			group.Printed = append(group.Printed, string(line))
		}
		s.errors[string(e.Key)] = &group
	}
	return s, nil
}

// check returns an error if the lists do not have the sizes of those of new standings, which others
// index.
func (t *state) check(s *Standings) error {
	n := len(s.plan.Bots)
	if len(t.Totals) != n || len(t.Meetings) != n*n || len(t.Reached) != n || len(t.Costs) != n {
		return fmt.Errorf("it has %d bots, want %d", len(t.Totals), n)
	}
	for i := range t.Totals {
		if len(t.Totals[i].Maps) != len(s.maps) || len(t.Totals[i].Seats) != s.plan.Seats ||
			t.Totals[i].Forfeits == nil {
			return errors.New("it has other maps or seats")
		}
	}
	for _, r := range t.Block {
		if len(r.Bots) != s.plan.Seats || len(r.Ranks) != s.plan.Seats || slices.Max(r.Bots) >= n ||
			slices.Min(r.Bots) < 0 {
			return errors.New("a match has other seats")
		}
	}
	if err := t.checkGroups(s); err != nil {
		return err
	}
	if (t.Test != nil) != (s.test != nil) {
		return errors.New("it has another test")
	}
	for _, c := range t.Compared {
		if most := s.compares(c.Bot, c.Other); most < 0 || len(c.Blocks) != most+1 {
			return fmt.Errorf("it compares bot %d with bot %d", c.Bot, c.Other)
		}
	}
	return nil
}

// compares returns the largest result of a block of one bot against another one, or -1 if the
// format does not compare them.
func (s *Standings) compares(bot, other int) int {
	switch {
	case s.plan.Format == plan.Comparison && bot == 1 && other == 0:
		return s.most()
	case s.plan.Format != plan.Comparison && s.hero() == 0 && bot == 0 && other > 0 &&
		other < len(s.plan.Bots):
		return score.Most(2, s.plan.Seats)
	}
	return -1
}
