//go:build unix

package cup

import (
	"os"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/seat"
)

// A file that a command names ends the cup when it changes, and is named.
func TestGuard(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile("bot", []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("#!/bin/sh\n")
	known := seat.Known{Game: game().Name, Builtin: game().NewBuiltin}
	list, err := source.Enter(t.Context(), []string{"sh ./bot"}, known, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGuard(list)
	if err != nil {
		t.Fatal(err)
	}
	write("#!/bin/sh\n")
	if err := g.check(); err != nil {
		t.Errorf("a file that is written with the same content: %v", err)
	}
	write("#!/bin/sh\nexit 1\n")
	if err := g.check(); err == nil || !strings.Contains(err.Error(), "./bot has changed") {
		t.Errorf("a file that has changed: %v", err)
	}
}
