//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Bots that are said to be reproducible are marked so in the plan, unless they differ from
// themselves or do not hold out. The second time they are not tested.
func TestCupOfReproducibleBots(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	programs := t.TempDir()
	if err := os.Symlink(command(t).Path, filepath.Join(programs, "hexarena")); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const random = `exec "$PROGRAMS/hexarena" bot random --host "$BOT_HOST" --port "$BOT_PORT" --nickname "$BOT_NICKNAME"`
	seeded := writeBot(t, dir, "seeded", random+` --seed "$BOT_SEED"`)
	chance, broken := writeBot(t, dir, "chance", random+` --seed "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')"`), writeBot(t, dir, "broken", "exit 3")
	for _, tt := range []struct {
		bot, says string
		code      int
	}{
		{seeded, "plays against itself", 0},
		{seeded, "this cup is over", 0},
		{chance, "chance is not reproducible: the same matches against itself", exitFailure},
		{broken, "broken cannot be tested: it forfeits (absent) against itself: exit code " +
			"3", exitFailure},
	} {
		cmd := commandIn(t, dir, append([]string{"cup", tt.bot, "painter"}, strings.Fields("--format round-robin --maps pebble --turns 30 --count 2 --seed 1 --start-timeout 1m --env PROGRAMS --reproducible")...)...)
		cmd.Env = append(cmd.Env, "PROGRAMS="+programs)
		if code, _, stderr := runToEnd(t, cmd); code != tt.code || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: exit code %d, want %d, %q\n%s", tt.bot, code, tt.code, tt.says, stderr)
		}
	}
	plans, err := filepath.Glob(filepath.Join(dir, "cups", "*", "plan.json"))
	if err != nil || len(plans) != 1 {
		t.Fatalf("there are cups %q, %v, want one", plans, err)
	}
	text, err := os.ReadFile(plans[0])
	if err != nil || strings.Count(string(text), `"reproducible": true`) != 2 {
		t.Errorf("the plan is %s, %v", text, err)
	}
}
