// Package external describes to hexarena any game whose rules are elsewhere: a game
// logic, in whatever language, connects and plays them.
package external

import (
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
)

// Name is the name that the settings have for such a game.
const Name = "external"

// answerSize is for rules of which nothing is known.
const answerSize = 1 << 20

// Game describes a game whose rules are elsewhere.
func Game() *games.Game {
	return &games.Game{
		Name: Name, Title: "an external game", New: newInstance,
		ServeHelp: `With --game ` + Name + ` the rules are in a game logic, which connects as a client and can
be written in any language.`,
		Settings: []config.Setting{{
			Name: "game-timeout", Kind: config.Duration(0), Default: "off", Group: config.PaceGroup, Commands: config.Serve,
			Help: "abort the match if the game logic takes longer than this for a turn; off or 0 for no limit",
		}},
	}
}

func newInstance(v config.Values) (games.Instance, error) {
	if v.Int("matches") != 1 {
		return games.Instance{}, v.Mistake("matches", "an external game plays one match; leave it out")
	}
	return games.Instance{AnswerSize: answerSize}, nil
}
