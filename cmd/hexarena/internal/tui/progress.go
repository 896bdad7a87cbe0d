package tui

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Progress reports how far a long operation is, if it takes more than a second: as a bar
// on a terminal, otherwise as a line every few seconds.
type Progress struct {
	out   io.Writer
	what  string
	bar   bool
	next  time.Time // of the next report
	drawn int       // width of the bar on the terminal
}

const (
	progressAfter = time.Second            // until the first report
	progressBar   = 100 * time.Millisecond // between changes of the bar
	progressLine  = 5 * time.Second        // between lines
)

// NewProgress returns the progress of an operation on a match.
func NewProgress(out io.Writer, what string) *Progress {
	return &Progress{out: out, what: what, bar: IsTerminal(out), next: time.Now().Add(progressAfter)}
}

// Turn reports that a turn of a match of that many turns is done.
func (p *Progress) Turn(step, turns int) {
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	if !p.bar {
		p.next = now.Add(progressLine)
		fmt.Fprintf(p.out, "%s: turn %d of %d\n", p.what, step, turns)
		return
	}
	p.next = now.Add(progressBar)
	const width = 30
	done := min(width, width*step/max(1, turns))
	line := fmt.Sprintf("%s%s turn %d of %d", strings.Repeat("█", done), strings.Repeat("░", width-done), step, turns)
	fmt.Fprintf(p.out, "\r%-*s", p.drawn, line)
	p.drawn = max(p.drawn, len([]rune(line)))
}

// Done removes the bar.
func (p *Progress) Done() {
	if p.drawn > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.drawn, "")
		p.drawn = 0
	}
}
