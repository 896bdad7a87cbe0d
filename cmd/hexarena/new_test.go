package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Each starter plays a match to the end, as new says, without an answer that is refused. So does
// one without its kit beside it, on standard input and output.
func TestNewStarters(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, game := range starterGames() {
		for _, k := range botstest.Kits(kits.With(game)) {
			t.Run(game+"/"+k.Folder, func(t *testing.T) {
				t.Parallel()
				if k.Tool() == "" {
					thorough.Lack(t, "no "+k.Tools[0]+" to run the starter")
				}
				dir := t.TempDir()
				file := "Crusher" + k.Extension
				cmd := command(t, "new", "--game", game, file)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("new: %v\n%s", err, out)
				}
				_, line, _ := strings.Cut(string(out), "    hexarena ")
				args := append(strings.Fields(line), "--strict", "--turns=80", "--port=0", "--http=",
					"--seed=3", "--env=PYTHONWARNINGS=error", "--start-timeout=1m")
				plays(t, dir, args)
				verifiedIn(t, filepath.Join(dir, "recordings"), 1)
				for _, name := range k.LibraryOf(game) {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
				args[slices.Index(args, file)] = "stdio:" + file
				plays(t, dir, append(args, "--record="))
			})
		}
	}
}

// The starter that looks ahead is better than the usual one, in each language: so a cup ends, after
// some 12 matches, without a forfeit. With the usual --elo1 it takes four times as many.
func TestLookAhead(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	try := func(k *kits.Kit, engine string) {
		t.Run(k.Folder+"/"+engine, func(t *testing.T) {
			t.Parallel()
			if k.Tool() == "" && engine == "node" {
				thorough.Lack(t, "no "+k.Tools[0]+" to run the starter")
			}
			dir := t.TempDir()
			plain, ahead := "Plain"+k.Extension, "Ahead"+k.Extension
			plays(t, dir, []string{"new", plain})
			plays(t, dir, []string{"new", "--look-ahead", ahead})
			cmd := command(t, "cup", plain, ahead, "--maps=pebble", "--turns=40", "--seed=3", "--elo1=200",
				"--turn-timeout=off", "--start-timeout=1m", "--js="+engine)
			cmd.Args = append(cmd.Args, "--env=HEXARENA="+cmd.Path) // not a test's program
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			best := regexp.MustCompile(`(?m)^1  Ahead\S* .* 0$`)
			if err != nil || !best.Match(out) {
				t.Errorf("%s is not better, or forfeits: %v\n%s", ahead, err, out)
			}
		})
	}
	for _, k := range botstest.Kits(kits.All) {
		try(k, "node")
	}
	try(kits.In("javascript"), "builtin")
}

// starterIn writes the starter in Python and its kit to a folder, and returns the path of the bot.
func starterIn(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if out, err := command(t, "new", path).CombinedOutput(); err != nil {
		t.Fatalf("new: %v\n%s", err, out)
	}
	return path
}

// plays runs a command in a folder, which must succeed without a forfeit.
func plays(t *testing.T, dir string, args []string) {
	t.Helper()
	cmd := command(t, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "forfeit") {
		t.Errorf("%s: %v\n%s", args, err, out)
	}
}

// Existing files are never overwritten, and nothing is left of a file that cannot be written whole.
func TestNewKeepsFiles(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, k := range kits.With(gameList[0].Name) {
		t.Run(k.Folder, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			newBot := func(want int, says, name string) {
				t.Helper()
				cmd := command(t, "new", name)
				cmd.Dir = dir
				out, _ := cmd.CombinedOutput()
				if code := cmd.ProcessState.ExitCode(); code != want || !strings.Contains(string(out), says) {
					t.Errorf("new %s: exit code %d, want %d with %q:\n%s", name, code, want, says, out)
				}
			}
			files := func(want ...string) {
				t.Helper()
				var names []string
				entries, err := os.ReadDir(dir)
				for _, e := range entries {
					names = append(names, e.Name())
				}
				want = append(want, ".gitignore")
				if slices.Sort(want); err != nil || !slices.Equal(names, want) {
					t.Errorf("the folder has %q, %v, want %q", names, err, want)
				}
			}
			a, b, library := "A"+k.Extension, "B"+k.Extension, k.Library[0]
			newBot(0, "hexarena play "+a, a)
			files(append([]string{a}, k.LibraryOf(gameList[0].Name)...)...)
			newBot(1, a+" exists already", a)
			newBot(0, "Wrote "+b+".", b) // the kit is there
			files(append([]string{a, b}, k.LibraryOf(gameList[0].Name)...)...)
			if err := os.Remove(filepath.Join(dir, b)); err != nil {
				t.Fatal(err)
			}
			writeText(t, filepath.Join(dir, library), "another")
			newBot(1, library+" exists already and is not the kit of this hexarena", b)
			newBot(2, "is the name of the kit", library)
			files(append([]string{a}, k.LibraryOf(gameList[0].Name)...)...)
			for _, name := range k.LibraryOf(gameList[0].Name) {
				if err := os.Remove(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			newBot(1, a+" exists already", a)
			files(a)
		})
	}
}

// The starters of hexagonal tic-tac-toe keep to the rules where pieces have little room, on both
// sides.
func TestTicTacToeStartersKeepToTheRules(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, k := range botstest.Kits(kits.With("hextictactoe")) {
		t.Run(k.Folder, func(t *testing.T) {
			t.Parallel()
			if k.Tool() == "" {
				thorough.Lack(t, k.Advice)
			}
			file := filepath.Join(t.TempDir(), k.MyBot())
			if out, err := command(t, "new", "--game", "hextictactoe", file).CombinedOutput(); err != nil {
				t.Fatalf("new: %v\n%s", err, out)
			}
			boards := []string{
				"--view-distance=1", "--view-distance=3 --win-distance=9", "--win-distance=2",
				"--view-distance=2 --win-distance=12",
			}
			for _, options := range boards {
				args := append(strings.Fields(options), "--game=hextictactoe", "--turns=12", "--port=0",
					"--http=", "--record=", "--strict", "--seed=3", "--start-timeout=1m")
				var games []any
				for _, seats := range [][]string{
					{file, "random"}, {file, "random"}, {"random", file}, {file, file},
				} {
					r := resultOf(t, append(args, seats...)...)
					if reason := get(t, r, "games/0/reason"); reason != "win: a row complete" &&
						reason != "draw: turn limit" {
						t.Errorf("%s: %s: %v", options, seats, reason)
					}
					games = append(games, get(t, r, "games/0"))
				}
				if !reflect.DeepEqual(games[0], games[1]) {
					t.Errorf("%s: two games with one seed: %v and %v", options, games[0], games[1])
				}
			}
		})
	}
}

// A game without a starter is refused with those that have one.
func TestNewWithoutStarter(t *testing.T) {
	t.Parallel()
	out, _ := command(t, "new", "--look-ahead", "--game", "hextictactoe",
		filepath.Join(t.TempDir(), "my_bot.py")).CombinedOutput()
	if !strings.Contains(string(out), "--look-ahead: there is no such starter for hextictactoe") {
		t.Errorf("new --look-ahead: %s", out)
	}
	const how = " (docs/add-a-game.md: how a game gets starters)\n"
	for game, want := range map[string]string{
		"external": "--game external: there is no starter for it; choose hexabomb or hextictactoe" + how,
		"hextictacto": "--game hextictacto: there is no starter for it; choose hexabomb or " +
			"hextictactoe; the nearest is hextictactoe" + how,
	} {
		cmd := command(t, "new", "--game", game, filepath.Join(t.TempDir(), "my_bot.py"))
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.HasSuffix(string(out), want) {
			t.Errorf("new --game %s: exit code %d, %q, want 2 and %q", game, code, out, want)
		}
	}
}
