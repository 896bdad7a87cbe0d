package botapi

import "github.com/hexarena/hexarena/server/match"

// maxMoves is the number of moves after which a game without a turn limit is a
// draw.
const maxMoves = 100_000

// Settings returns the settings of all matches of two peers.
func Settings() match.Settings { return match.Settings{Turns: maxMoves, Players: 2} }
