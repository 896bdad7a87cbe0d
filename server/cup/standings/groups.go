package standings

import (
	"cmp"
	"errors"
	"slices"
)

// Group is a group of a group stage, the best bot first.
type Group struct {
	Bots []GroupBot `json:"bots"`
}

// GroupBot is a bot's line in its group, which counts the group stage only.
type GroupBot struct {
	Name    string  `json:"bot"`
	Matches int     `json:"matches"`
	Score   float64 `json:"score"`   // the share of opponents beaten
	GoesOn  bool    `json:"goes_on"` // to the knock-out; false until the group stage is over
}

// listGroups returns the groups, nil if the format has none. Of equal bots the better seed is
// better, as for those that go on.
func (s *Standings) listGroups() (list []Group) {
	over := s.next >= s.before
	for _, bots := range s.groups {
		halves := func(bot int) int { return s.totals[bot].Group.Halves }
		order := slices.SortedStableFunc(slices.Values(bots),
			func(a, b int) int { return cmp.Or(cmp.Compare(halves(b), halves(a)), cmp.Compare(a, b)) })
		var g Group
		for place, bot := range order {
			played := s.totals[bot].Group
			g.Bots = append(
				g.Bots,
				GroupBot{
					s.plan.Bots[bot].Name, played.Seats, share(s.mean(played)), over && place < s.plan.Seats,
				},
			)
		}
		list = append(list, g)
	}
	return list
}

// checkGroups returns an error unless the matches of the group stage are counted.
func (t *state) checkGroups(s *Standings) error {
	seats := 0
	for i := range t.Totals {
		seats += t.Totals[i].Group.Seats
	}
	if seats != min(t.Next, s.before)*s.plan.Seats {
		return errors.New("it does not have the matches of the group stage")
	}
	return nil
}
