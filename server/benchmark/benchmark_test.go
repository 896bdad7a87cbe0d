package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/proc"
)

var hexarena string // the program to measure

// TestMain lets the test binary be the ceiling, as the benchmark itself is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ceilingCommand {
		main()
		return
	}
	os.Exit(build(m.Run))
}

// build builds hexarena for the time of a run.
func build(run func() int) int {
	dir, err := os.MkdirTemp("", "hexarena-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	hexarena = filepath.Join(dir, "hexarena.exe") // a name that every system runs
	if err := proc.Build(context.Background(), hexarena); err != nil {
		panic(err)
	}
	return run()
}

func run(ctx context.Context, progress io.Writer, args ...string) (string, error) {
	var out strings.Builder
	err := measure(ctx, append([]string{"-binary", hexarena}, args...), &out, progress)
	return out.String(), err
}

func TestBenchmark(t *testing.T) {
	out, err := run(t.Context(), t.Output(), "-rounds", "1", "-turns", "60", "-ticks", "10")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out)
	for _, want := range []string{
		"4 players ", "16 visualizations", "TURNs to the visualizations", "37 cells", "recording and page on",
		"100 visualizations", "100 viewers on the page", "in process", "start to listening", "program, stripped",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
}

func TestAgainst(t *testing.T) {
	out, err := run(t.Context(), t.Output(), "-rounds", "1", "-turns", "60", "-only", "players", "-against", hexarena)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "beside the other program") {
		t.Errorf("the table does not compare the two programs:\n%s", out)
	}
}

// TestInterrupt interrupts the benchmark in the middle of its first match.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run(ctx, writer(func(string) { cancel() }), "-rounds", "2", "-turns", "200", "-only", "players")
	if err == nil || err.Error() != "interrupted" {
		t.Errorf("the benchmark ends with %v, want interrupted", err)
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{
		{"-rounds", "0"},
		{"-turns", "9"},
		{"-ticks", "70000"},
		{"-only", "tea"},
		{"more"},
		{"-binary", "no/such/file"},
		{"-binary", hexarena, "-against", "no/such/file"},
	} {
		if err := measure(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("benchmark %v is taken", args)
		}
	}
}

type writer func(string)

func (w writer) Write(b []byte) (int, error) { w(string(b)); return len(b), nil }
