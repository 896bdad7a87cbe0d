package event

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/disk"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
)

const (
	// maxOutput bounds what a team is shown of the output of its bot, the end of it, in bytes.
	maxOutput = 64 << 10
	// maxReported bounds the output that hexarena join reports at once, in bytes: twice as much as it keeps.
	maxReported = 16 << 10
	// reportInterval is the time between two reports of a team, which hexarena join keeps to: with those of forty teams a room has
	// less than 1 Mbit/s, while all bots print as much as they can.
	reportInterval = 5 * time.Second
	// maxTeamDebug bounds what is kept of the debug of a team's last match, the end of it, in bytes.
	maxTeamDebug = 16 << 10
)

// outputs holds the debug of bots, which their teams and the operator may see, and the times of the reports of output, which is in files.
type outputs struct {
	mu       sync.Mutex
	debugs   map[int][]byte    // of each team's last match, a line for each value
	reported map[int]time.Time // until when the reports of a team count
}

// debug returns a function that keeps the debug of a match that begins. Its teams have the ids from 0 on.
func (o *outputs) debug(teams []int) match.Debug {
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
func (o *outputs) debugOf(team int) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.debugs[team])
}

// mayReport reports whether a team may report now what its bot printed: once in an interval, and one more at the end of its bot.
func (o *outputs) mayReport(team int, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	until := o.reported[team]
	if until.Sub(now) > reportInterval {
		return false
	}
	if until.Before(now) {
		until = now
	}
	if o.reported == nil {
		o.reported = map[int]time.Time{}
	}
	o.reported[team] = until.Add(reportInterval)
	return true
}

// getOutput answers with the end of what the team's bot printed, and with the debug of its last match.
func (s *Site) getOutput(w http.ResponseWriter, _ *http.Request, team state.Team) {
	printed, err := endOf(s.Event.outputFile(team.Number))
	debug := s.Event.outputs.debugOf(team.Number)
	if err != nil && debug == "" {
		answer(w, http.StatusNotFound, nil, errors.New("there is no output of the team's bot: it is kept of versions that were sent, and of bots that play with hexarena join"))
		return
	}
	if debug != "" {
		printed += "\nDebug of its last match:\n" + debug
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, printable(s.Event.withoutPaths(printed))) // the client may be gone
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

// postOutput receives the end of what the team's bot printed, from the hexarena join that has started it.
func (s *Site) postOutput(w http.ResponseWriter, r *http.Request, team state.Team) {
	if !s.Event.outputs.mayReport(team.Number, time.Now()) {
		answer(w, http.StatusTooManyRequests, nil, fmt.Errorf("output is taken every %v", reportInterval))
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReported))
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, nil, fmt.Errorf("the output has more than %d KiB, or has not arrived: send its end", maxReported>>10))
		return
	}
	if err := s.Event.keepOutput(team.Number, text); err != nil {
		answer(w, http.StatusServiceUnavailable, nil, fmt.Errorf("the output cannot be kept: %w", err))
		return
	}
	answer(w, http.StatusOK, map[string]any{"bytes": len(text)}, nil)
}

// keepOutput replaces the output of a team, also if a version that was sent still writes to the file.
func (e *Event) keepOutput(team int, text []byte) error {
	path := e.outputFile(team)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteSecret(e.disk, path, text)
}
