// Package harnesstest runs the tests of programs that package harness starts.
package harnesstest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/tools/harness"
)

// Hexarena is the program that Main has built.
var Hexarena string

// Main runs the tests of a program, with a hexarena that it builds once, and exits. A test
// binary that is started as a child of the program becomes that child.
func Main(m *testing.M, p *harness.Program) {
	if p.IsChild(os.Args[1:]) {
		p.Main()
		return
	}
	_, hexarena, remove, err := harness.Workspace(context.Background(), "test", "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	Hexarena = hexarena
	code := m.Run()
	remove()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Writer is a writer that calls a function with each text.
type Writer func(text string)

func (w Writer) Write(b []byte) (int, error) { w(string(b)); return len(b), nil }
