package main

import (
	"github.com/hexarena/hexarena/bots/script"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/external"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
)

// gameList holds the games of this program. The first one is played unless another is chosen.
var gameList = games.List{
	hexabomb.Game(),
	hextictactoe.Game(),
	external.Game(),
}

func init() { script.Serve(gameList) }
