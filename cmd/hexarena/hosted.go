package main

import (
	"errors"
	"fmt"
	"strconv"

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

var games = []string{gameHexabomb, gameHextictactoe, gameExternal}

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
func hostOf(e *config.Effective) (hosted, error) {
	if e.Config.Game == gameExternal {
		return hostExternal(e.Config), checkExternal(e)
	}
	if e.Config.Game == gameHextictactoe {
		return hostHextictactoe(e)
	}
	board, err := maps.Load(e.Config.Map)
	if err != nil {
		return hosted{}, fmt.Errorf("map: %w", err)
	}
	return hostHexabomb(e.Config, board), checkHexabomb(e.Config, board)
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

func checkHexabomb(c config.Config, board *hexabomb.Map) error {
	f := checkHouse(c)
	if players := c.MaxPlayers.Or(0); players > board.Seats() {
		f.add("nb-players-max = %d: map %s has %d seats; lower it, leave it out, or choose another map", players, c.Map, board.Seats())
	}
	switch {
	case c.MaxSpecials > 1:
		f.add("nb-splayers-max = %d: hexabomb is played with 0 or 1 special players", c.MaxSpecials)
	case c.MaxSpecials > 0 && len(board.Specials) == 0:
		f.add("nb-splayers-max = %d: map %s has no place for a special player; set it to 0 or choose another map", c.MaxSpecials, c.Map)
	}
	if c.GameTimeout > 0 {
		f.add("game-timeout = %v: counts for a game logic that connects; leave it out, or set game to external", c.GameTimeout)
	}
	return errors.Join(f...)
}

func checkExternal(e *config.Effective) error {
	f := checkHouse(e.Config)
	if origin := e.Origins["map"]; origin != "default" {
		f.add("map = %q (%s): an external game brings its own; leave it out", e.Config.Map, origin)
	}
	if origin := e.Origins["matches"]; e.Config.Matches != config.Given(1) {
		f.add("matches = %s (%s): an external game plays one match; leave it out", matchesText(e.Config.Matches), origin)
	}
	return errors.Join(f...)
}

func matchesText(n config.Optional[int]) string {
	if !n.Given {
		return "endless"
	}
	return strconv.Itoa(n.Value)
}

// checkHouse finds settings that do not go together whatever game is played in
// turns that all take at once.
func checkHouse(c config.Config) (f faults) {
	if c.TurnTimeout > 0 && !c.Fast {
		f.add("turn-timeout = %v: counts at the fast pace only; add --fast, or set delay-turns", c.TurnTimeout)
	}
	return append(f, checkPage(c)...)
}

// checkPage finds settings of the page that do not go together.
func checkPage(c config.Config) (f faults) {
	if err := checkFolder(c.Record); err != nil {
		f.add("record: %w", err)
	}
	if err := checkAddress(c.HTTP); err != nil {
		f.add("http: %w", err)
	}
	if err := checkAddress(c.Health); err != nil {
		f.add("health: %w", err)
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		f.add("tls-cert = %q, tls-key = %q: want both or neither", c.TLSCert, c.TLSKey)
	}
	return f
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
