package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/gamelogic"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// The command new writes a game in each language, which is played and leads to the same states
// again.
func TestNewGameLogic(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	tools := map[string]string{".py": "python3", ".js": "node", ".go": "go"}
	for _, extension := range gamelogic.Extensions {
		if _, err := exec.LookPath(tools[extension]); err != nil {
			thorough.Lack(t, "no "+tools[extension]+" to run the rules")
		}
		dir := t.TempDir()
		name := "my_game" + extension
		if code, out := in(t, dir, "new", "--game-logic", name); code != 0 ||
			!strings.Contains(out, "--logic "+name) {
			t.Fatalf("new: exit code %d\n%s", code, out)
		}
		if code, out := in(t, dir, "new", "--game-logic", name); code != 1 ||
			!strings.Contains(out, "exists already") {
			t.Errorf("new again: exit code %d\n%s", code, out)
		}
		bot := "claimer" + extension
		args := []string{
			"play", "--game=external", "--logic", name, "--turns=5", "--port=0", "--http=",
			"--start-timeout=2m", bot, bot,
		}
		if code, out := in(t, dir, args...); code != 0 ||
			!strings.Contains(out, "claim-hexagons/1, 5 turns") || strings.Contains(out, "(no such cell") {
			t.Fatalf("play: exit code %d\n%s", code, out)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "recordings", "*"))
		if code, out := in(t, dir, append([]string{"replay", "verify", "--logic", name}, files...)...); code != 0 || !strings.Contains(out, "5 turns, identical") {
			t.Errorf("verify: exit code %d\n%s", code, out)
		}
	}
	if code, out := in(t, t.TempDir(), "new", "--game-logic", "game.rs"); code != 2 ||
		!strings.Contains(out, ".py, .js, .go") {
		t.Errorf("a language without a game: exit code %d\n%s", code, out)
	}
}
