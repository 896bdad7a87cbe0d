package botapi

import "github.com/hexarena/hexarena/server/match"

// maxMoves ends a game without a turn limit, as a draw.
const maxMoves = 100_000

// Settings returns the settings of all matches of two peers.
func Settings() match.Settings { return match.Settings{Turns: maxMoves, Players: 2} }
