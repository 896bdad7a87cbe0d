package cuptest

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/games"
)

// Boards returns a game on each of some maps, with the default settings, and how a plan names the maps.
func Boards(t testing.TB, g *games.Game, names ...string) (boards []games.Instance, maps []plan.Map) {
	t.Helper()
	scope := config.Scope{Command: config.Cup, Games: games.List{g}.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	v, err := scope.Load(flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		i, err := g.New(v.With("map", name))
		if err != nil {
			t.Fatal(err)
		}
		boards, maps = append(boards, i), append(maps, plan.Map{Name: name, Places: i.Players})
	}
	return boards, maps
}
