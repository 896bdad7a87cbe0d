//go:build unix

package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/seat"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// enter reads bots whose programs are scripts of the shell, in an empty folder.
func enter(t *testing.T, arguments ...string) ([]Entrant, error) {
	t.Helper()
	g := hexabomb.Game()
	return Enter(t.Context(), arguments, seat.Known{Game: g.Name, Builtin: g.NewBuiltin}, t.TempDir())
}

func mustEnter(t *testing.T, arguments ...string) []Entrant {
	t.Helper()
	list, err := enter(t, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Files and folders are copied, and started from the copies; what a command names counts. Digests
// differ with the contents, not with the place.
func TestEntrants(t *testing.T) {
	t.Chdir(t.TempDir())
	const script = "#!/bin/sh\nexit 0\n"
	write(t, "old/bot", script)
	write(t, "new/bot", script)
	write(t, "many/main", script)
	write(t, "many/data/weights", "1 2 3")
	write(t, "many/__pycache__/main.pyc", "no part of it")
	write(t, "many/cups/sprt/log.ndjson", "no part of it")
	list := mustEnter(t, "old/bot", "new/bot", "many", "random", "random", "sh ./old/bot -v",
		"stdio:new/bot")
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	if want := []string{"old/bot", "new/bot", "many", "random", "random#2", "bot", "new/bot#2"}; !slices.Equal(names, want) {
		t.Errorf("the names are %q, want %q", names, want)
	}
	if list[0].Digest != list[1].Digest || list[0].Digest == list[2].Digest ||
		list[0].Digest == list[5].Digest || list[0].Digest != list[6].Digest {
		t.Error("digests do not follow from the contents")
	}
	for i, want := range []bool{false, false, false, true, true, false, false} {
		if list[i].Reproducible != want {
			t.Errorf("%s is reproducible: %v", list[i].Name, list[i].Reproducible)
		}
	}
	for i := range list {
		if err := list[i].CopyTo("copies", false); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range map[int]string{
		0: "copies/old_bot/bot", 2: "copies/many/main", 5: "./old/bot", 6: "copies/new_bot#2/bot",
	} {
		if !slices.Contains(list[i].Spec.Argv, filepath.FromSlash(want)) {
			t.Errorf("%s is started by %q, want %s in it", names[i], list[i].Spec.Argv, want)
		}
	}
	if _, err := os.Stat("copies/many/data/weights"); err != nil {
		t.Error(err)
	}
	for _, left := range []string{"__pycache__", "cups"} {
		if _, err := os.Stat("copies/many/" + left); err == nil {
			t.Errorf("what running a bot leaves is copied: %s", left)
		}
	}
	write(t, "copies/many/log.txt", "written by the bot")
	if err := list[2].CopyTo("copies", false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("copies/many/log.txt"); err == nil {
		t.Error("a copy that the bot has written to is not made again")
	}
	before := list[2].Digest
	write(t, "many/data/weights", "1 2 4")
	if mustEnter(t, "many")[0].Digest == before {
		t.Error("a folder's digest does not depend on a file in it")
	}
}

// Bots that cannot take part are refused with the reason.
func TestEntrantsFail(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "secret", "of the machine")
	write(t, "empty/readme", "no bot")
	if err := os.Chmod("empty/readme", 0o600); err != nil { // so that it is not the only file to start
		t.Fatal(err)
	}
	write(t, "two/main", "#!/bin/sh\n")
	write(t, "two/bot", "#!/bin/sh\n")
	write(t, "leaks/main", "#!/bin/sh\n")
	if err := os.Symlink("../secret", "leaks/data"); err != nil {
		t.Fatal(err)
	}
	for argument, want := range map[string]string{
		"empty":        "no file main.* or bot.*",
		"two":          "several files to start",
		"leaks":        "must not lead out",
		"open":         "starts its bots itself",
		"wait:ann":     "starts its bots itself",
		"page":         "starts its bots itself",
		"missing":      "neither a file nor a program",
		"secret@HEAD~": "secret as of HEAD~: ",
	} {
		if _, err := enter(t, "random", argument); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is refused with %v, want %q", argument, err, want)
		}
	}
}

// A file or folder at a revision is what git has there.
func TestRevision(t *testing.T) {
	t.Chdir(t.TempDir())
	git := func(arguments ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, arguments...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", arguments, err, out)
		}
	}
	git("init", "-q")
	write(t, "bots/one", "#!/bin/sh\n# before\n")
	write(t, "bots/two/main", "#!/bin/sh\n# before\n")
	git("add", ".")
	git("commit", "-q", "-m", "before")
	before := mustEnter(t, "bots/one", "bots/two")
	write(t, "bots/one", "#!/bin/sh\n# after\n")
	write(t, "bots/two/main", "#!/bin/sh\n# after\n")
	list := mustEnter(t, "bots/one@HEAD", "bots/two@HEAD", "bots/one", "bots/two")
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	for i, want := range []string{string(head), string(head), "\n", "\n"} {
		if err != nil || list[i].Commit+"\n" != want {
			t.Errorf("%s is of the commit %q, %v, want %q", list[i].Name, list[i].Commit, err, want)
		}
	}
	for i, want := range []string{"one@HEAD", "two@HEAD", "one", "two"} {
		if list[i].Name != want {
			t.Errorf("bot %d is called %q, want %q", i, list[i].Name, want)
		}
		if same := list[i].Digest == before[i%2].Digest; same != (i < 2) {
			t.Errorf("%s is what it was before: %v", want, same)
		}
	}
	if err := os.Remove("bots/one"); err != nil {
		t.Fatal(err)
	}
	if mustEnter(t, "bots/one@HEAD")[0].Digest != before[0].Digest {
		t.Error("a file that is deleted is not found in git")
	}
}

func TestBots(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"all/b", "all/c/main", "all/.hidden", "all/bot-logs/1-b.log", "all/recordings/main",
	} {
		write(t, name, "#!/bin/sh\n")
	}
	write(t, "all/notes.txt", "")
	if err := os.Chmod("all/notes.txt", 0o600); err != nil {
		t.Fatal(err)
	}
	bots, others, err := Bots(t.Context(), "all", seat.Known{Builtin: hexabomb.Game().NewBuiltin})
	if want := []string{"all/b", "all/c"}; err != nil || !slices.Equal(bots, want) ||
		!slices.Equal(others, []string{"all/notes.txt"}) {
		t.Errorf("the bots are %q, others %q, %v, want %q", bots, others, err, want)
	}
}
