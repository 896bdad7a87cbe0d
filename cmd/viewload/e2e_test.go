//go:build thorough

package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/harness/harnesstest"
)

func TestMain(m *testing.M) { harnesstest.Main(m, &program) }

func TestCompare(t *testing.T) {
	args := []string{"-compare", "-binary", harnesstest.Hexarena, "-rounds", "1", "-viewers", "20"}
	t.Run("whole", func(t *testing.T) {
		var table strings.Builder
		if err := program.Run(t.Context(), append(args, "-turns", "20"), &table, t.Output()); err != nil {
			t.Fatal(err)
		}
		t.Log(table.String())
		for _, want := range []string{"20 viewers", "TURN to TURN", "TURN to answer", "turn to viewer, p99", "viewers lost"} {
			if !strings.Contains(table.String(), want) {
				t.Errorf("the table lacks %q", want)
			}
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		t.Setenv("TMPDIR", t.TempDir())
		ctx, cancel := context.WithCancel(t.Context())
		progress := harnesstest.Writer(func(text string) {
			if strings.Contains(text, " 0 viewers: turns of") {
				cancel()
			}
		})
		if err := program.Run(ctx, append(args, "-turns", "20"), io.Discard, progress); err != harness.ErrInterrupted {
			t.Errorf("an interrupted comparison returns %v", err)
		}
	})
}
