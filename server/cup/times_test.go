package cup

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"
)

// A line of times.csv is one of CSV with a field for each name of the header, whatever a bot prints
// and however it ends.
func TestTimesLine(t *testing.T) {
	s := seatTimes{
		K: 7, Started: time.Date(2026, 11, 23, 16, 34, 22, 123456789, time.FixedZone("", 3600)),
		Took: 1234567 * time.Microsecond, Host: "a,b",
		Seat: 2, Bot: `b "c"`, Answers: 3, Skipped: 4, Missed: 5, P50: 6 * time.Microsecond,
		P99: 7 * time.Microsecond, Max: 8 * time.Microsecond,
		Exit: "exit\nstatus\x00 1", Printed: []string{"x, y", `\`, "\r", ""}, CPU: 9 * time.Microsecond,
		Lag: 10 * time.Microsecond,
	}
	want := []string{
		"7", "2026-11-23T15:34:22.123Z", "1234", "a,b", "2", `b "c"`, "3", "4", "6", "7", "8",
		"exit; status 1", `x, y\n\\\n` + "\r" + `\n`, "9", "10",
	}
	text := s.append(nil)
	got, err := csv.NewReader(bytes.NewReader(text)).Read()
	if err != nil || !slices.Equal(got, want) || len(got) != strings.Count(timesHeader, ",")+1 {
		t.Errorf("the line %q is read as %q, %v, want %q", text, got, err, want)
	}
	s.CPU = 0
	if text := s.append(nil); !bytes.HasSuffix(text, []byte(",,10\n")) {
		t.Errorf("without a known processor time the line is %q", text)
	}
}
