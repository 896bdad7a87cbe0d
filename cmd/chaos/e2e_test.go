//go:build thorough

package main

import (
	"context"
	"io"
	"testing"

	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/harness/harnesstest"
)

func TestMain(m *testing.M) { harnesstest.Main(m, &program) }

// TestChaos plays two matches with bots of all kinds. The command does so for longer.
func TestChaos(t *testing.T) {
	if err := try(t, "-binary", harnesstest.Hexarena, "-bots", "50", "-turns", "3", "-turn-timeout", "3s", "-duration", "1ns"); err != nil {
		t.Error(err)
	}
}

// TestSoak shows that goroutines do not accumulate; memory takes more matches to judge.
func TestSoak(t *testing.T) {
	if err := try(t, "-binary", harnesstest.Hexarena, "-soak", "-turns", "4", "-matches", "150"); err != nil {
		t.Error(err)
	}
}

// An interrupted run leaves no goroutine or process.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{{"-bots", "20", "-turns", "2", "-turn-timeout", "1s"}, {"-soak", "-matches", "1000"}} {
		ctx, cancel := context.WithCancel(t.Context())
		args = append(args, "-binary", harnesstest.Hexarena)
		if err := program.Run(ctx, args, io.Discard, harnesstest.Writer(func(string) { cancel() })); err != harness.ErrInterrupted {
			t.Errorf("chaos %v = %v, want interrupted", args, err)
		}
	}
}
