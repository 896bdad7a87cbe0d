package cup

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/result"
)

// timesHeader names the fields of the times of a seat. What was printed is that of a bot that did not
// hold out: its last lines, in one field, with "\n" for the end of a line, so that each seat has a line
// of the file.
const timesHeader = "k,started,ms,host,seat,bot,turns,skipped,p50_us,p99_us,max_us,exit,printed"

// seatTimes are the times of a seat in a match.
type seatTimes struct {
	k       int
	started time.Time
	took    time.Duration
	host    string
	seat    int // from 1
	bot     string
	result.Figures
	exit    string
	printed []string
}

// fields returns the fields of the line.
func (s *seatTimes) fields() []string {
	micros := func(m result.Millis) string { return strconv.FormatInt(time.Duration(m).Microseconds(), 10) }
	return []string{
		strconv.Itoa(s.k), s.started.UTC().Format("2006-01-02T15:04:05.000Z"), strconv.FormatInt(s.took.Milliseconds(), 10), s.host,
		strconv.Itoa(s.seat), s.bot, strconv.Itoa(s.Answers), strconv.Itoa(s.Skipped),
		micros(s.Time.P50), micros(s.Time.P99), micros(s.Time.Max), s.exit, escape(s.printed),
	}
}

// escape joins lines.
func escape(lines []string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(lines, "\n"), `\`, `\\`), "\n", `\n`)
}

// wholeTimes returns the length of a file of times without a last line that was not finished, and 0
// if there is no such file.
func wholeTimes(path string) (int64, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	const longest = 1 << 16 // of a line: ten lines that a bot printed, escaped
	begin := max(0, end-longest)
	if _, err := f.Seek(begin, io.SeekStart); err != nil {
		return 0, err
	}
	tail, err := io.ReadAll(bufio.NewReader(f))
	if err != nil {
		return 0, err
	}
	i := strings.LastIndexByte(string(tail), '\n')
	if i < 0 {
		return 0, nil
	}
	return begin + int64(i) + 1, nil
}
