//go:build thorough

package main

import (
	"bytes"
	"strings"
	"testing"
)

// A quick run prints every row, and the same ones with one job as with several.
func TestQuick(t *testing.T) {
	run := func(args ...string) string {
		var out, progress bytes.Buffer
		if err := program.Run(t.Context(), append([]string{"-quick", "-trials=2"}, args...), &out, &progress); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, progress.String())
		}
		return out.String()
	}
	out := run("-jobs=1")
	if got := run("-jobs=3", "-only=intervals"); !strings.HasPrefix(out, got) {
		t.Errorf("with three jobs it prints\n%s\nwith one\n%s", got, out)
	}
	for _, row := range []string{"4 unequal bots, difference", "normalised Elo 20", "a better bot"} {
		if !strings.Contains(out, row) {
			t.Errorf("no row has %q:\n%s", row, out)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-trials=0"}, {"-sigma=-1"}, {"-only=everything"}, {"more"}} {
		var out bytes.Buffer
		if err := program.Run(t.Context(), args, &out, &out); err == nil {
			t.Errorf("calibrate %v succeeds", args)
		}
	}
}
