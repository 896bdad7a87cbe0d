package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// View is an event at a moment, for those that show it.
type View struct {
	state.View
	Failure error           // why nothing can be written; nil: all is well
	Changed <-chan struct{} // closed when something has changed
}

// View returns the event as it is now. What it points to does not change.
func (e *Event) View() View {
	e.mu.Lock()
	defer e.mu.Unlock()
	return View{View: e.state.View(), Failure: e.failure, Changed: e.changed}
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
func (e *Event) writePlan(teams []*state.Team) error {
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

// Seats returns the number of seats of a match.
func (e *Event) Seats() int { return e.plan.Seats }

// Disk returns the disk with the event's folder.
func (e *Event) Disk() disk.Disk { return e.disk }

// OutputDir returns the folder of the output of bots: a file for each team.
func (e *Event) OutputDir() string { return filepath.Join(e.dir, outputDir) }

// RecordingsDir returns the folder of the recordings of matches.
func (e *Event) RecordingsDir() string { return filepath.Join(e.dir, matchesDir) }

// VersionsDir returns the folder of the versions that teams send.
func (e *Event) VersionsDir() string { return filepath.Join(e.dir, versionsDir) }

// WorkersDir returns the folder of what workers need that play matches elsewhere.
func (e *Event) WorkersDir() string { return filepath.Join(e.dir, workersDir) }

// Nick returns the nickname of a team.
func (e *Event) Nick(team int) string {
	return Ask(e, func(s *state.State) string { return s.Teams()[team].Nick })
}

// RecordingOf returns the name of the file of a match, whose number is from 0.
func RecordingOf(match int) string { return fmt.Sprint(match, archive.Extension) }

// Builtins returns the names of the built-in bots.
func (e *Event) Builtins() (names []string) {
	for _, b := range e.plan.Bots {
		names = append(names, b.Name)
	}
	return names
}
