//go:build thorough

package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/tools/harness"
	"github.com/hexarena/hexarena/tools/harness/harnesstest"
)

func TestMain(m *testing.M) { harnesstest.Main(m, &program) }

func run(ctx context.Context, progress io.Writer, args ...string) (string, error) {
	var out strings.Builder
	err := program.Run(ctx, append([]string{"-binary", harnesstest.Hexarena}, args...), &out, progress)
	return out.String(), err
}

func TestBenchmark(t *testing.T) {
	out, err := run(t.Context(), t.Output(), "-rounds", "1", "-turns", "60", "-ticks", "20", "-viewers", "20", "-workers", "3", "-kits", "Python")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out)
	for _, want := range []string{
		"4 players ", "16 visualizations", "TURNs to the visualizations", "37 cells",
		"recording and page on",
		"100 visualizations", "100 viewers on the page", "in process", "cup, 4 bots that stay",
		"cup by a worker", "cup by 3 workers", "cup by two workers and one: CPU",
		"cup by two workers and one: matches", "round of 40 teams", "40 teams with hexarena join",
		"processor time beside the bots'", "through JSON lines", "through a server", "turns of a simulator, Python",
		"the first accepted action, Python",
		"start to listening", "program, stripped", "20 viewers and none: TURN to TURN",
		"TURN to answer", "turn to viewer, p99", "viewers lost",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if strings.Contains(out, "NaN") {
		t.Error("a figure of the table is not a number")
	}
}

func TestAgainst(t *testing.T) {
	out, err := run(t.Context(), t.Output(), "-rounds", "1", "-turns", "60", "-only", "players", "-against", harnesstest.Hexarena)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "compared with the other program") {
		t.Errorf("the table does not compare the two programs:\n%s", out)
	}
}

// TestInterrupt interrupts the benchmark after its first match.
func TestInterrupt(t *testing.T) {
	for _, part := range []string{"players", "viewers"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := run(ctx, harnesstest.Writer(func(string) { cancel() }), "-rounds", "2", "-turns", "200", "-ticks", "20", "-viewers", "20", "-only", part)
		if err != harness.ErrInterrupted {
			t.Errorf("%s: an interrupted benchmark returns %v", part, err)
		}
	}
}
