package main

import (
	"strings"
	"testing"
)

func try(t *testing.T, args ...string) error {
	t.Helper()
	var out strings.Builder
	err := run(t.Context(), args, &out, t.Output())
	t.Logf("%s", out.String())
	return err
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-bots", "9"}, {"-bots", "1025"}, {"-turns", "1"}, {"-matches", "9"}, {"-duration", "0s"}, {"more"}} {
		if err := try(t, args...); err == nil {
			t.Errorf("chaos %v is accepted", args)
		}
	}
}
