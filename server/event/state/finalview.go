package state

import (
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
)

// FinalView is a final at a moment.
type FinalView struct {
	Format string      `json:"format"`
	Best   int         `json:"best"`
	Stage  string      `json:"stage"`
	Over   bool        `json:"over"`
	Places []string    `json:"places"` // once it is over: the teams of the last table, the best first
	Tables []TableView `json:"tables"` // of the stage
	Stages []StageView `json:"stages"` // that it has reached; all rounds of the groups are one
	Later  []int       `json:"later"`  // the tables of each stage that it has not reached
}

// StageView is a stage of a final.
type StageView struct {
	Name   string      `json:"name"`
	Tables []TableView `json:"tables"` // of the groups: one for each group
}

// TableView is a table of a stage.
type TableView struct {
	Teams  []string `json:"teams"`
	Points []int    `json:"points"` // two for each team beaten in each match, one for a tie
	Left   int      `json:"left"`   // matches that may be left
}

// Final returns the final, or nil if the event has none.
func (s *State) Final() *Final { return s.final }

// FinalView returns the final at this moment, or nil if the event has none.
func (s *State) FinalView() *FinalView {
	if s.final == nil {
		return nil
	}
	return s.final.view(&s.Teams)
}

// PlayedFinal returns the final at this moment and before the last round. It returns nil if no
// final is played; a final that is over is played until another round begins.
func (s *State) PlayedFinal() (now, before *FinalView) {
	f, last := s.final, s.last
	if f == nil || f.Over() && (last == nil || !last.Final) {
		return nil, nil
	}
	earlier := f
	if last != nil {
		earlier = f.before(last.First)
	}
	return f.view(&s.Teams), earlier.view(&s.Teams)
}

// view returns the final as it is shown.
func (f *Final) view(teams *Teams) *FinalView {
	now := f.now()
	v := &FinalView{
		Format: f.format, Best: f.best, Stage: now.name, Over: now.over,
		Places: teams.namesOf(now.places), Tables: now.view(teams), Later: []int{},
	}
	stages, all := f.summary()
	for _, one := range stages {
		v.Stages = append(v.Stages, StageView{one.name, one.view(teams)})
	}
	if len(stages) < len(all) {
		v.Later = all[len(stages):]
	}
	return v
}

// view returns the tables of a stage as they are shown.
func (s *stage) view(teams *Teams) []TableView {
	list := []TableView{}
	for _, t := range s.tables {
		table := TableView{Teams: teams.namesOf(t.teams), Points: []int{}, Left: t.left}
		for _, team := range t.teams {
			table.Points = append(table.Points, t.points[team])
		}
		list = append(list, table)
	}
	return list
}

// summary returns the stages that the final has reached, with all rounds of the groups as one
// stage, whose tables are the groups, the best team first. all has the number of tables of each
// stage of the final.
func (f *Final) summary() (list []*stage, all []int) {
	list = f.stages()
	if f.format == KnockOut {
		return list, pairing.Rounds(len(f.seeds), f.seats)
	}
	g, err := pairing.NewGroupStage(len(f.seeds), f.seats)
	if err != nil { // which was checked when the final began
		return list, nil
	}
	groups := newStage("groups", f.teamsOf(g.Groups), 0)
	groupOf := func(team int) *finalTable {
		has := func(t *finalTable) bool { return slices.Contains(t.teams, team) }
		return groups.tables[slices.IndexFunc(groups.tables, has)]
	}
	rounds := min(len(list), len(g.Rounds))
	for _, one := range list[:rounds] {
		for _, t := range one.tables {
			group := groupOf(t.teams[0])
			group.left += t.left
			for team, n := range t.points {
				group.points[team] += n
			}
		}
	}
	for _, tables := range g.Rounds[rounds:] {
		for _, teams := range f.teamsOf(tables) {
			groupOf(teams[0]).left++
		}
	}
	for _, t := range groups.tables {
		t.teams = t.order()
	}
	list = append([]*stage{groups}, list[rounds:]...)
	return list, append([]int{len(g.Groups)}, g.KnockOut()...)
}
