package main

import (
	"fmt"

	"github.com/hexarena/hexarena/server/servertest"
)

func logicCases() []e2eCase {
	return []e2eCase{
		{"game logic before the start", []string{
			"kick/game logic speaks before the start", "kick/game logic unreadable before the start",
			"kick/game logic too long before the start", "kick/game logic gone before the start",
			"match/game logic leaves before the start",
			"kick/game logic fails", "log/game logic failed",
		}, playLogicBeforeStart},
		{"no DO_INIT_ACK", []string{"kick/no DO_INIT_ACK", "kick/game logic fails"}, playNoDoInitAck},
		{"bad DO_INIT_ACK", []string{
			"kick/bad DO_INIT_ACK", "kick/unreadable DO_INIT_ACK", "kick/game logic fails",
			"field/missing", "field/no object", "field/other message type",
		}, playBadDoInitAck},
		{"bad DO_TURN_ACK", []string{
			"kick/bad DO_TURN_ACK", "kick/winner out of range", "kick/unreadable DO_TURN_ACK",
			"kick/game logic fails",
			"field/missing", "field/no integer", "field/no object", "field/other message type",
			"match/game logic leaves during the match",
		}, playBadDoTurnAck},
		{"numbers are truncated", []string{"field/numbers are truncated"}, playTruncation},
		{"early DO_TURN_ACK", []string{"match/early DO_TURN_ACK"}, playEarly},
		{"second early DO_TURN_ACK", []string{
			"match/second early DO_TURN_ACK", "exit/1: game logic failure",
		}, playTwiceEarly},
	}
}

// Any message or disconnect of a game logic before the start ends the server.
func playLogicBeforeStart(s *netorcaiRun) {
	hangUp := raw()
	for _, tt := range []struct {
		write func(*servertest.Client)
		id    string
		args  []any
	}{
		{content("null"), "kick/game logic speaks before the start", nil},
		{content("{}"), "kick/game logic speaks before the start", nil},
		{content(
			`{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":{}}}`,
		), "kick/game logic speaks before the start", nil},
		{content(
			`{"message_type":"LOGIN","nickname":"x","role":"game logic","metaprotocol_version":"2.0.0"}`,
		), "kick/game logic speaks before the start", nil},
		{content("garbage"), "kick/game logic unreadable before the start", nil},
		{func(c *servertest.Client) {
			c.Write(
				[]byte{0, 0, 0, 1})
		}, "kick/game logic too long before the start", []any{1 << 24}},
		{hangUp, "kick/game logic gone before the start", []any{"EOF"}},
	} {
		s.open()
		s.failBeforeStart(tt.write, tt.id, tt.args...)
	}
	s.process = startServe(s.T, "--game=external")
	s.failBeforeStart(hangUp, "kick/game logic gone before the start", "EOF")
	s.markProved("match/game logic leaves before the start")
}

// failBeforeStart fails the game logic of an open server before the start.
func (s *netorcaiRun) failBeforeStart(write func(*servertest.Client), id string, args ...any) {
	s.Helper()
	player, visu, logic := s.player(), s.visu(), s.logic()
	write(logic)
	s.expectKick(logic, id, args...)
	s.expectKick(player, "kick/game logic fails")
	s.expectKick(visu, "kick/game logic fails")
	s.waitLog("log/game logic failed")
	s.expectExit(1)
}

// loginRetrying logs in, repeatedly until the seat of a client that has just left is
// free.
func (s *netorcaiRun) loginRetrying(nickname, role string) *servertest.Client {
	s.Helper()
	for range 1000 {
		c := s.dial()
		c.SendLogin(nickname, role)
		if m, err := c.Receive(); err == nil && m.Type == "LOGIN_ACK" {
			return c
		}
		c.Close()
	}
	s.Fatalf("no seat for a %s gets free", role)
	panic("unreachable")
}

// eachLogicFailure fails a game logic in every way, each in its own match: reach
// brings the match to the point where content is read.
func (s *netorcaiRun) eachLogicFailure(
	reach func(logic *servertest.Client), write func(logic *servertest.Client), id string, args ...any,
) {
	s.Helper()
	s.open("--fast")
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.typeLines("start")
	logic.Expect("DO_INIT")
	reach(logic)
	write(logic)
	s.expectKick(logic, id, args...)
	s.expectKick(player, "kick/game logic fails")
	s.expectKick(visu, "kick/game logic fails")
	s.expectExit(1)
}

func content(text string) func(*servertest.Client) {
	return func(c *servertest.Client) { c.Send("%s", text) }
}

func raw(bytes ...byte) func(*servertest.Client) {
	return func(c *servertest.Client) {
		c.Write(bytes)
		c.Conn.(interface{ CloseWrite() error }).CloseWrite()
	}
}

func playNoDoInitAck(s *netorcaiRun) {
	s.eachLogicFailure(func(*servertest.Client) {}, func(*servertest.Client) {}, "kick/no DO_INIT_ACK")
}

func playBadDoInitAck(s *netorcaiRun) {
	asked := func(*servertest.Client) {}
	ack := `{"message_type":"DO_INIT_ACK","initial_game_state":%s}`
	for text, why := range map[string]string{
		"{}": s.fieldReason("field/missing", "message_type"),
		`{"message_type":"DO_TURN_ACK"}`: s.fieldReason("field/other message type", "DO_TURN_ACK",
			"DO_INIT_ACK"),
		fmt.Sprintf(ack, "{}"):                   s.fieldReason("field/missing", "all_clients"),
		fmt.Sprintf(ack, "[]"):                   s.fieldReason("field/no object", "initial_game_state"),
		fmt.Sprintf(ack, `{"all_clients":null}`): s.fieldReason("field/no object", "all_clients"),
	} {
		s.eachLogicFailure(asked, content(text), "kick/bad DO_INIT_ACK", why)
	}
	s.eachLogicFailure(asked, content("garbage"), "kick/unreadable DO_INIT_ACK",
		"Non-JSON message received")
	s.eachLogicFailure(asked, raw(9, 0, 0, 0), "kick/unreadable DO_INIT_ACK",
		"Remote endpoint closed? Read error: EOF")
}

func playBadDoTurnAck(s *netorcaiRun) {
	asked := func(logic *servertest.Client) {
		logic.AckInit("{}")
		logic.Expect("DO_TURN")
	}
	ack := `{"message_type":"DO_TURN_ACK","winner_player_id":%s,"game_state":%s}`
	for text, why := range map[string]string{
		"null": s.fieldReason("field/missing", "message_type"),
		`{"message_type":"DO_INIT_ACK"}`: s.fieldReason("field/other message type", "DO_INIT_ACK",
			"DO_TURN_ACK"),
		`{"message_type":"DO_TURN_ACK"}`: s.fieldReason("field/missing", "winner_player_id"),
		fmt.Sprintf(ack, "null", "{}"):   s.fieldReason("field/no integer", "winner_player_id"),
		fmt.Sprintf(ack, "-1", "5"):      s.fieldReason("field/no object", "game_state"),
	} {
		s.eachLogicFailure(asked, content(text), "kick/bad DO_TURN_ACK", why)
	}
	for _, winner := range []string{"-2", "1"} { // there is one player, number 0
		s.eachLogicFailure(asked, content(fmt.Sprintf(ack, winner, `{"all_clients":{}}`)),
			"kick/winner out of range", 1)
	}
	s.eachLogicFailure(asked, content("[]"), "kick/unreadable DO_TURN_ACK",
		"Non-JSON message received")
	s.eachLogicFailure(asked, raw(0, 0, 0, 1), "kick/unreadable DO_TURN_ACK",
		"Received message size is too big: 16777216 does not fit in 24 bits")
	gone := func(logic *servertest.Client) { // the disconnect is noticed while the players think
		asked(logic)
		logic.AckTurn(-1, "{}")
	}
	s.eachLogicFailure(gone, raw(), "kick/unreadable DO_TURN_ACK",
		"Remote endpoint closed? Read error: EOF")
	s.markProved("match/game logic leaves during the match")
}

func playTruncation(s *netorcaiRun) {
	s.open("--fast", "--nb-turns-max=2")
	logic, player := s.logic(), s.player()
	s.begin(logic)
	turn(logic, 1)
	player.Until("TURN")
	player.Send(`{"message_type":"TURN_ACK","turn_number":0.9,"actions":[]}`)
	if m := logic.Expect("DO_TURN"); len(m.Actions) != 1 || m.Actions[0].Turn != 0 {
		s.Errorf("DO_TURN: %s", m.Raw)
	}
	logic.Send(`{"message_type":"DO_TURN_ACK","winner_player_id":0.5,"game_state":{"all_clients":{}}}`)
	if m := player.Expect("GAME_ENDS"); m.Winner != 0 {
		s.Errorf("GAME_ENDS: %s", m.Raw)
	}
	s.finish(player, logic)
	s.markProved("field/numbers are truncated")
}

// An answer may arrive before its request.
func playEarly(s *netorcaiRun) {
	s.open("--nb-turns-max=2", "--delay-first-turn=500", "--delay-turns=50")
	logic, visu := s.logic(), s.visu()
	s.begin(logic)
	visu.Expect("GAME_STARTS")
	logic.AckTurn(-1, `{"early":1}`)
	if m := visu.Expect("TURN"); string(m.State) != `{"early":1}` {
		s.Errorf("TURN: %s", m.Raw)
	}
	logic.Expect("DO_TURN")
	turn(logic, 2)
	visu.Expect("GAME_ENDS")
	s.finish(visu, logic)
	s.markProved("match/early DO_TURN_ACK")
}

func playTwiceEarly(s *netorcaiRun) {
	s.open("--delay-first-turn=10000")
	logic, visu := s.logic(), s.visu()
	s.begin(logic)
	visu.Expect("GAME_STARTS")
	logic.AckTurn(-1, "{}")
	logic.AckTurn(-1, "{}")
	logic.Expect("KICK")
	visu.ExpectKick("netorcai abort")
	visu.Close()
	logic.Close()
	s.markProved("match/second early DO_TURN_ACK")
	s.expectExitRow("exit/1: game logic failure")
}
