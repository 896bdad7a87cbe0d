package kits_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/bots/script"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/env"
	"github.com/hexarena/hexarena/server/games/hexabomb"
)

// itself returns the path of this program.
func itself(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// simulated are the games of simulators.
var simulated = games.List{hexabomb.Game()}

func init() { script.Serve(simulated) }

// playEnv does what hexarena env does, for the simulators of bots: this test's program stands for
// hexarena. It returns the exit code.
func playEnv() int {
	scope := config.Scope{Command: config.Env, Games: simulated.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	flags.Bool("json", false, "")
	v, err := config.Values{}, flags.Parse(os.Args[2:])
	if err == nil {
		v, err = scope.Load(flags, nil)
	}
	var w *env.World
	if err == nil {
		w, err = env.NewWorld(simulated, v)
	}
	if err == nil {
		err = env.Lines(w, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
