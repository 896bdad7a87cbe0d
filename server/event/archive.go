package event

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// Archive is the event in a folder as its logs have it. Another process may have the event open.
type Archive struct {
	event  *Event
	Result *state.Result
}

// IsEvent reports whether a folder is that of an event.
func IsEvent(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, actsFile))
	return err == nil
}

// ReadArchive reads the event in a folder. It writes nothing.
func ReadArchive(dir string) (*Archive, error) {
	e := &Event{folder: folder{dir: dir, disk: disk.Or(nil)}}
	p, err := e.readPlan()
	if err != nil {
		return nil, fmt.Errorf("the event in %s: %w", dir, err)
	}
	e.plan = p
	e.origin = (&archive.Cup{Dir: dir}).Origin().InTables()
	acts, rows, err := readLogs(e.disk, dir)
	if err == nil {
		err = e.fold(acts, rows)
	}
	if err != nil {
		return nil, fmt.Errorf("the event in %s: %w", dir, err)
	}
	return &Archive{e, e.Result()}, nil
}

// SentVersion is a version that a team has sent.
type SentVersion struct {
	state.Upload
	Team int
	Name string // of the team
	Dir  string // with its files
}

// Versions returns the last versions of each team, up to a number, the oldest first.
func (a *Archive) Versions(most int) (list []SentVersion) {
	s := a.event.state
	for _, t := range s.Teams.All() {
		sent := s.Versions.Sent(t.Number)
		for _, u := range sent[max(0, len(sent)-most):] {
			dir := filepath.Join(a.event.VersionsDir(), u.Digest)
			list = append(list, SentVersion{u, t.Number, t.Name, dir})
		}
	}
	return list
}

// readLogs returns the whole lines of both logs. If no act was added meanwhile, all results are of
// the rounds that the acts have, so it reads again until that is so.
func readLogs(d disk.Disk, dir string) (acts, rows []byte, err error) {
	for before := -1; ; before = len(acts) {
		if acts, err = wholeLines(d, filepath.Join(dir, actsFile)); err != nil || len(acts) == before {
			return acts, rows, err
		}
		if rows, err = wholeLines(d, filepath.Join(dir, rowsFile)); err != nil {
			return nil, nil, err
		}
	}
}

// wholeLines returns the lines of a file, without a last one that is being written.
func wholeLines(d disk.Disk, path string) ([]byte, error) {
	text, err := disk.ReadLog(d, path)
	return text[:bytes.LastIndexByte(text, '\n')+1], err
}

// Row returns a match with the names of teams, or nil if it is void.
func (a *Archive) Row(row *results.Row) *results.Row {
	s := a.event.state
	if s.Results.IsVoid(row.K) {
		return nil
	}
	named := *row
	named.Bots = nil
	for _, nick := range row.Bots {
		named.Bots = append(named.Bots, s.Teams.NameOf(nick))
	}
	return &named
}
