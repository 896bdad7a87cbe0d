// Package archive reads what the folder of a cup holds, without its lock: also of a cup that is
// being played, whose newest rows it then may not see. It merges the folders of shards.
package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// Names of what a cup's folder holds.
const (
	planFile   = "plan.json"
	shardFile  = "shard.json"
	logFile    = "log.ndjson"
	timesFile  = "times.csv"
	botsDir    = "bots"
	mapsDir    = "maps"
	matchesDir = "matches"

	// Extension ends the names of recordings.
	Extension = ".hexarena"
)

// Cup is a cup in a folder.
type Cup struct {
	Dir   string
	Plan  *plan.Plan
	Shard plan.Shard // plan.Whole if the folder has no shard
	Disk  disk.Disk  // where the log is; nil: the operating system's
}

// Open returns the cup in a folder.
func Open(dir string) (*Cup, error) {
	c := &Cup{Dir: dir, Plan: new(plan.Plan), Shard: plan.Whole}
	path := filepath.Join(dir, planFile)
	err := readJSON(path, c.Plan)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no cup: it has no %s", dir, planFile)
	}
	if err == nil {
		err = c.Plan.CheckKept()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(dir, shardFile)
	if err = readJSON(path, &c.Shard); err == nil {
		err = c.Shard.Check()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func readJSON(path string, into any) error {
	text, err := disk.ReadFile(disk.Or(nil), path)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Find returns the folder of the cup that was played last, of those in a folder.
func Find(in string) (dir string, err error) {
	entries, err := os.ReadDir(in)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	newest := int64(0)
	for _, e := range entries {
		candidate := filepath.Join(in, e.Name())
		info, err := os.Stat(filepath.Join(candidate, logFile))
		if err != nil {
			continue // no cup, or one without a match
		}
		if at := info.ModTime().UnixNano(); dir == "" || at > newest {
			dir, newest = candidate, at
		}
	}
	if dir == "" {
		return "", fmt.Errorf("the folder %s has no cup: name the folder of one", in)
	}
	return dir, nil
}

// first returns the number of the first match.
func (c *Cup) first() int { return c.Shard.Next(0, c.Plan.Stretch()) }

// log reads the rows of a cup, one by one.
type log struct {
	*results.Reader
	cup  *Cup
	file disk.File
}

// openLog opens the log at the offset of the row of match k. One that does not exist has no rows.
func (c *Cup) openLog(k int, offset int64) (*log, error) {
	f, err := disk.Or(c.Disk).Open(filepath.Join(c.Dir, logFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &log{results.NewReader(strings.NewReader(""), k, offset), c, nil}, nil
	}
	if err != nil {
		return nil, err
	}
	return &log{results.NewReader(disk.From(f, offset), k, offset), c, f}, nil
}

// read returns the next row, or io.EOF.
func (l *log) read() (*results.Row, error) {
	l.Skip(l.cup.Shard.Next(l.Next(), l.cup.Plan.Stretch()))
	row, err := l.Read()
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", filepath.Join(l.cup.Dir, logFile), err)
	}
	return row, err
}

// Pick calls see for the rows of the matches that are wanted, of those before an offset of the log.
// It does not read what the other rows say, which takes most of the time.
func (c *Cup) Pick(to int64, wanted func(k int) bool, see func(*results.Row) error) error {
	l, err := c.openLog(c.first(), 0)
	if err != nil {
		return err
	}
	defer l.close()
	for l.Offset() < to && err == nil {
		l.Skip(c.Shard.Next(l.Next(), c.Plan.Stretch()))
		if !wanted(l.Next()) {
			err = l.Pass()
			continue
		}
		var row *results.Row
		if row, err = l.read(); err == nil {
			err = see(row)
		}
	}
	return err
}

func (l *log) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
}

// Rows calls see for each row, in the order of the matches' numbers, with the times of the seats
// that are known. A last row that is not complete is left out.
func (c *Cup) Rows(see func(*results.Row, []Times) error) error { return c.Follow().Rows(see) }

// Standings returns the standings after all rows, with the errors of bots. It calls see for each
// row; an error of see ends it.
func (c *Cup) Standings(see func(*results.Row) error) (*standings.Standings, error) {
	s := c.newStandings()
	return s, c.Follow().AddTo(s, see)
}

// Name returns the name of the cup's folder.
func (c *Cup) Name() string {
	path, err := filepath.Abs(c.Dir)
	if err != nil {
		path = c.Dir
	}
	return filepath.Base(path)
}

// RecordingsDir returns the folder of the recordings that were kept.
func (c *Cup) RecordingsDir() string { return filepath.Join(c.Dir, matchesDir) }

// Recording returns the file of the recording of a match, if it was kept.
func (c *Cup) Recording(k int) string {
	return filepath.Join(c.RecordingsDir(), strconv.Itoa(k)+Extension)
}

// Recordings returns the files of the matches whose recordings were kept, by the matches' numbers.
func (c *Cup) Recordings() (map[int]string, error) {
	dir := c.RecordingsDir()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	files := map[int]string{}
	for _, e := range entries {
		number, ok := strings.CutSuffix(e.Name(), Extension)
		if k, err := strconv.Atoi(number); ok && err == nil {
			files[k] = filepath.Join(dir, e.Name())
		}
	}
	return files, nil
}
