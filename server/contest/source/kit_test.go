package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/seat"
)

// A bot that uses a kit is copied with it, wherever the kit is from, and its digest tells the kits
// apart. A kit is no bot.
func TestKitIsPartOfTheBot(t *testing.T) {
	thorough.Full(t)
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to start bots with")
	}
	t.Chdir(t.TempDir())
	k := kits.Of("bot.py")
	const text, changed = "import hexarena\n", "# changed\n"
	for path, content := range map[string]string{
		"lone/bot.py": text, "beside/bot.py": text, "beside/hexarena.py": string(k.File("hexarena.py")),
		"beside/other.py": text,
		"edited/bot.py":   text, "edited/hexarena.py": changed, "folder/main.py": text,
		"folder/util.py": "", "plain/bot.py": "import socket\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := hexabomb.Game()
	known := seat.Known{Game: g.Name, Builtin: g.NewBuiltin}
	list, err := Enter(t.Context(), []string{"lone/bot.py", "beside/bot.py", "edited/bot.py", "folder", "plain/bot.py"}, known, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Digest != list[1].Digest || list[0].Digest == list[2].Digest {
		t.Error("digests do not follow from the bot and its kit")
	}
	for i, want := range []struct{ name, start, kit string }{
		{"lone/bot.py", "bot.py", string(k.File("hexarena.py"))},
		{"beside/bot.py", "bot.py", string(k.File("hexarena.py"))},
		{"edited/bot.py", "bot.py", changed},
		{"folder", "main.py", string(k.File("hexarena.py"))},
		{"plain/bot.py", "bot.py", ""},
	} {
		e := &list[i]
		if err := e.CopyTo("copies", false); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join("copies", e.dir)
		kit, _ := os.ReadFile(filepath.Join(dir, "hexarena.py"))
		if start := e.Spec.Argv[len(e.Spec.Argv)-1]; e.Name != want.name ||
			start != filepath.Join(dir, want.start) || string(kit) != want.kit {
			t.Errorf("%s is started as %q with a kit of %d bytes, want %+v", e.Name, start, len(kit),
				want.name)
		}
	}
	if _, err := os.Stat("copies/folder/util.py"); err != nil {
		t.Error(err)
	}
	bots, others, err := Bots(t.Context(), "beside", known)
	if err != nil || len(bots) != 2 || len(others) != 1 || filepath.Base(others[0]) != "hexarena.py" {
		t.Errorf("the folder has the bots %q, and %q, %v", bots, others, err)
	}
	if entries, err := os.ReadDir("lone"); err != nil || len(entries) != 1 {
		t.Errorf("the bot's folder has %v: %v", entries, err)
	}
}

// A bot as of a revision has the kit of that revision, which the working tree may have changed or
// lost.
func TestKitOfRevision(t *testing.T) {
	thorough.Full(t)
	t.Chdir(t.TempDir())
	put := func(path, content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	k := kits.Of("bot.py")
	const older, newer = "# the kit of an older hexarena\n", "# a kit that is being changed\n"
	put("bot.py", "import hexarena\n")
	put("hexarena.py", older)
	for _, words := range []string{
		"init -q", "add .", "-c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m older",
	} {
		if out, err := exec.Command("git", strings.Fields(words)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v, %s", words, err, out)
		}
	}
	known := seat.Known{Game: hexabomb.Game().Name, Builtin: hexabomb.Game().NewBuiltin}
	for want, change := range map[string]func(){
		newer:                        func() { put("hexarena.py", newer) },
		string(k.File(k.Library[0])): func() { _ = os.Remove("hexarena.py") },
	} {
		change()
		list, err := Enter(t.Context(), []string{"bot.py@HEAD", "bot.py"}, known, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		copies := t.TempDir()
		for i, want := range []string{older, want} {
			if err := list[i].CopyTo(copies, false); err != nil {
				t.Fatal(err)
			}
			if kit, err := os.ReadFile(filepath.Join(copies, list[i].dir, "hexarena.py")); string(kit) != want {
				t.Errorf("%s has a kit that begins with %.40q, %v, want %.40q", list[i].Name, kit, err, want)
			}
		}
		if list[0].Digest == list[1].Digest {
			t.Error("the two bots have one digest")
		}
	}
}

// A file that uses others beside it is refused with them, also as of a revision that git may have:
// it would come alone.
func TestFileThatUsesOthers(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	for path, content := range map[string]string{
		"bot.py": "import hexarena, util\n", "util.py": "", "whole/bot.py": "import util\n",
		"whole/util.py": "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known := seat.Known{Game: hexabomb.Game().Name, Builtin: hexabomb.Game().NewBuiltin}
	_, err := Enter(t.Context(), []string{"bot.py"}, known, t.TempDir())
	if want := "bot.py uses util.py beside it, but a file comes alone: put them into a folder, in which the bot is called bot.py, and name that"; err == nil || err.Error() != want {
		t.Errorf("it is refused with %v, want %q", err, want)
	}
	if _, err := Enter(t.Context(), []string{"whole"}, known, t.TempDir()); err != nil {
		t.Error(err)
	}
}
