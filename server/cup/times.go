package cup

import (
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/result"
)

// timesHeader names the fields of the times of a seat. The output is that of a bot that did not
// hold out: its last lines, in one field, with "\n" for the end of a line, so that each seat has a line
// of the file. New fields come last, since a cup may go on that an older version began, with its header.
const timesHeader = "k,started,ms,host,seat,bot,turns,skipped,p50_us,p99_us,max_us,exit,printed,cpu_us,lag_us"

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
	cpu     time.Duration // of the processor; 0: not known
	lag     time.Duration // the largest of this process during the match
}

// fields returns the fields of the line.
func (s *seatTimes) fields() []string {
	micros := func(m result.Millis) string { return strconv.FormatInt(time.Duration(m).Microseconds(), 10) }
	cpu := ""
	if s.cpu > 0 {
		cpu = micros(result.Millis(s.cpu))
	}
	return []string{
		strconv.Itoa(s.k), s.started.UTC().Format("2006-01-02T15:04:05.000Z"), strconv.FormatInt(s.took.Milliseconds(), 10), s.host,
		strconv.Itoa(s.seat), s.bot, strconv.Itoa(s.Answers), strconv.Itoa(s.Skipped),
		micros(s.Time.P50), micros(s.Time.P99), micros(s.Time.Max), oneLine(s.exit), escape(s.printed), cpu, micros(result.Millis(s.lag)),
	}
}

// archived returns the times as they are read from the file.
func (s *seatTimes) archived() archive.Times {
	t := archive.Times{Seat: s.seat, Turns: s.Answers, Exit: oneLine(s.exit), CPU: s.cpu.Truncate(time.Microsecond), Lag: s.lag.Truncate(time.Microsecond)}
	if escape(s.printed) != "" { // the field of which is that of no lines
		t.Printed = make([]string, len(s.printed))
		for i, line := range s.printed {
			t.Printed[i] = strings.ReplaceAll(line, "\x00", "")
		}
	}
	return t
}

// Made once, since that takes longer than all else of a row.
var (
	withoutLines = strings.NewReplacer("\n", "; ", "\x00", "")
	escapedLines = strings.NewReplacer("\x00", "", `\`, `\\`, "\n", `\n`)
)

// oneLine returns a text without ends of lines, so that each seat has one line of the file, and without zeros,
// which are what a loss of power leaves.
func oneLine(text string) string { return withoutLines.Replace(text) }

// escape joins lines.
func escape(lines []string) string {
	return escapedLines.Replace(strings.Join(lines, "\n"))
}
