package rounds

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
)

// The largest event that the pages are made for, and the pace of its fastest matches: bots that
// think for 20 ms, with as much for the network and the rules.
const (
	ExpectedTeams = 40
	ExpectedTurns = 20 // in a second
)

// turnFrame is the number of bytes a TURN has beside the state: names of fields, and the actions of
// the turn before.
const turnFrame = 500

// ExpectedTraffic returns how many Mbit all bots of the largest event receive in a second over
// plain TCP, by the size of the first state of a match, which grows little.
func ExpectedTraffic(board games.Instance, seats int) (mbit float64, err error) {
	g := board.New()
	if _, err := g.Start(engine.Setup{Players: seats, Turns: 1}); err != nil {
		return 0, err
	}
	bytes := len(g.AppendState(nil)) + turnFrame
	return float64(ExpectedTeams*ExpectedTurns*8*bytes) / 1e6, nil
}
