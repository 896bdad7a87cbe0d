package cuptest

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
)

// Boards returns a game on each of some maps, with the default settings of a cup.
func Boards(t testing.TB, g *games.Game, maps ...string) []games.Instance {
	t.Helper()
	scope := config.Scope{Command: config.Cup, Games: games.List{g}.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	v, err := scope.Load(flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	var boards []games.Instance
	for _, name := range maps {
		i, err := g.New(v.With("map", name))
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, i)
	}
	return boards
}
