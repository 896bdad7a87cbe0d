package main

import (
	"fmt"

	"github.com/hexarena/hexarena/server/servertest"
)

func logicCases() []e2eCase {
	return []e2eCase{
		{"game logic before the start", []string{
			"kick/game logic speaks before the start", "kick/game logic unreadable before the start",
			"kick/game logic too long before the start", "kick/game logic gone before the start", "match/game logic leaves before the start",
			"kick/game logic fails", "log/game logic failed",
		}, playLogicBeforeStart},
		{"no DO_INIT_ACK", []string{"kick/no DO_INIT_ACK", "kick/game logic fails"}, playNoDoInitAck},
		{"bad DO_INIT_ACK", []string{
			"kick/bad DO_INIT_ACK", "kick/unreadable DO_INIT_ACK", "kick/game logic fails",
			"field/missing", "field/no object", "field/other message type",
		}, playBadDoInitAck},
		{"bad DO_TURN_ACK", []string{
			"kick/bad DO_TURN_ACK", "kick/winner out of range", "kick/unreadable DO_TURN_ACK", "kick/game logic fails",
			"field/missing", "field/no integer", "field/no object", "field/other message type", "match/game logic leaves during the match",
		}, playBadDoTurnAck},
		{"numbers are truncated", []string{"field/numbers are truncated"}, playTruncation},
		{"early DO_TURN_ACK", []string{"match/early DO_TURN_ACK"}, playEarly},
		{"second early DO_TURN_ACK", []string{"match/second early DO_TURN_ACK", "exit/1: game logic failure"}, playTwiceEarly},
	}
}

// Whatever a game logic does before the start ends the server.
func playLogicBeforeStart(s *stage) {
	hangUp := raw()
	for _, tt := range []struct {
		write func(*servertest.Client)
		id    string
		args  []any
	}{
		{content("null"), "kick/game logic speaks before the start", nil},
		{content("{}"), "kick/game logic speaks before the start", nil},
		{content(`{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":{}}}`), "kick/game logic speaks before the start", nil},
		{content(`{"message_type":"LOGIN","nickname":"x","role":"game logic","metaprotocol_version":"2.0.0"}`), "kick/game logic speaks before the start", nil},
		{content("garbage"), "kick/game logic unreadable before the start", nil},
		{func(c *servertest.Client) { c.Write([]byte{0, 0, 0, 1}) }, "kick/game logic too long before the start", []any{1 << 24}},
		{hangUp, "kick/game logic gone before the start", []any{"EOF"}},
	} {
		s.open()
		s.failsBeforeStart(tt.write, tt.id, tt.args...)
	}
	s.process = startServe(s.T, "--game=external")
	s.failsBeforeStart(hangUp, "kick/game logic gone before the start", "EOF")
	s.prove("match/game logic leaves before the start")
}

// failsBeforeStart has the game logic of an open server fail while all wait for the
// start.
func (s *stage) failsBeforeStart(write func(*servertest.Client), id string, args ...any) {
	s.Helper()
	player, visu, logic := s.player(), s.visu(), s.logic()
	write(logic)
	s.kicks(logic, id, args...)
	s.kicks(player, "kick/game logic fails")
	s.kicks(visu, "kick/game logic fails")
	s.logs("log/game logic failed")
	s.exit(1)
}

// again logs in, as often as it takes for a seat to be free whose owner has
// just left.
func (s *stage) again(nickname, role string) *servertest.Client {
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

// fails has a game logic fail in every way, each in a match of its own: reach
// brings it to the point where content is read.
func (s *stage) fails(reach func(logic *servertest.Client), write func(logic *servertest.Client), id string, args ...any) {
	s.Helper()
	s.open("--fast")
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.say("start")
	logic.Expect("DO_INIT")
	reach(logic)
	write(logic)
	s.kicks(logic, id, args...)
	s.kicks(player, "kick/game logic fails")
	s.kicks(visu, "kick/game logic fails")
	s.exit(1)
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

func playNoDoInitAck(s *stage) {
	s.fails(func(*servertest.Client) {}, func(*servertest.Client) {}, "kick/no DO_INIT_ACK")
}

func playBadDoInitAck(s *stage) {
	asked := func(*servertest.Client) {}
	ack := `{"message_type":"DO_INIT_ACK","initial_game_state":%s}`
	for text, why := range map[string]string{
		"{}":                                     s.field("field/missing", "message_type"),
		`{"message_type":"DO_TURN_ACK"}`:         s.field("field/other message type", "DO_TURN_ACK", "DO_INIT_ACK"),
		fmt.Sprintf(ack, "{}"):                   s.field("field/missing", "all_clients"),
		fmt.Sprintf(ack, "[]"):                   s.field("field/no object", "initial_game_state"),
		fmt.Sprintf(ack, `{"all_clients":null}`): s.field("field/no object", "all_clients"),
	} {
		s.fails(asked, content(text), "kick/bad DO_INIT_ACK", why)
	}
	s.fails(asked, content("garbage"), "kick/unreadable DO_INIT_ACK", "Non-JSON message received")
	s.fails(asked, raw(9, 0, 0, 0), "kick/unreadable DO_INIT_ACK", "Remote endpoint closed? Read error: unexpected EOF")
}

func playBadDoTurnAck(s *stage) {
	asked := func(logic *servertest.Client) {
		logic.AckInit("{}")
		logic.Expect("DO_TURN")
	}
	ack := `{"message_type":"DO_TURN_ACK","winner_player_id":%s,"game_state":%s}`
	for text, why := range map[string]string{
		"null":                           s.field("field/missing", "message_type"),
		`{"message_type":"DO_INIT_ACK"}`: s.field("field/other message type", "DO_INIT_ACK", "DO_TURN_ACK"),
		`{"message_type":"DO_TURN_ACK"}`: s.field("field/missing", "winner_player_id"),
		fmt.Sprintf(ack, "null", "{}"):   s.field("field/no integer", "winner_player_id"),
		fmt.Sprintf(ack, "-1", "5"):      s.field("field/no object", "game_state"),
	} {
		s.fails(asked, content(text), "kick/bad DO_TURN_ACK", why)
	}
	for _, winner := range []string{"-2", "1"} { // there is one player, number 0
		s.fails(asked, content(fmt.Sprintf(ack, winner, `{"all_clients":{}}`)), "kick/winner out of range", 1)
	}
	s.fails(asked, content("[]"), "kick/unreadable DO_TURN_ACK", "Non-JSON message received")
	s.fails(asked, raw(0, 0, 0, 1), "kick/unreadable DO_TURN_ACK", "Received message size is too big: 16777216 does not fit in 24 bits")
	gone := func(logic *servertest.Client) { // the loss is noticed while the players think
		asked(logic)
		logic.AckTurn(-1, "{}")
	}
	s.fails(gone, raw(), "kick/unreadable DO_TURN_ACK", "Remote endpoint closed? Read error: EOF")
	s.prove("match/game logic leaves during the match")
}

func playTruncation(s *stage) {
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
	s.prove("field/numbers are truncated")
}

// An answer may come before it is asked for.
func playEarly(s *stage) {
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
	s.prove("match/early DO_TURN_ACK")
}

func playTwiceEarly(s *stage) {
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
	s.prove("match/second early DO_TURN_ACK")
	s.ends("exit/1: game logic failure")
}
