// Package external describes to hexarena any game whose rules are elsewhere: a game
// logic, in whatever language, connects and plays them.
package external

import (
	"fmt"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// Name is the name that the settings have for such a game.
const Name = "external"

// answerSize is for rules of which nothing is known.
const answerSize = 1 << 20

// Game describes a game whose rules are elsewhere.
func Game() *games.Game {
	return &games.Game{
		Name: Name, Title: "an external game", New: newInstance,
		Rules: []string{recording.External}, Replay: replay, Draw: draw, DrawsWhole: true,
		PlayHelp: `With --game ` + Name + ` the rules are in a game logic, a program in any language, which
--logic names: docs/add-a-game.md says how to write one.`,
		ServeHelp: `With --game ` + Name + ` the rules are in a game logic, which connects as a client or is started
by --logic, and can be written in any language.`,
		Example: `--game ` + Name + ` --logic logic.py my_bot.py my_bot.py`,
		Settings: []config.Setting{
			{
				Name: "logic", Kind: config.Text(), Commands: config.Serve | config.Play | config.Cup,
				Help: "the game logic: a file, a command line, or stdio: and one of them if it speaks on its " +
					"standard input and output; one is started for each match",
				In: map[config.Command]config.Variant{config.Serve: {
					Help: "the game logic that is started for each match: a file, a command line, or stdio: and " +
						"one of them; without it, one has to connect",
				}},
			},
			{
				Name: "game-timeout", Kind: config.Duration(0), Default: "10s", Group: config.PaceGroup,
				Commands: config.Serve | config.Play | config.Cup,
				Help: "abort the match if the game logic takes longer than this for a turn; off or 0 for no " +
					"limit",
				In: map[config.Command]config.Variant{config.Serve: {Default: "off"}},
			},
		},
	}
}

// replay refuses to make a game: recordings have the states of rules that are elsewhere.
func replay(string, []byte) (engine.Game, error) {
	return nil, fmt.Errorf("%w: they ran in another program", recording.ErrRules)
}

func newInstance(v config.Values) (games.Instance, error) {
	if serves := v.Origin("matches") != ""; serves && v.Text("logic") == "" && v.Int("matches") != 1 {
		return games.Instance{}, v.Mistake("matches", "a game logic that connects plays one match; "+
			"leave it out, or have one started for each match with --logic")
	}
	return games.Instance{AnswerSize: answerSize}, nil
}
