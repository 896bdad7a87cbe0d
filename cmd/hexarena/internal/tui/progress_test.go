package tui

import (
	"strings"
	"testing"
	"time"
)

// Without a terminal, progress is a line every few seconds.
func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		bar         bool
		said, after string
	}{
		{false, "m: turn 50 of 100\n", ""},
		{true, "\r" + strings.Repeat("█", 15) + strings.Repeat("░", 15) + " turn 50 of 100", "\r" + strings.Repeat(" ", 45) + "\r"},
	} {
		var out strings.Builder
		p := NewProgress(&out, "m")
		p.bar = tt.bar
		p.Step(49, 100)
		if out.Len() > 0 {
			t.Errorf("bar %t: within the first second: %q", tt.bar, out.String())
		}
		p.next = time.Time{}
		p.Step(50, 100)
		p.Step(51, 100)
		p.Done()
		if got, want := out.String(), tt.said+tt.after; got != want {
			t.Errorf("bar %t: said %q, want %q", tt.bar, got, want)
		}
	}
}
