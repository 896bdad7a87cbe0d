package cli

import (
	"errors"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Launch returns how the settings start bots, but for what isolates them.
func Launch(v config.Values) (seating.Launch, error) {
	env, err := launch.ParseEnv(v.Text("env"))
	if err != nil {
		err = v.Mistake("env", "%w", err)
	}
	return seating.Launch{Timeout: v.Duration("start-timeout"), Logs: v.Text("logs"), Env: env}, err
}

// Match returns what the settings say of each match of a game on a board, but for its seats and the
// program of its rules.
func Match(
	v config.Values, c config.Config, g *games.Game, board games.Instance,
) (spec host.Spec, err error) {
	bots := direct.Options{Builtin: g.NewBuiltin, Public: c.Public, Patience: c.TurnTimeout}
	spec = host.Spec{
		Name: g.Name, Game: board, GameTimeout: c.GameTimeout,
		Bots: seating.Options{Options: bots, HTTTX: g.BotAPI},
	}
	if c.Order != "" { // else the game has no use for it
		spec.Order, err = match.ParseOrder(string(c.Order))
	}
	started, wrong := Launch(v)
	spec.Bots.Launch = started
	return spec, errors.Join(err, wrong)
}
