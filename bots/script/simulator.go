package script

import (
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games/env"
)

// simulate returns the function that answers the requests of a simulator, in place of the process
// hexarena env --json, which a script cannot start. The positions count as memory of the script,
// and are garbage once the script drops the function.
func (b *bot) simulate(game string) func(request string) string {
	scope := config.Scope{Command: config.Env, Games: b.games.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	err := flags.Set("game", game)
	var v config.Values
	if err == nil {
		v, err = scope.Load(flags, nil)
	}
	var w *env.World
	if err == nil {
		w, err = env.NewWorld(b.games, v)
	}
	if err != nil {
		panic(b.vm.NewGoError(err))
	}
	s := env.NewSession(w)
	return func(request string) string { return string(s.Reply([]byte(request))) }
}
