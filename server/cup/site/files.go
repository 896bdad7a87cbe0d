package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/web"
)

// Options say what is written.
type Options struct {
	Cup     *archive.Cup
	Games   games.List // whose recordings can be shown
	Dir     string     // the folder to write into; files of an earlier export are replaced
	Replays int        // at most this many matches get a page, the first ones
	// Progress is called with the number of matches that were read, or of replays that were written,
	// and of all; 0 if that is not known. It may be nil.
	Progress func(unit string, done, total int)

	// Row returns a match as it is written, nil: it is left out. Tables returns what replaces the
	// files of the standings, by their names; it gets the matches that have a page. Both are nil
	// for a cup, and set for an event.
	Row    func(*results.Row) *results.Row
	Tables func(replays []Match) map[string]func(io.Writer) error
}

// Result is what was written.
type Result struct {
	Matches int
	Replays int
	Left    int     // recordings without a page, as there were more than Options.Replays
	Failed  []error // recordings that could not be shown, each of which is named
}

// matchesDir is the folder of the replays.
const matchesDir = "matches"

// Write writes the files. If ctx ends, it returns an error, and the files that are complete remain.
func Write(ctx context.Context, o Options) (*Result, error) {
	if err := os.MkdirAll(filepath.Join(o.Dir, matchesDir), 0o755); err != nil {
		return nil, err
	}
	files, err := o.Cup.Recordings()
	if err != nil {
		return nil, err
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	s := &writer{Options: o, ctx: ctx, files: files}
	if err := s.writeMatches(); err != nil {
		return nil, err
	}
	if err := s.writeReplays(); err != nil {
		return nil, err
	}
	if err := s.writeStandings(); err != nil {
		return nil, err
	}
	return &s.result, nil
}

// writer writes one site.
type writer struct {
	Options
	ctx    context.Context // of the call of Write
	files  map[int]string  // recordings by match
	kept   []Match         // that get a page, in order
	table  *standings.Table
	result Result
}

// writeMatches writes all matches, and finds those that were recorded.
func (s *writer) writeMatches() error {
	total := 0 // of an event it is not known
	if s.Row == nil {
		total = s.Cup.Plan.Matches()
	}
	return s.write("matches.csv", func(table io.Writer) error {
		return s.write(listFile, func(list io.Writer) error {
			origin := s.Cup.Origin().InTables()
			origin.Plan = s.Cup.Plan.Digest().String()
			lines, before := standings.NewMatchWriter(table, origin), "[\n"
			sums, err := s.Cup.Standings(func(row *results.Row) error {
				if s.ctx.Err() != nil {
					return s.ctx.Err()
				}
				if s.Row != nil {
					if row = s.Row(row); row == nil {
						return nil
					}
				}
				s.result.Matches++
				s.Progress("match", s.result.Matches, total)
				s.note(row)
				lines.Write(row)
				text, err := json.Marshal(row)
				if before == "[\n" { // as in the CSV
					text, err = json.Marshal(firstRow{row, origin})
				}
				if err == nil {
					_, err = fmt.Fprintf(list, "%s%s", before, text)
				}
				before = ",\n"
				return err
			})
			if err != nil {
				return err
			}
			s.table = sums.Table(rating.TableResamples)
			if s.result.Matches == 0 {
				before = "[" // an empty list
			} else {
				before = "\n"
			}
			_, err = io.WriteString(list, before+"]\n")
			return errors.Join(err, lines.Flush())
		})
	})
}

// firstRow is the first row in matches.json.
type firstRow struct {
	*results.Row
	standings.Origin
}

// note remembers the row of a match that gets a page.
func (s *writer) note(row *results.Row) {
	switch {
	case s.files[row.K] == "":
	case len(s.kept) < s.Replays:
		s.kept = append(s.kept, Match{Row: row, Replay: fmt.Sprintf("%s/%d.html", matchesDir, row.K)})
	default:
		s.result.Left++
	}
}

// writeReplays writes a page for each match that was recorded. A recording that cannot be shown,
// such as one that is being written, is left out.
func (s *writer) writeReplays() error {
	format := pageFormat(s.Games)
	shown := s.kept[:0]
	for i, m := range s.kept {
		s.Progress("replay", i, len(s.kept))
		r := export.Recording{Path: s.files[m.K], Games: s.Games, Progress: func(int, int) {}}
		err := s.write(m.Replay,
			func(w io.Writer) error { return format.Write(s.ctx, w, r, export.Options{}) })
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err != nil {
			s.result.Failed = append(s.result.Failed, fmt.Errorf("match %d has no replay: %w", m.K, err))
		} else {
			shown = append(shown, m)
		}
	}
	s.kept = shown
	s.result.Replays = len(shown)
	return nil
}

// pageFormat returns the format that is one page.
func pageFormat(list games.List) *export.Format {
	formats := export.Formats(list)
	for i := range formats {
		if formats[i].Name == "html" {
			return &formats[i]
		}
	}
	panic("no format is a page")
}

// writeStandings writes the standings as data and as the page.
func (s *writer) writeStandings() error {
	files := map[string]func(io.Writer) error{
		"standings.csv":  s.table.WriteCSV,
		"standings.json": s.table.WriteJSON,
		"meetings.csv":   s.table.WriteMeetings,
		"index.html":     s.writePage,
	}
	if s.Tables != nil {
		files = s.Tables(s.kept)
	}
	for name, write := range files {
		if err := s.write(name, write); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes the page, which has all that it shows in itself.
func (s *writer) writePage(w io.Writer) error {
	board := NewScoreboard(s.Cup, s.table, s.kept)
	board.Matches = slices.Clone(s.kept)
	slices.Reverse(board.Matches)
	text, err := json.Marshal(board)
	if err != nil {
		return err
	}
	return web.WriteCup(w, s.Cup.Name(), text)
}

// listFile is the file of a site that appears first.
const listFile = "matches.json"

// Files returns the paths of the files in a folder that Write has written; nil: it has not. Once
// all but the last are removed, the last still tells that.
func Files(dir string) (paths []string) {
	text := make([]byte, len(`[`+"\n"+`{"k":`))
	f, err := os.Open(filepath.Join(dir, listFile))
	if err != nil {
		return nil
	}
	n, _ := io.ReadFull(f, text)
	_ = f.Close()
	if s := string(text[:n]); s != "[]\n" && s != `[`+"\n"+`{"k":` {
		return nil
	}
	replays, _ := os.ReadDir(filepath.Join(dir, matchesDir))
	for _, one := range replays {
		number, page := strings.CutSuffix(one.Name(), ".html")
		if _, err := strconv.Atoi(number); page && err == nil {
			paths = append(paths, filepath.Join(dir, matchesDir, one.Name()))
		}
	}
	for _, name := range []string{
		"index.html", "meetings.csv", "standings.json", "standings.csv", "matches.csv", listFile,
	} {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// write writes a file of the site, which appears when it is complete.
func (s *writer) write(name string, write func(io.Writer) error) error {
	return export.ToFile(filepath.Join(s.Dir, filepath.FromSlash(name)), nil, write)
}
