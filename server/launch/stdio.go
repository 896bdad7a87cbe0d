package launch

import (
	"fmt"
	"os"
)

// Stdio holds our ends of a child's standard input and output. The starter
// closes them.
type Stdio struct {
	In  *os.File // to be written
	Out *os.File // to be read
}

// Close closes both ends.
func (s *Stdio) Close() {
	_ = s.In.Close()
	_ = s.Out.Close()
}

// connect gives the child that is about to start a standard input and output. It returns
// the child's ends, which are closed here once the child has them.
func (p *Process) connect() (child *Stdio, err error) {
	in, toChild, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	fromChild, out, err := os.Pipe()
	if err != nil {
		_ = in.Close()
		_ = toChild.Close()
		return nil, fmt.Errorf("standard output: %w", err)
	}
	p.cmd.Stdin, p.cmd.Stdout = in, out
	p.Stdio = &Stdio{In: toChild, Out: fromChild}
	return &Stdio{In: in, Out: out}, nil
}
