package main

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Each game's starter plays a match to the end, as new says, without an answer that is refused.
func TestNewStarters(t *testing.T) {
	thorough.Long(t)
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to run the starters")
	}
	for _, name := range starterGames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := command(t, "new", "--game", name, "my_bot.py")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("new: %v\n%s", err, out)
			}
			_, line, _ := strings.Cut(string(out), "    hexarena ")
			args := append(strings.Fields(line), "--strict", "--turns=80", "--port=0", "--http=", "--seed=3", "--env=PYTHONWARNINGS=error")
			cmd = command(t, args...)
			cmd.Dir = dir
			if out, err = cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "forfeit") {
				t.Errorf("%s: %v\n%s", args, err, out)
			}
			verifiedIn(t, filepath.Join(dir, "recordings"), 1)
		})
	}
}

// The starter of hexagonal tic-tac-toe keeps to the rules where pieces have little room, on both sides.
func TestTicTacToeStarterKeepsToTheRules(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to run the starter")
	}
	file := filepath.Join(t.TempDir(), "my_bot.py")
	if out, err := command(t, "new", "--game", "hextictactoe", file).CombinedOutput(); err != nil {
		t.Fatalf("new: %v\n%s", err, out)
	}
	for _, options := range []string{"--view-distance=1", "--view-distance=3 --win-distance=9", "--win-distance=2", "--view-distance=2 --win-distance=12"} {
		t.Run(options, func(t *testing.T) {
			t.Parallel()
			args := append(strings.Fields(options), "--game=hextictactoe", "--turns=12", "--port=0", "--http=", "--record=", "--strict", "--seed=3")
			var games []any
			for _, seats := range [][]string{{file, "random"}, {file, "random"}, {"random", file}, {file, file}} {
				r := resultOf(t, append(args, seats...)...)
				if reason := get(t, r, "games/0/reason"); reason != "win: a row complete" && reason != "draw: turn limit" {
					t.Errorf("%s: %v", seats, reason)
				}
				games = append(games, get(t, r, "games/0"))
			}
			if !reflect.DeepEqual(games[0], games[1]) {
				t.Errorf("two games with one seed: %v and %v", games[0], games[1])
			}
		})
	}
}

// A game without a starter is refused with those that have one.
func TestNewWithoutStarter(t *testing.T) {
	t.Parallel()
	for game, want := range map[string]string{
		"external":    "--game external: there is no starter for it; choose hexabomb or hextictactoe\n",
		"hextictacto": "--game hextictacto: there is no starter for it; choose hexabomb or hextictactoe; the nearest is hextictactoe\n",
	} {
		cmd := command(t, "new", "--game", game, filepath.Join(t.TempDir(), "my_bot.py"))
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.HasSuffix(string(out), want) {
			t.Errorf("new --game %s: exit code %d, %q, want 2 and %q", game, code, out, want)
		}
	}
}
