package tui

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Progress reports how far a long operation is, if it takes more than a second: as a bar
// on a terminal, otherwise as a line every few seconds. To [Messages] it prints an object at once,
// and each second.
type Progress struct {
	out   io.Writer
	what  string
	unit  string // what is counted
	note  string // beside the count
	bar   bool
	next  time.Time // of the next report
	drawn int       // width of the bar on the terminal
}

const (
	progressAfter = time.Second            // until the first report
	progressBar   = 100 * time.Millisecond // between changes of the bar
	progressLine  = 5 * time.Second        // between lines
	progressStep  = time.Second            // between objects
)

// NewProgress returns the progress of an operation on a match, which counts turns.
func NewProgress(out io.Writer, what string) *Progress {
	p := &Progress{out: out, what: what, unit: "turn", bar: IsTerminal(out), next: time.Now()}
	if _, asJSON := out.(*Messages); !asJSON {
		p.next = p.next.Add(progressAfter)
	}
	return p
}

// Of changes the name of what the progress counts, and returns it.
func (p *Progress) Of(unit string) *Progress {
	p.unit = unit
	return p
}

// With sets what the next reports have beside the count, and returns the progress.
func (p *Progress) With(note string) *Progress {
	p.note = note
	return p
}

// Step reports that a turn of a match of that many turns is done, or another unit of what there is
// to do. turns is 0 if it is not known how many there are.
func (p *Progress) Step(step, turns int) {
	now := time.Now()
	m, asJSON := p.out.(*Messages)
	if now.Before(p.next) {
		return
	}
	if asJSON {
		p.next = now.Add(progressStep)
		m.Object(progressed{p.what, p.unit, step, turns, p.note})
		return
	}
	count := fmt.Sprintf("%s %d", p.unit, step)
	if turns > 0 {
		count += fmt.Sprintf(" of %d", turns)
	}
	if p.note != "" {
		count += ", " + p.note
	}
	if !p.bar {
		p.next = now.Add(progressLine)
		fmt.Fprintf(p.out, "%s: %s\n", p.what, count)
		return
	}
	p.next = now.Add(progressBar)
	const width = 30
	done := 0
	if turns > 0 {
		done = min(width, width*step/turns)
	}
	line := strings.Repeat("█", done) + strings.Repeat("░", width-done) + " " + count
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
