package stages

import (
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
)

// View is a final at a moment, with the names of teams.
type View struct {
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

// View returns the final with the names of teams.
func (f *Final) View(names func([]int) []string) *View {
	now := f.now()
	v := &View{
		Format: f.Format, Best: f.Best, Stage: now.name, Over: now.over,
		Places: names(now.places), Tables: now.view(names), Later: []int{},
	}
	stages, all := f.summary()
	for _, one := range stages {
		v.Stages = append(v.Stages, StageView{one.name, one.view(names)})
	}
	if len(stages) < len(all) {
		v.Later = all[len(stages):]
	}
	return v
}

// view returns the tables of a stage as they are shown.
func (s *stage) view(names func([]int) []string) []TableView {
	list := []TableView{}
	for _, t := range s.tables {
		table := TableView{Teams: names(t.teams), Points: []int{}, Left: t.left}
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
	if f.Format == KnockOut {
		return list, pairing.Rounds(len(f.Seeds), f.Seats)
	}
	g, err := pairing.NewGroupStage(len(f.Seeds), f.Seats)
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
