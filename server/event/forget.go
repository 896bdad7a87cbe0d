package event

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// Names of more of what an event's folder may hold.
const (
	examsDir      = "exams"                // of the cups that exams are
	oldCheckpoint = "acts/checkpoint.json" // of an earlier program
	originFile    = archive.OriginFile
	lockFile      = "lock"
	// in the folder of workers
	brokerDir     = "broker"
	conflictsFile = "conflicts.ndjson"
)

// Reopen opens the event in a folder as its plan has it, while no other process has it open.
func Reopen(dir string) (*Event, error) {
	p, err := (&folder{dir: dir, disk: disk.Or(nil)}).readPlan()
	if err != nil {
		return nil, fmt.Errorf("the event in %s: %w", dir, err)
	}
	return Open(Options{Dir: dir, Plan: p})
}

// Forget removes a team for good, with all that the event's folder has of it, but for files that
// the program has not written. It may be called again after an error.
//
// Matches of the team that are being played go on. Their rows and recordings do not name it.
func (e *Event) Forget(team int) (f Foreign, err error) {
	defer e.write()()
	err = e.writeAct(func(s *state.State) (state.Act, error) { return s.Teams.Forget(team) })
	if err != nil && !errors.Is(err, state.ErrForgotten) {
		return f, err
	}
	return e.erase()
}

// finishForgetting completes what the end of an earlier process has interrupted. No match is being
// played.
func (e *Event) finishForgetting() error {
	forgotten := e.state.Teams.Forgotten()
	if len(forgotten) == 0 {
		return nil
	}
	pending := func(t *state.Team) bool { return !t.Erased() }
	if slices.ContainsFunc(forgotten, pending) {
		f, err := e.erase()
		if err != nil {
			return fmt.Errorf("forget a team: %w", err)
		}
		if len(f.Named) > 0 {
			e.log.Warn().Strs("files", f.Named).Msg("Files in the folder name a team that was forgotten")
		}
	}
	// what was written of them while they were forgotten
	return errors.Join(e.removeFiles(e.stale), e.removeOutputs(forgotten), e.removeOrphans(),
		e.RemoveQueue())
}

// RemoveQueue removes what workers were given, which is a cache, and the results that differ. No
// worker is served.
func (e *Event) RemoveQueue() error {
	return errors.Join(os.RemoveAll(filepath.Join(e.WorkersDir(), brokerDir)),
		e.removeFiles([]string{filepath.Join(e.WorkersDir(), conflictsFile)}))
}

// erasure is what erase works on.
type erasure struct {
	*Event
	teams  *state.Teams
	traces state.Traces
	acts   []state.Act
	rows   []*results.Row
	played []string // recordings of matches of forgotten teams
}

// erase removes what the folder has of forgotten teams. The log of acts is the last to be written,
// so that erase does the rest if it is called again. The caller writes.
func (e *Event) erase() (f Foreign, err error) {
	x, after, err := e.erasure()
	if err != nil {
		return f, err
	}
	f, err = x.foreign()
	err = errors.Join(
		err, x.removeFiles(append(x.played, e.staleNow()...)), x.removeOutputs(x.teams.Forgotten()),
		x.removeVersions(), x.removeFiles([]string{filepath.Join(e.dir, oldCheckpoint)}),
	)
	if err != nil {
		return f, err
	}
	if err := x.rewrite(after); err != nil {
		return f, err
	}
	e.officials.mu.Lock()
	e.officials.now, e.officials.before = cachedOfficial{}, cachedOfficial{}
	e.officials.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	after.Teams.KeepNicks(&e.state.Teams)
	e.state, e.recent = after, slices.Clone(x.acts[max(0, len(x.acts)-maxRecent):])
	e.notify()
	return f, nil
}

// erasure reads both logs, and returns the state after the logs are erased.
func (e *Event) erasure() (*erasure, *state.State, error) {
	x := &erasure{Event: e, teams: &e.state.Teams}
	acts, err := e.written(e.acts, actsFile)
	if err != nil {
		return nil, nil, err
	}
	rows, err := e.written(e.rows, rowsFile)
	if err != nil {
		return nil, nil, err
	}
	if x.acts, err = state.ParseActs(acts); err != nil {
		return nil, nil, err
	}
	if x.rows, err = parseRows(rows); err != nil {
		return nil, nil, err
	}
	x.traces = x.teams.Traces(x.acts)
	x.acts = x.teams.EraseActs(x.acts, e.erasedVersion)
	for _, row := range x.rows {
		if x.teams.EraseRow(row, e.erasedVersion) {
			x.played = append(x.played, e.recordingOf(row.K))
		}
	}
	after := state.New(e.Builtins(), e.plan.Seats)
	return x, after, after.Fold(x.acts, x.rows)
}

// written returns the lines of a log that count: a write that failed may have left others.
func (e *Event) written(l *disk.Log, name string) ([]byte, error) {
	text, err := disk.ReadLog(e.disk, filepath.Join(e.dir, name))
	if err != nil {
		return nil, err
	}
	return text[:l.End], nil
}

// erasedVersion returns the name that a version has in rows once its team is forgotten. Equal
// versions have equal names, also if it is computed again.
func (e *Event) erasedVersion(name string) string {
	mac := hmac.New(sha256.New, e.secret)
	mac.Write([]byte(name))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// recordingOf returns the path of the recording of a match.
func (e *Event) recordingOf(match int) string {
	return filepath.Join(e.RecordingsDir(), RecordingOf(match))
}

// rewrite writes both logs and the plan.
func (x *erasure) rewrite(after *state.State) error {
	var rows, acts []byte
	for _, row := range x.rows {
		rows = row.Append(rows)
	}
	for _, a := range x.acts {
		acts = state.AppendAct(acts, a, state.Time(a))
	}
	err := x.replace(&x.Event.rows, rowsFile, rows)
	if err == nil {
		err = x.writePlan(after.Teams.All())
	}
	if err == nil {
		err = x.replace(&x.Event.acts, actsFile, acts)
	}
	return err
}

// replace replaces the text of a log. A log that could not be opened again takes no more lines.
func (e *Event) replace(l **disk.Log, name string, text []byte) error {
	path := filepath.Join(e.dir, name)
	_ = (*l).Close() // else Windows does not replace it
	err := disk.WriteFile(e.disk, path, text)
	opened, _, again := disk.OpenLog(e.disk, path)
	if again == nil {
		*l = opened
	}
	return errors.Join(err, again)
}

// removeFiles removes files, some of which may be gone already.
func (e *Event) removeFiles(paths []string) (err error) {
	for _, path := range paths {
		if one := e.disk.Remove(path); !errors.Is(one, fs.ErrNotExist) {
			err = errors.Join(err, one)
		}
	}
	return err
}

// removeOutputs removes what the bots of teams printed.
func (e *Event) removeOutputs(teams []*state.Team) error {
	var paths []string
	for _, t := range teams {
		path := filepath.Join(e.OutputDir(), Key(t.Number)+".log")
		paths = append(paths, path, path+".part")
	}
	return e.removeFiles(paths)
}

// removeVersions removes the versions that only forgotten teams have sent, with their exams.
func (x *erasure) removeVersions() (err error) {
	for _, digest := range x.traces.Versions {
		err = errors.Join(err, os.RemoveAll(filepath.Join(x.VersionsDir(), digest)), x.RemoveExam(digest))
	}
	return err
}

// RemoveExam removes the cups that exams of a version are.
func (e *Event) RemoveExam(digest string) (err error) {
	for _, dir := range subfolders(filepath.Join(e.dir, examsDir)) {
		text, unread := os.ReadFile(filepath.Join(dir, planFile))
		if unread == nil && bytes.Contains(text, []byte(digest)) {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	return err
}

// subfolders returns the paths of what a folder holds, which may be missing.
func subfolders(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, one := range entries {
		paths = append(paths, filepath.Join(dir, one.Name()))
	}
	return paths
}

// removeOrphans removes versions that no team has sent, of which an upload was interrupted, and the
// exams, of which only the results count.
func (e *Event) removeOrphans() error {
	err := os.RemoveAll(filepath.Join(e.dir, examsDir))
	for _, dir := range subfolders(e.VersionsDir()) {
		if !e.state.Versions.Has(filepath.Base(dir)) {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	return err
}

// staleRecordings returns the recordings of a folder that belong to no result, since their matches
// were interrupted.
func (e *Event) staleRecordings() (paths []string) {
	entries, _ := e.disk.List(e.RecordingsDir())
	for _, one := range entries {
		if path := filepath.Join(e.RecordingsDir(), one.Name()); !e.isOfResult(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// isOfResult reports whether a path is that of the recording of a result.
func (e *Event) isOfResult(path string) bool {
	name, isRecording := strings.CutSuffix(filepath.Base(path), archive.Extension)
	k, err := strconv.Atoi(name)
	return isRecording && err == nil && k < e.state.Results.Len()
}

// staleNow returns the recordings that were stale when the event was opened and still are: a later
// match may have got the name of one.
func (e *Event) staleNow() []string {
	return slices.DeleteFunc(slices.Clone(e.stale), e.isOfResult)
}
