//go:build thorough

package main

import (
	"strings"
	"testing"
)

func try(t *testing.T, args ...string) error {
	t.Helper()
	var out strings.Builder
	err := program.Run(t.Context(), args, &out, t.Output())
	t.Logf("%s", out.String())
	return err
}

// The kind of a bot is found in the name that the server gives it.
func TestKindOf(t *testing.T) {
	for name, want := range map[string]string{
		"honest0": "honest", "halfopen10": "halfopen", "reset3#2": "reset", "halfopen#2": "halfopen", "halfope#10": "halfopen",
		"": "", "7": "", "#2": "", "hoax": "",
	} {
		if got := kindOf(name); got != want {
			t.Errorf("kindOf(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-bots", "9"}, {"-bots", "1025"}, {"-turns", "1"}, {"-matches", "9"}, {"-duration", "0s"}, {"more"}} {
		if err := try(t, args...); err == nil {
			t.Errorf("chaos %v is accepted", args)
		}
	}
}
