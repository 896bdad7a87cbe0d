package cup

import (
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/result"
)

// timesHeader names the fields of the times of a seat. The output is that of a bot that did not
// hold out: its last lines, in one field, with "\n" for the end of a line, so that each seat has a
// line of the file. New fields come last, since a cup may go on that an older version began, with
// its header.
const timesHeader = "k,started,ms,host,seat,bot,turns,skipped,p50_us,p99_us,max_us,exit,printed,cpu_us,lag_us"

// seatTimes are the times of a seat in a match. Workers send them in JSON.
type seatTimes struct {
	K       int           `json:"k"`
	Started time.Time     `json:"started"`
	Took    time.Duration `json:"took"`
	Host    string        `json:"host"`
	Seat    int           `json:"seat"` // from 1
	Bot     string        `json:"bot"`
	Answers int           `json:"answers"`           // turns that it answered
	Skipped int           `json:"skipped,omitempty"` // turns that ended before it answered
	Missed  int           `json:"missed,omitempty"`  // turns for which it was not connected
	P50     time.Duration `json:"p50"`               // used per turn
	P99     time.Duration `json:"p99"`
	Max     time.Duration `json:"max"`
	Exit    string        `json:"exit,omitempty"`
	Printed []string      `json:"printed,omitempty"`
	CPU     time.Duration `json:"cpu,omitempty"` // of the processor; 0: not known
	Lag     time.Duration `json:"lag,omitempty"` // the largest of this process during the match
}

// timesOf returns the times of a seat.
func timesOf(k, i int, bot string, s *result.SeatReport) seatTimes {
	t := seatTimes{
		K: k, Seat: i + 1, Bot: bot, Answers: s.Answers, Skipped: s.Skipped, Missed: s.Missed,
		P50: time.Duration(s.Time.P50), P99: time.Duration(s.Time.P99), Max: time.Duration(s.Time.Max),
		Exit: s.Error, CPU: time.Duration(s.CPU),
	}
	if s.Status != result.Held {
		t.Printed = s.LastLines
	}
	return t
}

// append appends the line of the file.
func (s *seatTimes) append(dst []byte) []byte {
	number := func(n int64) { dst = append(strconv.AppendInt(dst, n, 10), ',') }
	text := func(text string) { dst = append(appendField(dst, archive.GuardField(text)), ',') }
	number(int64(s.K))
	dst = append(s.Started.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z"), ',')
	number(s.Took.Milliseconds())
	text(textutil.Cell(s.Host))
	number(int64(s.Seat))
	text(textutil.Cell(s.Bot))
	number(int64(s.Answers))
	number(int64(s.Skipped))
	number(s.P50.Microseconds())
	number(s.P99.Microseconds())
	number(s.Max.Microseconds())
	text(oneLine(s.Exit))
	text(escape(s.Printed))
	if s.CPU > 0 {
		dst = strconv.AppendInt(dst, s.CPU.Microseconds(), 10)
	}
	return append(strconv.AppendInt(append(dst, ','), s.Lag.Microseconds(), 10), '\n')
}

// appendField appends a text as a field of CSV. A csv.Writer would take each line as a list of
// texts.
func appendField(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, "\",\r\n") {
		return append(dst, text...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// archived returns the times as they are read from the file.
func (s *seatTimes) archived() archive.Times {
	t := archive.Times{
		Seat: s.Seat, Turns: s.Answers, Skipped: s.Skipped, Exit: oneLine(s.Exit),
		CPU: s.CPU.Truncate(time.Microsecond), Lag: s.Lag.Truncate(time.Microsecond),
	}
	if escape(s.Printed) != "" { // the field of which is that of no lines
		t.Printed = make([]string, len(s.Printed))
		for i, line := range s.Printed {
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

// oneLine returns a text without ends of lines, so that each seat has one line of the file, and
// without zeros, which are what a loss of power leaves.
func oneLine(text string) string { return withoutLines.Replace(text) }

// escape joins lines.
func escape(lines []string) string {
	return escapedLines.Replace(strings.Join(lines, "\n"))
}
