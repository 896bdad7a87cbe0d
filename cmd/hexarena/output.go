package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// writeTo lets write fill the file of that name, or stdout for -. The file
// appears when it is whole: what write fails at, or is interrupted in, leaves
// nothing behind and changes no file that was there before.
func writeTo(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	if name == "-" {
		return write(stdout)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return writeInto(name, write) // a pipe or a device: it cannot be replaced
	}
	part := fmt.Sprintf("%s.%d.part", name, os.Getpid())
	if err := writeInto(part, write); err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return os.Rename(part, name)
}

func writeInto(name string, write func(io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}

// progress says on standard error how far something has come that takes over a
// second: as a bar on a terminal, else as a line now and then.
type progress struct {
	out   io.Writer
	what  string
	turns int
	bar   bool
	next  time.Time // when something is said again
	drawn int       // columns of the bar that is on the terminal
}

// How often something is said.
const (
	progressAfter = time.Second
	progressBar   = 100 * time.Millisecond
	progressLine  = 5 * time.Second
)

func newProgress(out io.Writer, what string, turns int) *progress {
	return &progress{out: out, what: what, turns: turns, bar: isTerminal(out), next: time.Now().Add(progressAfter)}
}

// turn says that a turn is done.
func (p *progress) turn(step int) {
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	if !p.bar {
		p.next = now.Add(progressLine)
		fmt.Fprintf(p.out, "%s: turn %d of %d\n", p.what, step, p.turns)
		return
	}
	p.next = now.Add(progressBar)
	const width = 30
	done := min(width, width*step/max(1, p.turns))
	line := fmt.Sprintf("%s%s turn %d of %d", strings.Repeat("█", done), strings.Repeat("░", width-done), step, p.turns)
	fmt.Fprintf(p.out, "\r%-*s", p.drawn, line)
	p.drawn = max(p.drawn, len([]rune(line)))
}

// done takes the bar away.
func (p *progress) done() {
	if p.drawn > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.drawn, "")
		p.drawn = 0
	}
}
