package main

import (
	"os"
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
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each process ends a second later
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
