package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	testscript.Main(m, map[string]func(){"hexarena": main, "netorcai": main, "hexabomb": main, "chatterbox": playChattyBot, "hexarena-toys": toys, "hangs": playHungBot, "stand-in-runtime": standInRuntime})
}

// TestScripts runs every testdata/script/*.txtar: commands as users type them, each in
// its own process.
func TestScripts(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each process ends a second later
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
