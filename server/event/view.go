package event

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/disk"
)

// View is an event at a moment, for those that show it.
type View struct {
	Standings []Standing
	Round     *Round         // the last one; nil before the first
	Rounds    int            // so far
	Last      []*results.Row // the last matches, the newest first
	Void      map[int]bool   // matches that do not count
	Names     map[string]string
	Matches   int
	Message   string // on the screen
	Paused    bool
	FinalOver bool            // the end of a final has paused rounds
	Deadline  int64           // when versions freeze, as Unix time in seconds; 0: there is no deadline
	Frozen    bool            // versions are frozen, and matches official
	Final     bool            // there is a final
	Failure   error           // why nothing can be written; nil: all is well
	Changed   <-chan struct{} // closed when something has changed
}

// paused returns a line on why no round begins, or "" if rounds are not paused.
func (v *View) paused() markup {
	switch {
	case v.FinalOver:
		return `<p class="warning">The final is over. Rounds pause until they are resumed.</p>`
	case v.Paused:
		return `<p class="warning">Rounds are paused by the operator.</p>`
	}
	return ""
}

// shownRows is how many matches a view has: as many as a page shows at once.
const shownRows = 12

// View returns the event as it is now. What it points to does not change.
func (e *Event) View() View {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	v := View{
		Standings: s.standings(), Rounds: s.rounds(), Void: map[int]bool{}, Names: map[string]string{},
		Matches: len(s.rows), Message: s.told, Paused: s.paused, Deadline: s.deadline, Frozen: s.frozen != nil, Final: s.final != nil, Failure: e.failure, Changed: e.changed,
	}
	v.FinalOver = s.paused && s.final != nil && s.final.now().over
	if r := s.last; r != nil {
		shown := *r
		shown.played = slices.Clone(r.played)
		v.Round = &shown
	}
	for _, t := range s.teams {
		v.Names[t.Nick] = t.Name
	}
	for i := len(s.rows) - 1; i >= 0 && len(v.Last) < shownRows; i-- {
		v.Last = append(v.Last, s.rows[i])
		v.Void[i] = s.void[i]
	}
	return v
}

// keepMaps adds the maps of an event that goes on to the plan, which rows may name. It returns an error if the event had
// another game or number of seats.
func (e *Event) keepMaps() error {
	text, err := disk.ReadFile(e.disk, filepath.Join(e.dir, planFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var before plan.Plan
	if err == nil {
		err = json.Unmarshal(text, &before)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", planFile, err)
	}
	if before.Game != e.plan.Game || before.Seats != e.plan.Seats {
		return fmt.Errorf("it is one of %s with %d seats, and the settings say %s with %d: change them, or begin another one in another folder",
			before.Game, before.Seats, e.plan.Game, e.plan.Seats)
	}
	e.plan.Maps = slices.Clone(e.plan.Maps)
	for _, m := range before.Maps {
		if !slices.ContainsFunc(e.plan.Maps, func(other plan.Map) bool { return other.Name == m.Name }) {
			e.plan.Maps = append(e.plan.Maps, m)
		}
	}
	return nil
}

// teamSeat is the seat of a team in a plan: a client takes it.
const teamSeat = "wait"

// writePlan writes the plan of the cup that the event is.
func (e *Event) writePlan(teams []*Team) error {
	text, err := json.MarshalIndent(e.planOf(teams), "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(e.dir, planFile)
	text = append(text, '\n')
	if before, err := disk.ReadFile(e.disk, path); err == nil && bytes.Equal(before, text) {
		return nil // so that an event goes on although the disk is full
	}
	return disk.WriteFile(e.disk, path, text)
}

// RecordingsDir returns the folder of the recordings of matches.
func (e *Event) RecordingsDir() string { return filepath.Join(e.dir, matchesDir) }

// VersionsDir returns the folder of the versions that teams send.
func (e *Event) VersionsDir() string { return filepath.Join(e.dir, versionsDir) }

// WorkersDir returns the folder of what workers need that play matches elsewhere.
func (e *Event) WorkersDir() string { return filepath.Join(e.dir, workersDir) }

// teamCount returns how many teams have signed up.
func (e *Event) teamCount() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.state.teams)
}

// nick returns the nickname of a team.
func (e *Event) nick(team int) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.teams[team].Nick
}

// lastRound returns the results of the last round, the closest match first.
func (e *Event) lastRound() (rows []*results.Row) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.state.last; r != nil {
		rows = slices.Clone(e.state.rows[r.First:])
	}
	slices.SortStableFunc(rows, func(a, b *results.Row) int { return cmp.Compare(margin(a), margin(b)) })
	return rows
}

// teamsOf returns the numbers of the teams in a row, by seat.
func (e *Event) teamsOf(row *results.Row) []int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.teamsOf(row)
}

// recordingOf returns the name of the file of a match.
func recordingOf(row *results.Row) string { return fmt.Sprint(row.K, archive.Extension) }

// builtins returns the names of the built-in bots.
func (e *Event) builtins() (names []string) {
	for _, b := range e.plan.Bots {
		names = append(names, b.Name)
	}
	return names
}
