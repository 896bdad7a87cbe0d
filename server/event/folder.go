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
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// folder is the folder of an event, which is that of a cup, with the plan of this cup.
type folder struct {
	dir    string
	disk   disk.Disk
	plan   plan.Plan // its bots are the built-in ones
	origin standings.Origin
}

// Seats returns the number of seats of a match.
func (f *folder) Seats() int { return f.plan.Seats }

// Disk returns the disk with the event's folder.
func (f *folder) Disk() disk.Disk { return f.disk }

// OutputDir returns the folder of the output of bots: a file for each team.
func (f *folder) OutputDir() string { return filepath.Join(f.dir, outputDir) }

// RecordingsDir returns the folder of the recordings of matches.
func (f *folder) RecordingsDir() string { return filepath.Join(f.dir, matchesDir) }

// VersionsDir returns the folder of the versions that teams send.
func (f *folder) VersionsDir() string { return filepath.Join(f.dir, versionsDir) }

// WorkersDir returns the folder of what workers need that play matches elsewhere.
func (f *folder) WorkersDir() string { return filepath.Join(f.dir, workersDir) }

// Builtins returns the names of the built-in bots.
func (f *folder) Builtins() (names []string) {
	for _, b := range f.plan.Bots {
		names = append(names, b.Name)
	}
	return names
}

// readPlan reads the plan in the folder, without the teams.
func (f *folder) readPlan() (p plan.Plan, err error) {
	text, err := disk.ReadFile(f.disk, filepath.Join(f.dir, planFile))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", planFile, err)
	}
	p.Bots = slices.DeleteFunc(p.Bots, func(b plan.Bot) bool { return b.Seat == teamSeat })
	return p, nil
}

// keepMaps adds the maps of an event that goes on to the plan, which rows may name. It returns an
// error if the event had another game or number of seats.
func (f *folder) keepMaps() error {
	before, err := f.readPlan()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if before.Game != f.plan.Game || before.Seats != f.plan.Seats {
		return fmt.Errorf("it is one of %s with %d seats, and the settings say %s with %d: "+
			"change them, or begin another one in another folder",
			before.Game, before.Seats, f.plan.Game, f.plan.Seats)
	}
	f.plan.Maps = slices.Clone(f.plan.Maps)
	for _, m := range before.Maps {
		known := func(other plan.Map) bool { return other.Name == m.Name }
		if !slices.ContainsFunc(f.plan.Maps, known) {
			f.plan.Maps = append(f.plan.Maps, m)
		}
	}
	return nil
}

// teamSeat is the seat of a team in a plan: a client takes it.
const teamSeat = "wait"

// writePlan writes the plan of the cup that the event is.
func (f *folder) writePlan(teams []*state.Team) error {
	text, err := json.MarshalIndent(f.planOf(teams), "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(f.dir, planFile)
	text = append(text, '\n')
	if before, err := disk.ReadFile(f.disk, path); err == nil && bytes.Equal(before, text) {
		return nil // so that an event goes on although the disk is full
	}
	return disk.WriteFile(f.disk, path, text)
}

// keepOrigin writes which program begins a fresh event, and how, or reads what the folder says of
// that.
func (f *folder) keepOrigin(o archive.Origin, fresh bool) error {
	path := filepath.Join(f.dir, archive.OriginFile)
	text, err := disk.ReadFile(f.disk, path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(o.Command) > 0 && fresh:
		if text, err = json.MarshalIndent(&o, "", "  "); err != nil {
			return err
		}
		if err = disk.WriteFile(f.disk, path, append(text, '\n')); err != nil {
			return err
		}
	case errors.Is(err, fs.ErrNotExist): // an older version began it
		return nil
	case err != nil:
		return err
	}
	return f.readOrigin(text)
}

// readOrigin reads the text of an origin.
func (f *folder) readOrigin(text []byte) error {
	var o archive.Origin
	if err := json.Unmarshal(text, &o); err != nil {
		return err
	}
	f.origin = o.InTables()
	return nil
}

// originOf returns the origin of the tables of the event with some teams.
func (f *folder) originOf(teams []*state.Team) standings.Origin {
	o := f.origin
	o.Plan = f.planOf(teams).Digest().String()
	return o
}

// planOf returns the plan of the cup that the event is: its bots are the built-in ones and the
// teams.
func (f *folder) planOf(teams []*state.Team) *plan.Plan {
	p := f.plan
	p.Bots = append([]plan.Bot(nil), p.Bots...)
	for _, t := range teams {
		p.Bots = append(p.Bots, plan.Bot{Name: t.Nick, Seat: teamSeat})
	}
	return &p
}
