package rehearsal

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/contest/results"
)

// Errors collects the lines of a log at the level error. It implements zerolog.LevelWriter.
type Errors struct {
	mu    sync.Mutex
	lines []string
}

// Write implements io.Writer.
func (e *Errors) Write(line []byte) (int, error) { return len(line), nil }

// WriteLevel implements zerolog.LevelWriter.
func (e *Errors) WriteLevel(level zerolog.Level, line []byte) (int, error) {
	if level >= zerolog.ErrorLevel {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.lines = append(e.lines, strings.TrimSpace(string(line)))
	}
	return len(line), nil
}

// shownErrors bounds the lines that are printed: the first ones say most.
const shownErrors = 10

// Report prints the failures of a rehearsal whose event is in a folder. It returns an error if
// honest bots or the event itself failed.
func Report(w io.Writer, dir string, perMinute float64, log *Errors) error {
	seats, failed, matches, err := count(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d matches, %.0f a minute\n", matches, perMinute)
	for _, kind := range slices.Sorted(maps.Keys(seats)) {
		var list []string
		for _, forfeit := range slices.Sorted(maps.Keys(failed[kind])) {
			list = append(list, fmt.Sprintf("%s in %d", forfeit, failed[kind][forfeit]))
		}
		what := strings.Join(list, ", ")
		if what == "" {
			what = "played all to the end"
		}
		fmt.Fprintf(w, "%-6s bots: %d seats, %s\n", kind, seats[kind], what)
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	for _, line := range log.lines[:min(len(log.lines), shownErrors)] {
		fmt.Fprintln(w, "error:", line)
	}
	switch {
	case matches == 0:
		return errors.New("no match was played: rehearse longer")
	case len(failed[honest])+len(failed[late]) > 0:
		return errors.New("honest bots did not play all matches to the end: the machine is too " +
			"slow for that many teams; rehearse with fewer --teams, or a longer --turn-timeout")
	case len(log.lines) > 0:
		return fmt.Errorf("%d errors: see above", len(log.lines))
	}
	fmt.Fprintln(w, "nothing broke but what the bots broke themselves")
	return nil
}

// count returns how many seats each kind of bot had in the matches of an event, and in how many it
// failed how.
func count(
	dir string,
) (seats map[string]int, failed map[string]map[string]int, matches int, err error) {
	seats, failed = map[string]int{}, map[string]map[string]int{}
	f, err := os.Open(filepath.Join(dir, "log.ndjson"))
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	for rows := results.NewReader(f, 0, 0); ; matches++ {
		row, err := rows.Read()
		if err == io.EOF {
			return seats, failed, matches, nil
		}
		if err != nil {
			return nil, nil, 0, err
		}
		for seat, nick := range row.Bots {
			kind := strings.TrimRight(nick, "0123456789")
			if !slices.Contains([]string{honest, late, hanging, leaving, broken}, kind) {
				continue
			}
			seats[kind]++
			if forfeit := row.Forfeits[seat]; forfeit != "" {
				if failed[kind] == nil {
					failed[kind] = map[string]int{}
				}
				failed[kind][forfeit]++
			}
		}
	}
}
