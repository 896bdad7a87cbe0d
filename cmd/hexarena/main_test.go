package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hexarena/hexarena/internal/thorough"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hexarena": main, "netorcai": main, "hexabomb": main, "chatterbox": chatter, "hexarena-toys": toys})
}

// TestScripts plays every testdata/script/*.txtar: the commands as people type
// them, in processes of their own.
func TestScripts(t *testing.T) {
	thorough.Long(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each process stays a second longer
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
