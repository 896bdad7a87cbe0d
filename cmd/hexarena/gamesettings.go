package main

import (
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/maps"
)

// serveGames and playGames are the games that serve and play have, with the settings of each.
var (
	serveGames = []config.Game{
		{Name: gameHexabomb, Settings: hexabombSettings()},
		{Name: gameHextictactoe, Settings: hextictactoeSettings()},
		{Name: gameExternal, Settings: externalSettings()},
	}
	playGames = serveGames[:2]
)

func hexabombSettings() []config.Setting {
	board := config.Name("the name of a shipped map or a file")
	board.Words = maps.Names()
	return []config.Setting{
		{
			Name: "map", Kind: board, Default: maps.Default, Commands: config.Serve | config.Play,
			Help: "name of a shipped map, or a map file",
		},
		{
			Name: "sudden-death", Kind: config.Bool(), Default: "false", Commands: config.Play,
			Help: "the dead stay dead, and a hunter joins as special player",
		},
	}
}

func hextictactoeSettings() []config.Setting {
	turns, timeout := config.General("turns"), config.General("turn-timeout")
	turns.In = map[config.Command]config.Variant{config.Play: {Default: "200"}}
	timeout.With, timeout.Default, timeout.In = "", "1m", nil
	timeout.Help = "time that a move may take in a game without a clock; off or 0 for any time"
	own := []config.Setting{
		turns, timeout,
		{
			Name: "tc", Kind: config.Text(), Commands: config.Serve | config.Play,
			Help: "seconds that each side has, + and seconds that a move adds, such as 60+0.5; empty for no clock",
		},
		{
			Name: "view-distance", Kind: config.Integer(1, 100), Default: "8", Commands: config.Play,
			Help: "how far from other pieces a piece may be placed",
		},
		{
			Name: "win-distance", Kind: config.Integer(2, 100), Default: "6", Commands: config.Play,
			Help: "how many pieces in a row win",
		},
		{
			Name: "openings", Kind: config.Text(), Commands: config.Play,
			Help: "file of positions, each of which is played twice, with both sides; empty for none",
		},
		{
			Name: "public", Kind: config.Bool(), Default: "false", Group: config.NetworkGroup, Commands: config.Serve,
			Help: "dial bots on the public Internet only, also when a request from this machine says where they are",
		},
	}
	own = append(own, config.Restrict(0, "pace", "tps", "delay-first-turn", "players", "special-players", "strict", "watch", "headless", "count", "jobs")...)
	return append(own, config.Restrict(config.Serve, "order", "bind", "port")...)
}

func externalSettings() []config.Setting {
	return []config.Setting{{
		Name: "game-timeout", Kind: config.Duration(0), Default: "off", Group: config.PaceGroup, Commands: config.Serve,
		Help: "end the match when the game logic takes longer for a turn, such as 10s; off or 0 for never",
	}}
}
