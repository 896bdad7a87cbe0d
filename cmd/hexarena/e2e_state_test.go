package main

import (
	"strings"

	"github.com/hexarena/hexarena/server/servertest"
)

func stateCases() []e2eCase {
	return []e2eCase{
		{"states", []string{"match/states byte for byte"}, playStates},
		{"bytes that are not UTF-8", []string{"match/states are valid UTF-8", "match/actions are valid UTF-8"}, playInvalidUTF8},
	}
}

func playStates(s *netorcaiRun) {
	s.open("--nb-turns-max=2", "--fast")
	// White space, doubled keys, escapes and long numbers.
	state := func(what string) string {
		return `{ "b" : 1.0,"b":2,	"":null, "<&>":"\u00e9\/é\ud800", "n":[1e2,-0,12345678901234567890.10]  ,"what":"` + what + `"}`
	}
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.typeLines("start")
	logic.Expect("DO_INIT")
	logic.Send(`{"initial_game_state":{"all_clients":{"old":1},"more":[1], "all_clients" : %s },"message_type":"DO_INIT_ACK"}`, state("init"))
	logic.Expect("DO_TURN")
	logic.Send(`{"winner_player_id":-1,"game_state": {"all_clients": %s},"message_type":"DO_TURN_ACK"}`, state("turn"))
	for _, c := range []*servertest.Client{player, visu} {
		if m := c.Expect("GAME_STARTS"); string(m.Initial) != state("init") {
			s.Errorf("GAME_STARTS: %s", m.Raw)
		}
		if m := c.Expect("TURN"); string(m.State) != state("turn") {
			s.Errorf("TURN: %s", m.Raw)
		}
	}
	player.Answer(0, "")
	logic.Expect("DO_TURN")
	logic.AckTurn(0, state("end"))
	for _, c := range []*servertest.Client{player, visu} {
		if m := c.Expect("GAME_ENDS"); string(m.State) != state("end") || m.Winner != 0 {
			s.Errorf("GAME_ENDS: %s", m.Raw)
		}
		c.Close()
	}
	s.finish(logic)
	s.markProved("match/states byte for byte")
}

// The server forwards bytes that are not UTF-8 as U+FFFD.
func playInvalidUTF8(s *netorcaiRun) {
	s.open("--nb-turns-max=2", "--fast")
	const sent, want = "caf\xe9 \xff\xfe \xe2\x82 \u20ac \xed\xa0\x80", "caf\ufffd \ufffd\ufffd \ufffd\ufffd \u20ac \ufffd\ufffd\ufffd"
	state := func(text string) string { return `{"name":"` + text + `","` + text + `":[1]}` }
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.typeLines("start")
	logic.Expect("DO_INIT")
	logic.AckInit(state(sent))
	logic.Expect("DO_TURN")
	logic.AckTurn(-1, state(sent))
	for _, c := range []*servertest.Client{player, visu} {
		if m := c.Expect("GAME_STARTS"); string(m.Initial) != state(want) {
			s.Errorf("GAME_STARTS: %q", m.Raw)
		}
		if m := c.Expect("TURN"); string(m.State) != state(want) {
			s.Errorf("TURN: %q", m.Raw)
		}
	}
	player.Answer(0, `["`+sent+`"]`)
	if m := logic.Expect("DO_TURN"); !strings.Contains(string(m.Raw), `["`+want+`"]`) {
		s.Errorf("DO_TURN: %q", m.Raw)
	}
	logic.AckTurn(-1, state(sent))
	for _, c := range []*servertest.Client{player, visu} {
		if m := c.Expect("GAME_ENDS"); string(m.State) != state(want) {
			s.Errorf("GAME_ENDS: %q", m.Raw)
		}
	}
	s.finish(player, visu, logic)
	s.markProved("match/states are valid UTF-8", "match/actions are valid UTF-8")
}
