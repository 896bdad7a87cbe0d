package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// claimFiles returns copies of the game logic of docs/add-a-game.md and of its bot, in a folder of
// their own.
func claimFiles(t *testing.T) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to run the rules")
	}
	dir = t.TempDir()
	for _, name := range []string{"logic.py", "claimer.py"} {
		text, err := os.ReadFile("../../bots/gamelogic/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// in runs a command in a folder, and returns what it prints.
func in(t *testing.T, dir string, args ...string) (code int, out string) {
	t.Helper()
	cmd := command(t, args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// The game logic of docs/add-a-game.md is played, recorded, and played in a cup, whose folder has a
// copy of it. Another logic is another cup.
func TestClaimLogicIsPlayed(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := claimFiles(t)
	external := strings.Fields(
		"--game external --logic logic.py --turns 12 --seed 3 --start-timeout 1m")
	code, out := in(t, dir, append(append([]string{"play", "--port=0", "--http="}, external...), "claimer.py", "claimer.py")...)
	if code != 0 || !strings.Contains(out, "claim-hexagons/1, 12 turns") ||
		!strings.Contains(out, "score") {
		t.Errorf("play: exit code %d\n%s", code, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "recordings", "*.hexarena"))
	if len(files) != 1 {
		t.Fatalf("%d recordings, want one", len(files))
	}
	for _, format := range []string{"png", "gif", "svg", "html", "csv"} {
		if code, out = in(t, dir, "replay", "export", files[0], "--format", format, "-o", "match."+format); code != 0 {
			t.Errorf("export as %s: exit code %d\n%s", format, code, out)
		}
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 0, "12 turns, intact; the rules ran in another program, so states were not recomputed: " +
			"--logic names it"},
		{[]string{"--logic", "logic.py"}, 0, "12 turns, identical"},
		{[]string{"--logic", logicCommand("fine")}, 1, "differs: the start"},
		{[]string{"--logic", logicCommand("refuse")}, 1, "the game logic has not logged in: it ended " +
			"with exit code 3; it printed: ImportError: no rules"},
		{[]string{
			"--logic", logicCommand("mute"), "--start-timeout=200ms",
		}, 1, "the game logic has not logged in at BOT_PORT or at port"},
		{[]string{"--logic", "none.py"}, 2, "--logic: seat \"none.py\": there is no file none.py"},
	} {
		if code, out = in(t, dir, append([]string{"replay", "verify", files[0]}, tt.args...)...); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("verify %q: exit code %d, want %d and %q\n%s", tt.args, code, tt.code, tt.want, out)
		}
	}
	cup := append(
		append([]string{"cup", "--format=round-robin", "--count=2", "--keep=all", "--name=claim"},
			external...),
		"claimer.py", "claimer.py",
	)
	for cups := 1; cups <= 2; cups++ {
		if code, out = in(t, dir, cup...); code != 0 || strings.Contains(out, "forfeits  1") {
			t.Errorf("cup: exit code %d\n%s", code, out)
		}
		copies, _ := filepath.Glob(filepath.Join(dir, "cups", "*", "logic", "*", "logic.py"))
		recordings, _ := filepath.Glob(filepath.Join(dir, "cups", "*", "matches", "*.hexarena"))
		if len(copies) != cups || len(recordings) != 2*cups {
			t.Errorf("%d cups have %d copies of the game logic and %d recordings\n%s", cups, len(copies),
				len(recordings), out)
		}
		text, err := os.ReadFile(filepath.Join(dir, "logic.py"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "logic.py"), append(text, "# edited\n"...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
