package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/server/proc"
)

var hexarena string // built once

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hexarena-test-")
	if err != nil {
		panic(err)
	}
	hexarena = filepath.Join(dir, "hexarena.exe")
	code := 1
	if err := proc.Build(context.Background(), hexarena); err == nil {
		code = m.Run()
	} else {
		os.Stderr.WriteString(err.Error())
	}
	_ = os.RemoveAll(dir)
	if err := goleak.Find(); code == 0 && err != nil {
		os.Stderr.WriteString(err.Error())
		code = 1
	}
	os.Exit(code)
}

func try(t *testing.T, ctx context.Context, args ...string) error {
	t.Helper()
	var out strings.Builder
	err := run(ctx, append([]string{"-binary", hexarena}, args...), &out, t.Output())
	t.Logf("%s", out.String())
	return err
}

// TestChaos is a short trial: two matches, in which all kinds take part. Who has
// more time runs the command.
func TestChaos(t *testing.T) {
	if err := try(t, t.Context(), "-bots", "50", "-turns", "3", "-turn-timeout", "3s", "-duration", "1ns"); err != nil {
		t.Error(err)
	}
}

// TestSoak asserts that goroutines do not grow; what memory does takes longer to
// tell.
func TestSoak(t *testing.T) {
	if err := try(t, t.Context(), "-soak", "-turns", "4", "-matches", "150"); err != nil {
		t.Error(err)
	}
}

// Whoever interrupts it has nothing left running.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{{"-bots", "20", "-turns", "2", "-turn-timeout", "1s"}, {"-soak", "-matches", "1000"}} {
		ctx, cancel := context.WithCancel(t.Context())
		o := append([]string{"-binary", hexarena}, args...)
		err := run(ctx, o, io.Discard, writer(func(string) { cancel() }))
		if err == nil || err.Error() != "interrupted" {
			t.Errorf("chaos %v ends with %v, want interrupted", args, err)
		}
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-bots", "9"}, {"-bots", "1025"}, {"-turns", "1"}, {"-matches", "9"}, {"-duration", "0s"}, {"more"}} {
		if err := try(t, t.Context(), args...); err == nil {
			t.Errorf("chaos %v is taken", args)
		}
	}
}

type writer func(string)

func (w writer) Write(b []byte) (int, error) { w(string(b)); return len(b), nil }
