package main

import (
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/external"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
)

// gameList is the games of this program. The first is played unless another one is
// chosen.
var gameList = games.List{
	hexabomb.Game(),
	hextictactoe.Game(),
	external.Game(),
}
