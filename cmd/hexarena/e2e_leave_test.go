package main

import (
	"slices"

	"github.com/hexarena/hexarena/server/servertest"
)

func leaveCases() []e2eCase {
	return []e2eCase{
		{"leaving before the start", []string{"match/leaves before the start"}, playLeaveEarly},
		{"leaving before DO_INIT_ACK", []string{"match/leaves before DO_INIT_ACK"}, playLeaveAtInit},
		{"leaving during the match", []string{
			"match/leaves while READY", "match/leaves while THINKING", "match/kicked during the match",
		}, playLeaveLate},
	}
}

// A client that leaves before the start frees its seat.
func playLeaveEarly(s *netorcaiRun) {
	s.open("--nb-players-max=1", "--nb-splayers-max=1", "--nb-visus-max=1")
	for _, role := range []string{"player", "special player", "visualization"} {
		for range 3 {
			s.loginRetrying("one", role).Close()
		}
	}
	logic := s.logic()
	s.loginRetrying("last", "player")
	s.typeLines("start") // clients that left do not count
	if m := logic.Expect("DO_INIT"); m.Players != 1 || m.Specials != 0 {
		s.Errorf("DO_INIT: %s", m.Raw)
	}
	s.markProved("match/leaves before the start")
}

// A client that leaves after the start still counts, and is shown as not connected.
func playLeaveAtInit(s *netorcaiRun) {
	s.open("--fast", "--nb-turns-max=100")
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.typeLines("start")
	if m := logic.Expect("DO_INIT"); m.Players != 1 {
		s.Errorf("DO_INIT: %s", m.Raw)
	}
	player.Close()
	s.waitLine("Remote endpoint closed")
	s.settle()
	logic.AckInit("{}")
	if m := visu.Expect("GAME_STARTS"); m.Players != 1 || len(m.Infos) != 1 || m.Infos[0].Connected {
		s.Errorf("GAME_STARTS: %s", m.Raw)
	}
	s.markProved("match/leaves before DO_INIT_ACK")
}

// The match continues without clients that leave, and the answers that they had sent
// count.
func playLeaveLate(s *netorcaiRun) {
	s.open("--fast", "--nb-turns-max=5")
	logic, players, visu := s.logic(), s.threePlayers(), s.visu()
	s.begin(logic)
	players = s.byID(players)
	visu.Expect("GAME_STARTS")
	// step plays a turn with those answers, and returns how the next TURN shows
	// the players.
	step := func(next int, answers ...string) []servertest.PlayerInfo {
		s.Helper()
		got := answeredPlayers(turn(logic, next+1))
		slices.Sort(got)
		if !slices.Equal(got, answers) {
			s.Errorf("DO_TURN before TURN %d: %v, want %v", next, got, answers)
		}
		m := visu.Expect("TURN")
		if m.Turn != next {
			s.Errorf("TURN: %s", m.Raw)
		}
		visu.Answer(next, "")
		return m.Infos
	}
	step(0)
	for _, p := range players {
		p.Expect("TURN")
	}

	players[0].Answer(0, "")
	players[0].Close()
	s.waitLine("Remote endpoint closed")
	players[1].Answer(0, "")
	players[2].Answer(0, "")
	step(1, "0:0", "1:0", "2:0")
	s.markProved("match/leaves while READY")

	players[1].Expect("TURN")
	players[2].Expect("TURN")
	players[1].Close()
	s.waitLine("Remote endpoint closed")
	players[2].Answer(1, "")
	step(2, "2:1")
	s.markProved("match/leaves while THINKING")

	players[2].Expect("TURN")
	players[2].Send("garbage")
	players[2].ExpectKick("Cannot read TURN_ACK. Non-JSON message received")
	for _, info := range step(3) {
		if info.Connected {
			s.Errorf("player %d is still shown as connected", info.PlayerID)
		}
	}
	s.markProved("match/kicked during the match")

	turn(logic, 5)
	visu.Expect("GAME_ENDS")
	s.finish(visu, logic)
}
