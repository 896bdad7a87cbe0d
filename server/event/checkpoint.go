package event

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/disk"
	"github.com/hexarena/hexarena/server/nickname"
)

const (
	// checkpointFile holds the state of the event at the beginning of a round. The logs are the truth: without the file, and with
	// one that does not fit, all of them is read.
	checkpointFile = "acts/checkpoint.json"
	// checkpointVersion is the version of the format. A program ignores checkpoints of another version.
	checkpointVersion = 4
	// checkpointRows is after how many matches a checkpoint is written. To read that many takes a tenth of a second, as does
	// writing the checkpoint of an event of 200 teams.
	checkpointRows = 5000
)

// checkpoint is the state of an event after some acts and results, so that those need not be read again.
type checkpoint struct {
	Version    int         `json:"version"`
	Acts       int64       `json:"acts"` // offset of the first one after it
	Rows       int64       `json:"rows"` // the same
	ActsDigest plan.Digest `json:"acts_digest"`
	RowsDigest plan.Digest `json:"rows_digest"`

	State savedState `json:"state"`
}

// savedState is a state as a checkpoint has it. Versions are not frozen in it.
type savedState struct {
	Teams    []*Team                `json:"teams"`
	Called   map[string]int         `json:"called"`
	Field    *pairing.Field         `json:"field"`
	Last     *savedRound            `json:"last"`
	First    int                    `json:"first"` // of the matches that are all there
	Matches  []json.RawMessage      `json:"matches"`
	Old      []json.RawMessage      `json:"old"` // the earlier ones that pages show
	Tally    *tally                 `json:"tally"`
	Before   *tally                 `json:"before"`
	Void     map[int]bool           `json:"void"`
	Unrated  map[int]bool           `json:"unrated"`
	Paused   bool                   `json:"paused"`
	Told     string                 `json:"told"`
	Codes    int                    `json:"codes"`
	Acts     int                    `json:"acts"`
	Deadline int64                  `json:"deadline"`
	Sent     map[int][]*Sent        `json:"sent"`
	Sends    map[int]int            `json:"sends"`
	Failures map[int]map[string]int `json:"failures"`
	Exams    map[int][]*examRecord  `json:"exams"`
}

// savedRound is the last round, which is over.
type savedRound struct {
	Round
	Played []bool `json:"played"`
}

// saved returns the state as a checkpoint has it. The last round is over, and versions are not frozen.
func (s *state) saved() savedState {
	n := s.rows.len()
	s.standingsBefore() // which brings that tally up to date
	v := savedState{
		Teams: s.teams, Called: s.called, Field: s.field, First: max(0, n-shownRows), Tally: s.tallied(), Before: s.before, Void: s.void, Unrated: s.unrated,
		Paused: s.paused, Told: s.told, Codes: s.codes, Acts: s.acts, Deadline: s.deadline, Sent: s.sent, Sends: s.sends, Failures: s.failures, Exams: s.exams,
	}
	if s.last != nil {
		v.Last = &savedRound{*s.last, s.last.played}
		v.First = min(v.First, s.last.First)
	}
	old := map[int]bool{}
	for _, one := range s.tally.Teams {
		for _, match := range one.Shown {
			old[match] = match < v.First
		}
	}
	for _, match := range slices.Sorted(maps.Keys(old)) {
		if old[match] {
			v.Old = append(v.Old, lineOf(s.rows.at(match)))
		}
	}
	for match := v.First; match < n; match++ {
		v.Matches = append(v.Matches, lineOf(s.rows.at(match)))
	}
	return v
}

func lineOf(row *results.Row) json.RawMessage {
	line := row.Append(nil)
	return line[:len(line)-1]
}

// restore sets a new state to one that saved returned.
func (s *state) restore(v *savedState) (err error) {
	s.rows = rowList{first: v.First, old: map[int]*results.Row{}}
	for _, line := range slices.Concat(v.Old, v.Matches) {
		row := new(results.Row)
		if err = json.Unmarshal(line, row); err != nil {
			return err
		}
		if s.rows.old[row.K] = row; row.K >= v.First {
			s.rows.add(row)
		}
	}
	for _, t := range v.Teams {
		s.nicks[t.Nick], s.taken[nickname.Fold(t.Nick)] = t, true
		if !t.Removed {
			s.names[nickname.Fold(t.Name)] = true
		}
	}
	s.called = v.Called
	s.teams, s.field, s.tally, s.before, s.void, s.unrated = v.Teams, v.Field, v.Tally, v.Before, v.Void, v.Unrated
	s.paused, s.told, s.codes, s.acts, s.deadline = v.Paused, v.Told, v.Codes, v.Acts, v.Deadline
	s.sent, s.sends, s.failures, s.exams = v.Sent, v.Sends, v.Failures, v.Exams
	if v.Last != nil {
		s.last = &v.Last.Round
		s.last.played, s.last.closed = v.Last.Played, true
	}
	return nil
}

// readCheckpoint returns the checkpoint in the folder of an event, or nil if the file is missing or damaged.
func readCheckpoint(d disk.Disk, dir string) *checkpoint {
	content, err := disk.ReadLog(d, filepath.Join(dir, checkpointFile))
	if err != nil {
		return nil
	}
	text, whole := archive.Unseal(content)
	p := new(checkpoint)
	if !whole || json.Unmarshal(text, p) != nil || p.Version != checkpointVersion {
		return nil
	}
	return p
}

// save writes a checkpoint if it is time. The caller writes, and the last round is over. Without a checkpoint, since the disk is full,
// the event is only opened more slowly.
func (e *Event) save() {
	e.mu.Lock()
	s := e.state
	if s.frozen != nil || s.final != nil || s.rows.len() < e.saved+e.saves {
		e.mu.Unlock()
		return
	}
	e.saved = s.rows.len() // also if it fails: then the next one is tried after as many matches
	text, err := json.Marshal(&checkpoint{
		Version: checkpointVersion, Acts: e.acts.end, Rows: e.rows.end, ActsDigest: e.acts.digest(), RowsDigest: e.rows.digest(), State: s.saved(),
	})
	e.mu.Unlock()
	if err == nil {
		err = disk.WriteFile(e.disk, filepath.Join(e.dir, checkpointFile), archive.Seal(text))
	}
	if err != nil {
		e.log.Warn().Err(err).Msg("No checkpoint of the event can be written, and it will be opened more slowly")
	}
}

// fill reads the results that are not in memory. Acts that change the past need all of them.
func (e *Event) fill() error {
	e.mu.Lock()
	first := e.state.rows.first
	e.mu.Unlock()
	if first == 0 {
		return nil
	}
	text, err := disk.ReadLog(e.disk, filepath.Join(e.dir, rowsFile))
	if err != nil {
		return err
	}
	rows, err := parseRows(text, 0, first)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state.rows.first > 0 { // it was not filled meanwhile
		e.state.rows.fill(rows)
	}
	return nil
}
