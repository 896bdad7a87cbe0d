//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A bot that cannot be started makes no other one better: the command names it with the reason, and
// its exit code is 1, whichever bots it is compared with.
func TestCupOfAbsentBots(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"dead", "gone"} {
		writeBot(t, ".", name, "echo no module called "+name+" >&2; exit 1")
	}
	writeText(t, "exam.yaml", "turns: 3\nmaps: pebble\nseeds: 1-3\nmarks: {dead: 50%}\n")
	for i, tt := range []struct {
		line    string
		missing string // names, in any order
	}{
		{"dead gone", "dead gone"},
		{"dead painter", "dead"},
		{"painter dead", "dead"},
		{"painter random --with dead", "dead"},
		{"dead gone --format knock-out", "dead gone"},
		{"dead gone --format round-robin --count 8", "dead gone"},
		{"painter dead --format round-robin --count 8", "dead"},
		{"dead painter random --format gauntlet --seats 2 --count 8", "dead"},
		{"painter --exam exam.yaml", "dead"},
		{"gone --exam exam.yaml", "dead gone"},
	} {
		line := strings.Fields(tt.line + " --out " + fmt.Sprint("cup", i))
		if !strings.Contains(tt.line, "--exam") {
			line = append(line, "--turns", "3", "--maps", "clover")
		}
		code, stdout, stderr := runCup(line...)
		if code != exitFailure || strings.Contains(stdout, "better with") ||
			strings.Contains(stdout, "passes") || strings.Contains(stderr, "wins the") {
			t.Errorf("%s: exit code %d\n%s\n%s", tt.line, code, stdout, stderr)
		}
		for _, name := range []string{"dead", "gone"} {
			says := strings.Contains(stderr, name+" was in none of its") &&
				strings.Contains(stderr, ": no module called "+name)
			if want := strings.Contains(tt.missing, name); says != want {
				t.Errorf("%s: that %s is missing is said: %v, want %v\n%s", tt.line, name, says, want, stderr)
			}
		}
	}
	// Others can be ranked without a bot that is missing.
	code, stdout, stderr := runCup(
		strings.Fields("dead painter random --seats 2 --turns 3 --count 12 --out all")...)
	if rows := strings.Split(stdout, "\n"); code != 0 || !strings.HasPrefix(rows[6], "3  dead ") {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
}
