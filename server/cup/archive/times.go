package archive

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// Times are what is known about the bot in a seat of a match beyond its result.
type Times struct {
	Seat    int    // from 1
	Turns   int    // that it answered
	Skipped int    // that ended before it had answered
	Exit    string // how its process ended; empty if it has none
	Printed []string
	CPU     time.Duration // that its process used; 0: not known
	Lag     time.Duration // the largest of the runner during the match
	line    string        // of the file
}

// timesLog reads the file of times beside the log. It has a line for each seat, in the order of the
// matches' numbers, but matches that a cup which was killed had not written to its log are in it
// twice: then the first counts. Lines that cannot be read are left out, as results do not depend on
// them.
type timesLog struct {
	file    disk.File
	lines   *bufio.Reader
	offset  int64 // of the next line
	err     error // of the disk; then lines may be missing
	header  string
	k, seat int // the columns
	turns   int
	skipped int // -1: the file has none
	exit    int
	printed int
	cpu     int // -1: the file has none
	lag     int
	ahead   *Times // read and not yet returned, of match aheadK
	aheadK  int
}

// maxTimesLine bounds a line: one with the last lines of a bot has some kilobytes.
const maxTimesLine = 1 << 18

// openTimes opens the file of times at the offset of a line, or at its beginning if that is 0. A
// file that does not exist has no lines.
func (c *Cup) openTimes(offset int64) (*timesLog, error) {
	t := &timesLog{lines: bufio.NewReader(strings.NewReader(""))}
	f, err := disk.Or(c.Disk).Open(filepath.Join(c.Dir, timesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	t.file, t.lines = f, bufio.NewReaderSize(disk.From(f, 0), maxTimesLine)
	t.header, _ = t.line()
	names := strings.Split(t.header, ",")
	t.k, t.seat = slices.Index(names, "k"), slices.Index(names, "seat")
	t.turns, t.skipped = slices.Index(names, "turns"), slices.Index(names, "skipped")
	t.exit, t.printed = slices.Index(names, "exit"), slices.Index(names, "printed")
	t.cpu, t.lag = slices.Index(names, "cpu_us"), slices.Index(names, "lag_us")
	if offset > 0 {
		t.lines.Reset(disk.From(f, offset))
		t.offset = offset
	}
	return t, nil
}

// line returns the next line without its end; ok is false if there is no whole one, or it is too
// long.
func (t *timesLog) line() (line string, ok bool) {
	bytes, err := t.lines.ReadSlice('\n')
	if err != nil {
		if err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
			t.err = err
		}
		return "", false
	}
	t.offset += int64(len(bytes))
	return string(bytes[:len(bytes)-1]), true
}

// next returns the offset of the first line that of has not seen.
func (t *timesLog) next() int64 {
	if t.ahead != nil {
		return t.offset - int64(len(t.ahead.line)) - 1
	}
	return t.offset
}

// of returns the times of the seats of a match, and forgets those of matches before it.
func (t *timesLog) of(k int) (list []Times) {
	for t.read() && t.aheadK <= k {
		if t.aheadK == k &&
			!slices.ContainsFunc(list, func(o Times) bool { return o.Seat == t.ahead.Seat }) {
			list = append(list, *t.ahead)
		}
		t.ahead = nil
	}
	return list
}

// read makes sure that a line is ahead. It returns false at the end.
func (t *timesLog) read() bool {
	for t.ahead == nil {
		line, ok := t.line()
		if !ok {
			return false
		}
		if strings.Contains(line, "\x00") {
			continue // a loss of power left it
		}
		fields, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil || min(t.k, t.seat, t.turns, t.exit, t.printed) < 0 ||
			max(t.k, t.seat, t.turns, t.exit, t.printed) >= len(fields) {
			continue
		}
		k, errK := strconv.Atoi(fields[t.k])
		seat, errSeat := strconv.Atoi(fields[t.seat])
		turns, errTurns := strconv.Atoi(fields[t.turns])
		if errK != nil || errSeat != nil || errTurns != nil {
			continue
		}
		t.aheadK, t.ahead = k, &Times{
			Seat: seat, Turns: turns, Skipped: int(number(fields, t.skipped)), Exit: unguard(fields[t.exit]),
			Printed: unescape(unguard(fields[t.printed])),
			CPU:     micros(fields, t.cpu), Lag: micros(fields, t.lag), line: line,
		}
	}
	return true
}

// GuardField returns a text as a field of the file of times, in which no spreadsheet computes it:
// an apostrophe is before characters with which a formula begins, and before an apostrophe.
func GuardField(text string) string {
	if text != "" && strings.ContainsRune("'=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// unguard returns the text of a field.
func unguard(field string) string { return strings.TrimPrefix(field, "'") }

// micros returns the duration of a column, 0 if it is empty.
func micros(fields []string, column int) time.Duration {
	return time.Duration(number(fields, column)) * time.Microsecond
}

// number returns the number of a column, 0 if it is empty or the file has no such column.
func number(fields []string, column int) int64 {
	if column < 0 || column >= len(fields) {
		return 0
	}
	n, _ := strconv.ParseInt(fields[column], 10, 64) // 0 if it is empty
	return n
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
