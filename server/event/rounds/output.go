package rounds

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/match"
)

const (
	// maxOutput bounds the end of a bot's output that its team is shown, in bytes.
	maxOutput = 64 << 10
	// ReportInterval is the time between two reports of a team, which hexarena join keeps to: with
	// those of forty teams a room has less than 1 Mbit/s, while all bots print as much as they can.
	ReportInterval = 5 * time.Second
	// maxTeamDebug bounds the end of the debug of a team's last match that is kept, in bytes.
	maxTeamDebug = 16 << 10
)

// Outputs holds the debug of bots, which their teams and the operator may see, and the times of the
// reports of output, which is in files.
type Outputs struct {
	disk     disk.Disk
	dir      string // of the files
	versions string // the folder of all versions, whose path is not for those that send them

	mu       sync.Mutex
	debugs   map[int][]byte    // of each team's last match, a line for each value
	reported map[int]time.Time // until when the reports of a team count
}

// debug returns a function that keeps the debug of a match that begins. Its teams have the ids from
// 0 on.
func (o *Outputs) debug(teams []int) match.Debug {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.debugs == nil {
		o.debugs = map[int][]byte{}
	}
	for _, team := range teams {
		delete(o.debugs, team)
	}
	return func(p engine.PlayerID, turn int, debug []byte) {
		if int(p) >= len(teams) {
			return
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		kept := fmt.Appendf(o.debugs[teams[p]], "turn %d: %s\n", turn, debug)
		if excess := len(kept) - maxTeamDebug; excess > 0 {
			kept = append(kept[:0], kept[excess:]...)
		}
		o.debugs[teams[p]] = kept
	}
}

// debugOf returns the debug of a team's last match.
func (o *Outputs) debugOf(team int) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.debugs[team])
}

// forget drops the debug of a team.
func (o *Outputs) forget(team int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.debugs, team)
}

// MayReport reports whether a team may report the output of its bot now: once in an interval, and
// once more at the end of its bot.
func (o *Outputs) MayReport(team int, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	until := o.reported[team]
	if until.Sub(now) > ReportInterval {
		return false
	}
	if until.Before(now) {
		until = now
	}
	if o.reported == nil {
		o.reported = map[int]time.Time{}
	}
	o.reported[team] = until.Add(ReportInterval)
	return true
}

// file returns the path of the file with the output of a team's bot in its last match.
func (o *Outputs) file(team int) string {
	return filepath.Join(o.dir, event.Key(team)+".log")
}

// end returns the end of the output of a team's bot.
func (o *Outputs) end(team int) (string, error) {
	printed, err := endOf(o.file(team))
	return o.withoutPaths(printed), err
}

// withoutPaths returns a text without the path of the folder of all versions.
func (o *Outputs) withoutPaths(text string) string {
	dir, err := filepath.Abs(o.versions)
	if err != nil {
		return text
	}
	return strings.ReplaceAll(text, dir+string(filepath.Separator), "")
}

// Keep replaces the output of a team's bot, also if a version that was sent still writes to the
// file.
func (o *Outputs) Keep(team int, text []byte) error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	return disk.WriteSecret(o.disk, o.file(team), text)
}

// endOf returns the end of a file.
func endOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxOutput {
		_, _ = f.Seek(-maxOutput, io.SeekEnd) // else it is shown from its beginning
	}
	text, err := io.ReadAll(io.LimitReader(f, maxOutput))
	return string(text), err
}

// printable replaces what could act on a terminal that shows a text.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '\t' || unicode.IsPrint(c) {
			return c
		}
		return unicode.ReplacementChar
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// Of returns the end of the output of a team's bot, and the debug of its last match. It is empty if
// there is neither.
func (o *Outputs) Of(team int) string {
	printed, err := o.end(team)
	debug := o.debugOf(team)
	if err != nil && debug == "" {
		return ""
	}
	if debug != "" {
		printed += "\nDebug of its last match:\n" + debug
	}
	return printable(printed)
}
