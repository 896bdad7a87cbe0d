package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/prompt"
	"github.com/hexarena/hexarena/server/seat"
)

// hosted is a game as serve hosts it.
type hosted struct {
	*games.Game
	games.Instance
	players int // seats for players
	turns   int
	each    host.Spec // what the settings say of each match; its other seats are open

	plain bool // behave as the program netorcai
	moves bool // the page's address is the default: the page may be at another one
}

// hostOf returns the game that the settings describe. The error holds all mistakes in them.
func hostOf(ctx context.Context, v config.Values) (hosted, error) {
	g := gameList.Find(v.Text("game"))
	i, err := g.New(v)
	h, wrong := hostOn(v, v.Config(), g, i)
	if err = cmp.Or(err, wrong); err == nil {
		h.each.Logic, err = cli.Logic(ctx, v, i)
	}
	if err == nil {
		err = h.readSeats(ctx, v)
	}
	return h, errors.Join(err, checkRecord(v))
}

// readSeats reads the setting of the players' seats.
func (h *hosted) readSeats(ctx context.Context, v config.Values) error {
	const setting = "seats"
	arguments, err := launch.Split(v.Text(setting))
	if n := len(arguments); err == nil && n > h.players {
		err = fmt.Errorf("names %d seats, and a match has %d: leave some out", n, h.players)
	}
	if err != nil {
		return v.Mistake(setting, "%w", err)
	}
	h.each.Seats, err = cli.Seats(ctx, arguments, cli.Scripts(v, seat.Known{
		Game: h.Name, HTTTX: h.BotAPI, Page: v.Text("http") != "", Builtin: h.NewBuiltin,
	}))
	if err != nil {
		return v.Mistake(setting, "%w", err)
	}
	h.each.Bots.Launch.Isolate, err = cli.Isolation(ctx, v, cli.Bots(h.each.Seats, h.BotAPI))
	return err
}

// hostOn returns a game with as many seats as the settings say, all open.
func hostOn(
	v config.Values, c config.Config, g *games.Game, i games.Instance,
) (hosted, error) {
	each, err := cli.Match(v, c, g, i)
	return hosted{
		Game: g, Instance: i, each: each, turns: cmp.Or(i.Turns, c.MaxTurns),
		players: c.MaxPlayers.Or(cmp.Or(i.Players, config.NetorcaiPlayers)),
	}, err
}

// pace returns the pace of a game that has a clock, or nil if the settings determine the pace.
func (h *hosted) pace() func(match.Settings) match.Pace {
	if h.Budget == nil {
		return nil
	}
	return match.PaceSpec{Budget: h.Budget}.Pace
}

// most returns the upper bounds that the game sets for variables of the operator.
func (h *hosted) most() map[string]float64 {
	if h.Instance.New == nil {
		return nil
	}
	return map[string]float64{
		"nb-players-max": float64(h.Players), "nb-splayers-max": float64(h.Specials),
	}
}

// variables returns the variables that the operator can print and set, with the upper bounds
// of the game.
func variables(most map[string]float64) (list []prompt.Variable) {
	for i, v := range config.Variables {
		if limit, ok := most[v.Name]; ok {
			v.Max = limit
		}
		list = append(list, prompt.Variable{
			Variable: v,
			Get: func(s match.Settings) float64 {
				if n, ok := fields(&s)[i].(*int); ok {
					return float64(*n)
				}
				return *fields(&s)[i].(*float64)
			},
			Set: func(s *match.Settings, value float64) {
				if n, ok := fields(s)[i].(*int); ok {
					*n = int(value)
					return
				}
				*fields(s)[i].(*float64) = value
			},
		})
	}
	return list
}

// fields returns the settings that belong to the variables, each an *int or a *float64.
func fields(s *match.Settings) [len(config.Variables)]any {
	return [...]any{&s.Turns, &s.Players, &s.Specials, &s.Visus, &s.DelayFirst, &s.DelayTurns}
}
