package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/disk"
	"github.com/hexarena/hexarena/server/event/versions"
)

// Act is one line of the log of acts: what the operator, a team or the event itself did. Together with the results of
// matches, the acts are all that an event is; a later act can take back what an earlier one did, and none is ever removed.
type Act struct {
	Kind string `json:"act"`
	At   int64  `json:"at"`             // Unix time in seconds; nothing but what people read depends on it
	Team int    `json:"team,omitempty"` // number of the team, from 0
	Name string `json:"name,omitempty"`
	Nick string `json:"nick,omitempty"`
	From string `json:"from,omitempty"` // the address that a team signed up from; "": it is of the class list
	// On says that the act takes effect; false takes it back. Of a round it says that Match is played again.
	On      bool    `json:"on,omitempty"`
	Match   int     `json:"match,omitempty"`   // its number, from 0
	First   int     `json:"first,omitempty"`   // matches before the round
	Matches [][]int `json:"matches,omitempty"` // of a round: its teams by seat; other seats have built-in bots
	Waiting []int   `json:"waiting,omitempty"` // teams that were ready, and have no match in the round
	Text    string  `json:"text,omitempty"`    // of a message

	Sent    *versions.Version `json:"sent,omitempty"`    // the version that a team sent
	Version string            `json:"version,omitempty"` // the digest of the version that was tried
	Reason  string            `json:"reason,omitempty"`  // why it plays no rounds, or none any more

	When   int64          `json:"when,omitempty"`   // the deadline, as Unix time in seconds; 0: there is none
	Best   int            `json:"best,omitempty"`   // of a final: matches of each table of the knock-out
	Teams  []int          `json:"teams,omitempty"`  // of a final, the best first; or those that are removed
	Seats  int            `json:"seats,omitempty"`  // of a final's matches
	Final  bool           `json:"final,omitempty"`  // of a round: its matches are those of a final
	Frozen map[int]string `json:"frozen,omitempty"` // by team: the version that plays official matches

	Exam *examRecord `json:"exam,omitempty"` // of a version
}

// The kinds of acts.
const (
	joined   = "joined"   // a team signed up, with a name and a nickname
	renamed  = "renamed"  // a team has another name; its nickname stays
	rested   = "rested"   // a team does not play, or does again
	begun    = "round"    // a round began
	voided   = "void"     // a match does not count, or does again
	paused   = "paused"   // no round begins, or rounds do again
	recoded  = "code"     // another code is needed to sign up
	hidden   = "hidden"   // a team is not on the screen, or is again
	told     = "message"  // the screen shows a message; an empty one is none
	kicked   = "kick"     // the bots of a team were disconnected, which may come back
	changed  = "setup"    // the next rounds are played on another board or at another pace, until the program ends
	sent     = "sent"     // a team sent a version
	tried    = "tried"    // a version was tried, and plays rounds if it is On
	benched  = "failed"   // a version that was sent rests, since it failed too often
	deadline = "deadline" // when versions freeze
	frozen   = "frozen"   // versions are frozen, or are not any more
	removed  = "removed"  // teams are removed, or are back
	finals   = "final"    // a final begins, or is taken back
	examined = "exam"     // a version took an exam
)

// logFile is a file of lines, each of which is on the disk once it is added.
type logFile struct {
	file disk.File
	end  int64
	torn bool // there may be something after the end
}

// openLog opens a log, cuts off a last line that was being written, and returns the text of the other lines. A line with a zero
// byte, which a loss of power leaves, ends it as well.
func openLog(d disk.Disk, path string) (l *logFile, text []byte, err error) {
	file, err := d.OpenWrite(path)
	if err != nil {
		return nil, nil, err
	}
	l = &logFile{file: file}
	text, err = disk.ReadLog(d, path)
	for err == nil {
		line, _, whole := bytes.Cut(text[l.end:], []byte("\n"))
		if !whole || bytes.IndexByte(line, 0) >= 0 {
			break
		}
		l.end += int64(len(line)) + 1
	}
	if err == nil {
		err = disk.Recover(file, l.end)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return l, text[:l.end], nil
}

// add adds lines, each with a line feed, and returns once they are on the disk. After an error, the bytes that were written are cut off, at
// once or before the next lines are written: otherwise a part of them could follow a shorter line.
func (l *logFile) add(lines []byte) error {
	if err := l.cut(); err != nil {
		return err
	}
	l.torn = true
	_, err := l.file.WriteAt(lines, l.end)
	if err == nil {
		err = l.file.Sync()
	}
	if err == nil {
		l.end += int64(len(lines))
	}
	if err == nil {
		l.torn = false
	}
	return errors.Join(err, l.cut())
}

// cut cuts off the bytes that a failed write has left.
func (l *logFile) cut() error {
	if !l.torn {
		return nil
	}
	err := l.file.Truncate(l.end)
	l.torn = err != nil
	return err
}

// parseActs returns the acts of a text.
func parseActs(text []byte) (acts []*Act, err error) {
	for line := range bytes.Lines(text) {
		a, err := parseAct(line[:len(line)-1])
		if err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", len(acts)+1, actsFile, err)
		}
		acts = append(acts, a)
	}
	return acts, nil
}

// parseAct returns the act of a line.
func parseAct(line []byte) (*Act, error) {
	a := new(Act)
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(a); err != nil {
		return nil, fmt.Errorf("%.80q: %w", line, err)
	}
	return a, nil
}

// append appends the act as a line.
func (a *Act) append(dst []byte) []byte {
	line, err := json.Marshal(a)
	if err != nil {
		panic(err) // no field can fail
	}
	return append(append(dst, line...), '\n')
}
