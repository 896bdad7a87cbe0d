package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	thorough.DirectPython()
	testscript.Main(m, map[string]func(){"hexarena": main, "netorcai": main, "hexabomb": main, "chatterbox": playChattyBot, "hexarena-toys": toys, "hangs": playHungBot, "stand-in-runtime": standInRuntime})
}

// TestScripts runs every testdata/script/*.txtar: commands as users type them, each in
// its own process.
func TestScripts(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	runScripts(t, "testdata/script")
}

// TestLongScripts runs those that take most of a second of a processor, or more.
func TestLongScripts(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	runScripts(t, "testdata/script/long")
}

func runScripts(t *testing.T, dir string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			e.Setenv("BIN", filepath.SplitList(e.Getenv("PATH"))[0]) // which has hexarena only
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each process ends a second later
			return toolchains(e)
		},
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"change": changeFile},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// toolchains keeps the caches of compilers in the user's home, in place of that of the script.
func toolchains(e *testscript.Env) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	for name, usual := range map[string]string{
		"GOCACHE": filepath.Join(cache, "go-build"), "CARGO_HOME": filepath.Join(home, ".cargo"),
		"RUSTUP_HOME": filepath.Join(home, ".rustup"),
	} {
		e.Setenv(name, cmp.Or(os.Getenv(name), usual))
	}
	return err
}

// changeFile is the command change FILE REGEXP REPLACEMENT TO: it writes a copy of a file in which
// the first match is replaced. In the replacement, $0 is the match, and \n a line feed.
func changeFile(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	found := regexp.MustCompile(args[1]).FindStringSubmatchIndex(text)
	if found == nil {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	replacement := strings.NewReplacer("$0", text[found[0]:found[1]], `\n`, "\n").Replace(args[2])
	ts.Check(
		os.WriteFile(ts.MkAbs(args[3]), []byte(text[:found[0]]+replacement+text[found[1]:]), 0o644))
}
