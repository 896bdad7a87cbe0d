package main

import (
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/prompt"
)

// The games that serve can host.
const (
	gameHexabomb     = "hexabomb"
	gameHextictactoe = "hextictactoe"
	gameExternal     = "external" // a game logic connects
)

// hosted is a game as the server hosts it.
type hosted struct {
	players int                // seats for players
	most    map[string]float64 // what the game lets a variable be at most
	game    engine.Game        // to be played once; nil: it runs elsewhere
	again   func() engine.Game // another one, for the next match
	board   []byte             // the map it is played on, as JSON; nil: none
	setup   []byte             // what else a recording has to keep of it
	mapName string             // of the map, or of the game if it has none
	answer  int                // bytes that an answer may have; 0: what the metaprotocol allows

	pace  func(match.Settings) match.Pace // nil: as the settings have it
	plain bool                            // nothing that netorcai does not have
	moves bool                            // nobody chose the page's address: it may be another
}

// hostOf is the game that the settings name, unless they do not go together.
func hostOf(v config.Values) (hosted, error) {
	f := checkRecord(v)
	var g hosted
	var err error
	switch c := v.Config(); c.Game {
	case gameExternal:
		g, err = hostExternal(c), checkExternal(v)
	case gameHextictactoe:
		g, err = hostHextictactoe(v)
	default:
		g, err = loadHexabomb(v)
	}
	if err != nil {
		f = append(f, err)
	}
	return g, errors.Join(f...)
}

// checkRecord reports a folder that recordings cannot be written in.
func checkRecord(v config.Values) (f faults) {
	if err := checkFolder(v.Text("record")); err != nil {
		f = append(f, v.Mistake("record", "%w", err))
	}
	return f
}

func loadHexabomb(v config.Values) (hosted, error) {
	c := v.Config()
	board, err := maps.Load(c.Map)
	if err != nil {
		return hosted{}, v.Mistake("map", "%w", err)
	}
	return hostHexabomb(c, board), checkHexabomb(v, board)
}

func hostHexabomb(c config.Config, board *hexabomb.Map) hosted {
	again := func() engine.Game { return hexabomb.New(board) }
	return hosted{
		game:    again(),
		again:   again,
		board:   board.AppendJSON(nil),
		mapName: c.Map,
		answer:  answerSize(board),
		players: c.MaxPlayers.Or(board.Seats()),
		most: map[string]float64{
			"nb-players-max":  float64(board.Seats()),
			"nb-splayers-max": float64(min(1, len(board.Specials))),
		},
	}
}

func hostExternal(c config.Config) hosted {
	return hosted{players: c.MaxPlayers.Or(config.NetorcaiPlayers), answer: externalAnswer}
}

// faults collects what is wrong, so that all of it is told at once.
type faults []error

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

func checkHexabomb(v config.Values, board *hexabomb.Map) error {
	var wrong []error
	c := v.Config()
	if c.MaxPlayers.Or(0) > board.Seats() {
		wrong = append(wrong, v.Mistake("players", "map %s has %d seats; lower it, leave it out, or choose another map", c.Map, board.Seats()))
	}
	switch {
	case c.MaxSpecials > 1:
		wrong = append(wrong, v.Mistake("special-players", "%s is played with 0 or 1 special players", gameHexabomb))
	case c.MaxSpecials > 0 && len(board.Specials) == 0:
		wrong = append(wrong, v.Mistake("special-players", "map %s has no place for a special player; set it to 0 or choose another map", c.Map))
	}
	return errors.Join(wrong...)
}

func checkExternal(v config.Values) error {
	if v.Config().Matches != config.Given(1) {
		return v.Mistake("matches", "an external game plays one match; leave it out")
	}
	return nil
}

// variables are what the operator can print and set, and what the game lets
// them be at most.
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
