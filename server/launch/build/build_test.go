package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// bot writes a file to a new folder and returns its path. The user's cache is another new folder,
// but for Go's part, without which the standard library would be compiled again.
func bot(t *testing.T, name, text string) string {
	t.Helper()
	if os.Getenv("GOCACHE") == "" {
		users, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOCACHE", filepath.Join(users, "go-build"))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A bot that lacks its kit is copied to where the kit is; all other commands stay as they are.
func TestKitBesideLoneBot(t *testing.T) {
	for _, k := range kits.All {
		if len(k.Build) > 0 { // TestBuild
			continue
		}
		t.Run(k.Folder, func(t *testing.T) {
			starter := string(k.File(k.Starters["hexabomb"]))
			path := bot(t, "my bot"+k.Extension, starter)
			words := []string{k.Tools[0], path, "--fast"}
			got, err := Command(t.Context(), words, nil)
			if err != nil || len(got) != 3 || got[1] == path || got[2] != "--fast" {
				t.Fatalf("Command(%q) = %q, %v, want a copy of the bot", words, got, err)
			}
			for _, name := range append([]string{"my bot" + k.Extension}, k.Library...) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(got[1]), name)); err != nil {
					t.Error(err)
				}
			}
			if again, err := Command(t.Context(), words, nil); err != nil || !slices.Equal(again, got) {
				t.Errorf("a second Command = %q, %v, want %q", again, err, got)
			}
			if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
				t.Errorf("the bot's folder has %v: %v", entries, err)
			}
			if err := k.WriteLibrary(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
			if got, err := Command(t.Context(), words, nil); err != nil || !slices.Equal(got, words) {
				t.Errorf("with its kit, Command = %q, %v, want %q", got, err, words)
			}
		})
	}
	path := bot(t, "own.py", "import hexarena, util\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "util.py"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Command(t.Context(), []string{"python3", path}, nil); err == nil || err.Error() != "own.py uses util.py beside it, but lacks the kit, hexarena.py: write it there with hexarena new" {
		t.Errorf("a bot that uses another file: %v", err)
	}
	path = bot(t, "plain.py", "print('no kit')\n")
	for _, words := range [][]string{
		{"python3", path},
		{"painter"},
		{"./missing.py"},
		{"sh", "-c", "true"},
		{"python3", filepath.Dir(path)},
	} {
		if got, err := Command(t.Context(), words, nil); err != nil || !slices.Equal(got, words) {
			t.Errorf("Command(%q) = %q, %v, want it unchanged", words, got, err)
		}
	}
}

// compiled calls a test for each language whose bots are compiled.
func compiled(t *testing.T, test func(t *testing.T, k *kits.Kit)) {
	t.Helper()
	thorough.Long(t)
	for _, k := range botstest.Kits(kits.All) {
		if len(k.Build) == 0 {
			continue
		}
		t.Run(k.Folder, func(t *testing.T) {
			if k.Tool() == "" {
				thorough.Lack(t, fmt.Sprintf("no %s on this machine: %s", k.Tools[0], k.Advice))
			}
			test(t, k)
		})
	}
}

// echoes are small programs that print their first argument, by the kit's folder: a bot takes a
// compiler far longer.
var echoes = map[string]string{
	"java": "class Echo { public static void main(String[] words) { System.out.print(words[0]); } }",
	"cpp":  "#include <cstdio>\nint main(int, char **words) { std::fputs(words[1], stdout); }",
	"rust": `fn main() { print!("{}", std::env::args().nth(1).unwrap()); }`,
	"go": "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Print(os.Args[1]) " +
		"}",
}

// A program is built once for what its source says, and nothing is written to its folder.
func TestBuild(t *testing.T) {
	compiled(t, func(t *testing.T, k *kits.Kit) {
		source := echoes[k.Folder]
		path := bot(t, "Echo"+k.Extension, source)
		words := []string{path, "two words"}
		got, err := Command(t.Context(), words, func(what string) { t.Log(what) })
		if err != nil {
			t.Fatal(err)
		}
		if printed, err := exec.Command(got[0], got[1:]...).CombinedOutput(); err != nil ||
			string(printed) != "two words" {
			t.Errorf("%q ends with %v and prints\n%s", got, err, printed)
		}
		again, err := Command(t.Context(), words, func(what string) { t.Errorf("it is built again: %s", what) })
		if err != nil || !slices.Equal(again, got) {
			t.Errorf("a second Command = %q, %v, want %q", again, err, got)
		}
		if err := os.WriteFile(path, []byte(source+"\n\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if changed, err := Command(t.Context(), words, nil); err != nil || slices.Equal(changed, got) {
			t.Errorf("after a change, Command = %q, %v, want another program", changed, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("the bot's folder has %v: %v", entries, err)
		}
	})
}

// The error of a bot with a mistake has what the compiler says, and nothing is kept.
func TestMistakesAreShown(t *testing.T) {
	compiled(t, func(t *testing.T, k *kits.Kit) {
		path := bot(t, k.Starters["hexabomb"], "this is a mistake\n")
		_, err := Command(t.Context(), []string{path}, nil)
		if err == nil || !strings.Contains(err.Error(), "cannot build "+filepath.Base(path)+": exit code 1") || !strings.Contains(err.Error(), filepath.Base(path)+":1") {
			t.Errorf("a bot with a mistake: %v", err)
		}
		if kept, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "hexarena/builds/*")); err != nil || len(kept) > 0 {
			t.Errorf("the cache has %q, %v", kept, err)
		}
	})
}

// Without the tools, the error says what to install.
func TestMissingTool(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, k := range kits.All {
		if len(k.Build) == 0 {
			continue
		}
		path := bot(t, k.Starters["hexabomb"], string(k.File(k.Starters["hexabomb"])))
		if _, err := Command(t.Context(), []string{path}, nil); err == nil ||
			!strings.Contains(err.Error(), k.Tools[0]) || !strings.Contains(err.Error(), k.Advice) {
			t.Errorf("without %s: %v", k.Tools, err)
		}
	}
}

// A build that is interrupted leaves nothing.
func TestInterruptedBuild(t *testing.T) {
	compiled(t, func(t *testing.T, k *kits.Kit) {
		path := bot(t, k.Starters["hexabomb"], string(k.File(k.Starters["hexabomb"])))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Command(ctx, []string{path}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("Command = %v, want it to be interrupted", err)
		}
	})
}

// The cache keeps what was used last, and what was used in the last hour.
func TestCacheIsBounded(t *testing.T) {
	thorough.Long(t)
	bot(t, "unused", "")
	c, err := openCache()
	if err != nil {
		t.Fatal(err)
	}
	empty := func(string) error { return nil }
	age := func(key string, by time.Duration) {
		when := time.Now().Add(-by)
		if err := os.Chtimes(filepath.Join(c.dir, key), when, when); err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxEntries + 5 {
		key := fmt.Sprint("entry", i)
		if _, err := c.entry(key, empty); err != nil {
			t.Fatal(err)
		}
		if i >= 3 {
			age(key, time.Duration(i)*inUse)
		}
	}
	age("entry0", 1000*inUse)
	if _, err := c.entry("entry0", empty); err != nil { // which is used again
		t.Fatal(err)
	}
	if _, err := c.entry("new", empty); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) != maxEntries {
		t.Errorf("the cache has %d entries, want %d: %v", len(entries), maxEntries, err)
	}
	for key, want := range map[string]bool{
		"entry0": true, "entry1": true, "entry3": true, "new": true,
		fmt.Sprint("entry", maxEntries+4): false,
	} {
		if _, err := os.Stat(filepath.Join(c.dir, key)); (err == nil) != want {
			t.Errorf("the cache has %s: %v, want %v", key, err == nil, want)
		}
	}
}
