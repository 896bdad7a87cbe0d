//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// install makes these shell scripts the only programs in PATH.
func install(t *testing.T, programs map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, body := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// touch creates an empty file in a new folder.
func touch(t *testing.T, name string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, nil, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	const stub = "echo 'Python was not found; get it from the shop' >&2; exit 49"
	for _, tt := range []struct {
		what     string
		programs map[string]string
		file     string
		mode     os.FileMode
		argv     []string // before the file
		note     string
	}{
		{
			"the launcher",
			map[string]string{"py": `[ "$1" = -3 ] && echo Python 3.13.0`, "python3": "echo Python 3.9.0"},
			"bot.py", 0o600,
			[]string{"py", "-3"},
			"py -3 (Python 3.13.0)",
		},
		{
			"python3",
			map[string]string{"python3": "echo Python 3.9.0", "python": "echo Python 2.7.1"},
			"bot.py", 0o600,
			[]string{"python3"},
			"python3 (Python 3.9.0)",
		},
		{
			"a stub",
			map[string]string{"python3": stub, "python": "echo Python 3.8.1"},
			"bot.PY", 0o600,
			[]string{"python"},
			"python (Python 3.8.1)",
		},
		{"node", map[string]string{
			"node": "echo v22.1.0",
		}, "bot.js", 0o600, []string{"node"}, "node (v22.1.0)"},
		{
			"java",
			map[string]string{"java": `[ "$1" = -version ] && echo 'openjdk 21' >&2`},
			"bot.jar", 0o600,
			[]string{"java", "-jar"},
			"java (openjdk 21)",
		},
		{"a program", nil, "bot", 0o700, nil, ""},
		{"a script that can be run", nil, "bot.sh", 0o700, nil, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			install(t, tt.programs)
			path := touch(t, tt.file, tt.mode)
			if filepath.Ext(path) == ".sh" { // a program by its first line
				if err := os.WriteFile(path, []byte("#!/bin/sh\n"), tt.mode); err != nil {
					t.Fatal(err)
				}
			}
			var f Finder
			want := append(slices.Clone(tt.argv), path)
			got, err := f.Find(t.Context(), path)
			if err != nil || !slices.Equal(got.Argv, want) || got.Note != tt.note {
				t.Fatalf("Find(%v) = %q, %q, %v, want %q, %q", tt.file, got.Argv, got.Note, err, want, tt.note)
			}
			t.Setenv("PATH", t.TempDir())
			if got, err = f.Find(t.Context(), path); err != nil || got.Note != tt.note {
				t.Errorf("a second Find = %q, %v, want it to remember", got.Note, err)
			}
		})
	}
}

func TestFindInThisFolder(t *testing.T) {
	t.Chdir(filepath.Dir(touch(t, "bot", 0o700)))
	var f Finder
	if got, err := f.Find(t.Context(), "bot"); err != nil ||
		!slices.Equal(got.Argv, []string{"./bot"}) {
		t.Errorf("Find(bot) = %q, %v, want ./bot", got.Argv, err)
	}
}

func TestFindFails(t *testing.T) {
	install(t, map[string]string{"python3": "exit 1", "python": "echo Python 2.7.18 >&2"})
	for _, tt := range []struct{ file, want string }{
		{touch(t, "bot.py", 0o600), `bot.py: no program that runs .py files was found (py -3: not found; python3: exit status 1; python: its version is "Python 2.7.18")`},
		{touch(t, "bot.js", 0o600), "no program that runs .js files was found (node: not found)"},
		{touch(t, "bot.sh",
			0o600), `bot.sh is not executable; make it so, or give a command line such as "sh `},
		{touch(t, "bot.cc",
			0o600), `bot.cc cannot be run by itself; compile it, as with "c++ -O2 -o bot `},
		{touch(t, "hexarena.py", 0o600), "hexarena.py is a kit, which bots use; name the file of a bot"},
		{touch(t, "bot.TS", 0o600), `; give a command line: "node `},
		{t.TempDir(), "is a folder"},
		{filepath.Join(t.TempDir(), "missing.py"), "no such file"},
	} {
		var f Finder
		if got, err := f.Find(t.Context(), tt.file); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("Find(%v) = %q, %v, want an error with %q", tt.file, got.Argv, err, tt.want)
		}
	}
}
