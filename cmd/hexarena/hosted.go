package main

import (
	"cmp"
	"errors"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/prompt"
)

// hosted is a game as serve hosts it.
type hosted struct {
	*games.Game
	games.Instance
	players int // seats for players
	turns   int

	plain bool // behave as the program netorcai
	moves bool // the page's address is the default: another will do
}

// hostOf returns the game of the settings, and all mistakes in these.
func hostOf(v config.Values) (hosted, error) {
	g := gameList.Find(v.Text("game"))
	i, err := g.New(v)
	return hostOn(g, i, v.Config()), errors.Join(err, checkRecord(v))
}

// hostOn returns a game with as many seats as the settings say.
func hostOn(g *games.Game, i games.Instance, c config.Config) hosted {
	return hosted{
		Game: g, Instance: i, turns: cmp.Or(i.Turns, c.MaxTurns),
		players: c.MaxPlayers.Or(cmp.Or(i.Players, config.NetorcaiPlayers)),
	}
}

// pace returns the pace of a game that has a clock, or nil: then the settings have it.
func (h *hosted) pace() func(match.Settings) match.Pace {
	if h.Budget == nil {
		return nil
	}
	budget := *h.Budget
	return func(match.Settings) match.Pace {
		return match.Clock(func(engine.PlayerID) match.Budget { return budget }, 0)
	}
}

// most returns the upper bounds that the game sets for variables of the operator.
func (h *hosted) most() map[string]float64 {
	if h.Instance.New == nil {
		return nil
	}
	return map[string]float64{"nb-players-max": float64(h.Players), "nb-splayers-max": float64(h.Specials)}
}

// variables returns the variables that the operator can print and set, with the upper bounds
// of the game.
func variables(most map[string]float64) []prompt.Variable {
	list := make([]prompt.Variable, 0, len(config.Variables))
	for _, v := range config.Variables {
		if limit, ok := most[v.Name]; ok {
			v.Max = limit
		}
		list = append(list, variableOf(v))
	}
	return list
}

func variableOf(v config.Variable) prompt.Variable {
	switch v.Name {
	case "nb-turns-max":
		return variable(v, func(s *match.Settings) *int { return &s.Turns })
	case "nb-players-max":
		return variable(v, func(s *match.Settings) *int { return &s.Players })
	case "nb-splayers-max":
		return variable(v, func(s *match.Settings) *int { return &s.Specials })
	case "nb-visus-max":
		return variable(v, func(s *match.Settings) *int { return &s.Visus })
	case "delay-first-turn":
		return variable(v, func(s *match.Settings) *float64 { return &s.DelayFirst })
	case "delay-turns":
		return variable(v, func(s *match.Settings) *float64 { return &s.DelayTurns })
	}
	panic("no setting belongs to the variable " + v.Name)
}

func variable[T int | float64](v config.Variable, field func(*match.Settings) *T) prompt.Variable {
	return prompt.Variable{
		Variable: v,
		Get:      func(s match.Settings) float64 { return float64(*field(&s)) },
		Set:      func(s *match.Settings, value float64) { *field(s) = T(value) },
	}
}
