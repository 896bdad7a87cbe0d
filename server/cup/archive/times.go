package archive

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Times are what is known about the bot in a seat of a match beyond its result.
type Times struct {
	Seat    int    // from 1
	Exit    string // how its process ended; empty if it has none
	Printed []string
	line    string // of the file
}

// timesLog reads the file of times beside the log. It has a line for each seat, in the order of the
// matches' numbers, but matches that a cup which was killed had not written to its log are in it
// twice: then the first counts. Lines that cannot be read are left out, as results do not depend on
// them.
type timesLog struct {
	file    *os.File
	lines   *bufio.Scanner
	header  string
	k, seat int // the columns
	exit    int
	printed int
	ahead   *Times // read and not yet returned, of match aheadK
	aheadK  int
}

// maxTimesLine bounds a line: one with the last lines of a bot has some kilobytes.
const maxTimesLine = 1 << 18

// openTimes opens the file. One that does not exist has no lines.
func (c *Cup) openTimes() (*timesLog, error) {
	t := new(timesLog)
	f, err := os.Open(filepath.Join(c.Dir, timesFile))
	if errors.Is(err, fs.ErrNotExist) {
		t.lines = bufio.NewScanner(strings.NewReader(""))
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	t.file, t.lines = f, bufio.NewScanner(f)
	t.lines.Buffer(nil, maxTimesLine)
	if t.lines.Scan() {
		t.header = t.lines.Text()
	}
	names := strings.Split(t.header, ",")
	t.k, t.seat = slices.Index(names, "k"), slices.Index(names, "seat")
	t.exit, t.printed = slices.Index(names, "exit"), slices.Index(names, "printed")
	return t, nil
}

// of returns the times of match k, which must be after those asked for before.
func (t *timesLog) of(k int) (list []Times) {
	for t.read() && t.aheadK <= k {
		if t.aheadK == k && !slices.ContainsFunc(list, func(o Times) bool { return o.Seat == t.ahead.Seat }) {
			list = append(list, *t.ahead)
		}
		t.ahead = nil
	}
	return list
}

// read reads the next line, unless there is one that was read and not returned.
func (t *timesLog) read() bool {
	for t.ahead == nil && t.lines.Scan() {
		line := t.lines.Text()
		fields, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil || min(t.k, t.seat, t.exit, t.printed) < 0 || max(t.k, t.seat, t.exit, t.printed) >= len(fields) {
			continue
		}
		k, errK := strconv.Atoi(fields[t.k])
		seat, errSeat := strconv.Atoi(fields[t.seat])
		if errK != nil || errSeat != nil {
			continue
		}
		t.aheadK, t.ahead = k, &Times{Seat: seat, Exit: fields[t.exit], Printed: unescape(fields[t.printed]), line: line}
	}
	return t.ahead != nil
}

// unescape returns the lines in a field: in it, "\n" ends a line and "\\" is a backslash.
func unescape(field string) (lines []string) {
	if field == "" {
		return nil
	}
	text := strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(field)
	return strings.Split(text, "\n")
}

func (t *timesLog) close() {
	if t.file != nil {
		_ = t.file.Close()
	}
}
