package event

import (
	"net/http"
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

// Final returns the final at this moment, or nil if the event has no final.
func (e *Event) Final() *FinalView {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.state.final; f != nil {
		return e.state.viewFinal(f)
	}
	return nil
}

// screenFinal returns the final as it is, and as it was before the last round. It returns nil if no final is played; a final that is over is
// shown until another round begins.
func (e *Event) screenFinal() (now, before *FinalView) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f, last := e.state.final, e.state.last
	if f == nil || f.now().over && (last == nil || !last.Final) {
		return nil, nil
	}
	earlier := f
	if last != nil {
		earlier = f.before(last.First)
	}
	return e.state.viewFinal(f), e.state.viewFinal(earlier)
}

// viewFinal returns a final as it is shown.
func (s *state) viewFinal(f *final) *FinalView {
	now := f.now()
	v := &FinalView{Format: f.format, Best: f.best, Stage: now.name, Over: now.over, Places: s.namesOf(now.places), Tables: s.viewTables(now), Later: []int{}}
	stages, all := f.summary()
	for _, one := range stages {
		v.Stages = append(v.Stages, StageView{one.name, s.viewTables(one)})
	}
	if len(stages) < len(all) {
		v.Later = all[len(stages):]
	}
	return v
}

func (s *state) viewTables(of *stage) []TableView {
	list := []TableView{}
	for _, t := range of.tables {
		table := TableView{Teams: s.namesOf(t.teams), Points: []int{}, Left: t.left}
		for _, team := range t.teams {
			table.Points = append(table.Points, t.points[team])
		}
		list = append(list, table)
	}
	return list
}

// namesOf returns the names of teams.
func (s *state) namesOf(teams []int) []string {
	list := []string{}
	for _, team := range teams {
		list = append(list, s.teams[team].Name)
	}
	return list
}

// summary returns the stages that the final has reached, with all rounds of the groups as one stage, whose tables are the groups, the best team
// first. all has the number of tables of each stage of the final.
func (f *final) summary() (list []*stage, all []int) {
	list = f.stages()
	if f.format == knockOut {
		return list, pairing.Rounds(len(f.seeds), f.seats)
	}
	g, err := pairing.NewGroupStage(len(f.seeds), f.seats)
	if err != nil { // which was checked when the final began
		return list, nil
	}
	groups := newStage("groups", f.teamsOf(g.Groups), 0)
	groupOf := func(team int) *finalTable {
		return groups.tables[slices.IndexFunc(groups.tables, func(t *finalTable) bool { return slices.Contains(t.teams, team) })]
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
	return append([]*stage{groups}, list[rounds:]...), append([]int{len(g.Groups)}, g.KnockOut()...)
}

// getFinal answers with the final, for all.
func (s *Site) getFinal(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"final": s.Event.Final()}, nil)
}
