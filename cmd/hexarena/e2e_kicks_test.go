package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

func kickCases() []e2eCase {
	return []e2eCase{
		{"first messages", []string{
			"kick/first message too long", "kick/first message no JSON object",
			"kick/first message with a wrong field",
			"kick/first message no LOGIN", "kick/bad nickname", "kick/bad role", "kick/bad version",
			"kick/other version",
			"field/missing", "field/no string",
		}, playFirstMessages},
		{"seats taken", []string{
			"kick/players' seats taken", "kick/special players' seats taken",
			"kick/visualizations' seats taken", "kick/second game logic",
		}, playSeatsTaken},
		{"logins after the start", []string{
			"kick/player after the start", "kick/special player after the start",
			"kick/game logic after the start",
		}, playLateLogins},
		{"answers out of place", []string{
			"kick/TURN_ACK before the start", "kick/TURN_ACK while READY", "kick/TURN_ACK of another turn",
		}, playAnswersOutOfPlace},
		{"bad answers", []string{
			"kick/unreadable TURN_ACK", "kick/TURN_ACK with a wrong field", "kick/message too long",
			"kick/connection broke",
			"field/missing", "field/no string", "field/no integer", "field/no array",
			"field/other message type",
		}, playBadAnswers},
		{"GAME_STARTS too large", []string{"kick/state too large for GAME_STARTS"}, playLargeStart},
		{"TURN too large", []string{"kick/state too large for TURN"}, playLargeTurn},
		{"GAME_ENDS too large", []string{"kick/state too large for GAME_ENDS"}, playLargeEnd},
	}
}

func playFirstMessages(s *netorcaiRun) {
	login := func(nickname, role, version string) string {
		return fmt.Sprintf(`{"message_type":"LOGIN","nickname":%s,"role":%q,"metaprotocol_version":%q}`,
			nickname, role, version)
	}
	s.open()
	missing := func(field string) []any { return []any{s.fieldReason("field/missing", field)} }
	noString := func(field string) []any { return []any{s.fieldReason("field/no string", field)} }
	for _, tt := range []struct {
		send, id string
		args     []any
	}{
		{strings.Repeat(" ", 1023), "kick/first message too long", []any{1024}},
		{strings.Repeat("x", 100000), "kick/first message too long", []any{100001}},
		{"hello", "kick/first message no JSON object", nil},
		{"", "kick/first message no JSON object", nil},
		{"[]", "kick/first message no JSON object", nil},
		{`"LOGIN"`, "kick/first message no JSON object", nil},
		{"\ufeff" + login(`"x"`, "player", "2.0.0"), "kick/first message no JSON object", nil},
		{login(`"x"`, "player", "2.0.0") + "{}", "kick/first message no JSON object", nil},
		{`{"message_type":"LOGIN","n":1e999}`, "kick/first message no JSON object", nil},
		{"null", "kick/first message with a wrong field", missing("message_type")},
		{`{"Message_type":"LOGIN"}`, "kick/first message with a wrong field", missing("message_type")},
		{`{"message_type":null}`, "kick/first message with a wrong field", noString("message_type")},
		{`{"message_type":"LOGIN"}`, "kick/first message with a wrong field", missing("nickname")},
		{`{"message_type":"LOGIN","nickname":5,"role":5}`, "kick/first message with a wrong field", noString("nickname")},
		{`{"message_type":"LOGIN","nickname":"x"}`, "kick/first message with a wrong field", missing("role")},
		{`{"message_type":"LOGIN","nickname":"x","role":"player"}`, "kick/first message with a wrong field", missing(
			"metaprotocol_version")},
		{`{"message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":2}`, "kick/first message with a wrong field", noString(
			"metaprotocol_version")},
		{`{"message_type":"TURN_ACK"}`, "kick/first message no LOGIN", []any{"TURN_ACK"}},
		{`{"message_type":"LOGIN","message_type":"KICK"}`, "kick/first message no LOGIN", []any{"KICK"}},
		{login(`""`, "player", "2.0.0"), "kick/bad nickname", nil},
		{login(`"elevenchars"`, "player", "2.0.0"), "kick/bad nickname", nil},
		{login(`"日本語日本語日本語日本"`, "player", "2.0.0"), "kick/bad nickname", nil},
		{login(`"a b"`, "king", "two"), "kick/bad nickname", nil},
		{login(`"a\tb"`, "player", "2.0.0"), "kick/bad nickname", nil},
		{login(`"a\n"`, "player", "2.0.0"), "kick/bad nickname", nil},
		{login(`"x"`, "king", "two"), "kick/bad role", []any{"king"}},
		{login(`"x"`, "Player", "2.0.0"), "kick/bad role", []any{"Player"}},
		{login(`"x"`, "player", ""), "kick/bad version", nil},
		{login(`"x"`, "player", "2.0"), "kick/bad version", nil},
		{login(`"x"`, "player", "v2.0.0"), "kick/bad version", nil},
		{login(`"x"`, "player", "2.0.0-rc1"), "kick/bad version", nil},
		{login(`"x"`, "player", "1.9.9"), "kick/other version", []any{"1.9.9"}},
		{login(`"x"`, "player", "20.0.0"), "kick/other version", []any{"20.0.0"}},
	} {
		c := s.dial()
		c.Send("%s", tt.send)
		s.expectKick(c, tt.id, tt.args...)
	}
	c := s.dial()
	c.Send("%s", login(`"x"`, "player", "2.99.99"))
	c.Expect("LOGIN_ACK")
}

// expectRefused checks that a login is answered with the row's reason.
func (s *netorcaiRun) expectRefused(role, id string) {
	s.Helper()
	c := s.dial()
	c.SendLogin("late", role)
	s.expectKick(c, id)
}

func playSeatsTaken(s *netorcaiRun) {
	s.open("--nb-players-max=2", "--nb-splayers-max=1", "--nb-visus-max=0")
	s.expectRefused("visualization", "kick/visualizations' seats taken")
	s.player()
	s.player()
	s.expectRefused("player", "kick/players' seats taken")
	s.login("ghost", "special player")
	s.expectRefused("special player", "kick/special players' seats taken")
	s.logic()
	s.expectRefused("game logic", "kick/second game logic")
}

func playLateLogins(s *netorcaiRun) {
	s.open("--nb-players-max=4", "--nb-splayers-max=4")
	logic := s.logic()
	s.typeLines("start")
	logic.Expect("DO_INIT")
	for range 2 { // before the initial board is known, and after
		s.expectRefused("player", "kick/player after the start")
		s.expectRefused("special player", "kick/special player after the start")
		s.expectRefused("game logic", "kick/game logic after the start")
		if s.Failed() {
			return
		}
		logic.AckInit("{}")
	}
}

func playAnswersOutOfPlace(s *netorcaiRun) {
	s.open("--delay-first-turn=10000", "--nb-players-max=3", "--nb-visus-max=9")
	logic := s.logic()
	for _, role := range []string{"player", "visualization"} {
		c := s.login("hasty", role)
		c.Answer(-1, "")
		s.expectKick(c, "kick/TURN_ACK before the start")
		c = s.login("hasty", role)
		c.Answer(0, "")
		s.expectKick(c, "kick/TURN_ACK of another turn", 0, -1)
	}
	ready, readyVisu := s.login("ready", "player"), s.visu()
	s.begin(logic)
	for _, c := range []*servertest.Client{ready, readyVisu} {
		c.Expect("GAME_STARTS")
		c.Answer(-1, "")
		s.expectKick(c, "kick/TURN_ACK while READY")
	}

	s.open("--delay-first-turn=50", "--delay-turns=10000")
	logic, thinking, hasty := s.logic(), s.player(), s.player()
	s.begin(logic)
	turn(logic, 1)
	for _, c := range []*servertest.Client{thinking, hasty} {
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
	}
	hasty.Answer(0, "")
	hasty.Answer(0, "")
	s.expectKick(hasty, "kick/TURN_ACK while READY")
	thinking.Answer(1, "")
	s.expectKick(thinking, "kick/TURN_ACK of another turn", 1, 0)
}

func playBadAnswers(s *netorcaiRun) {
	s.open("--nb-players-max=1024")
	bad := func(content, id string, args ...any) {
		s.Helper()
		c := s.player()
		c.Send("%s", content)
		s.expectKick(c, id, args...)
	}
	for _, content := range []string{
		"", "garbage", "[]", "\xff", `{"message_type":"TURN_ACK"} x`, strings.Repeat(`{"a":`, 20000),
	} {
		bad(content, "kick/unreadable TURN_ACK")
	}
	for content, why := range map[string]string{
		"null":                        s.fieldReason("field/missing", "message_type"),
		`{"message_type":7}`:          s.fieldReason("field/no string", "message_type"),
		`{"message_type":"LOGIN"}`:    s.fieldReason("field/other message type", "LOGIN", "TURN_ACK"),
		`{"message_type":"TURN_ACK"}`: s.fieldReason("field/missing", "turn_number"),
		`{"message_type":"TURN_ACK","turn_number":"0"}`: s.fieldReason("field/no integer",
			"turn_number"),
		`{"message_type":"TURN_ACK","turn_number":null}`: s.fieldReason("field/no integer",
			"turn_number"),
		`{"message_type":"TURN_ACK","turn_number":-1}`: s.fieldReason("field/missing",
			"actions"),
		`{"message_type":"TURN_ACK","turn_number":-1,"actions":{}}`: s.fieldReason("field/no array",
			"actions"),
		`{"message_type":"TURN_ACK","turn_number":-1,"actions":"[]"}`: s.fieldReason("field/no array",
			"actions"),
	} {
		bad(content, "kick/TURN_ACK with a wrong field", why)
	}
	for _, size := range []int{1 << 24, 1<<32 - 1} {
		c := s.player()
		c.Write([]byte{byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24), '{'})
		s.expectKick(c, "kick/message too long", size)
	}
	for _, cut := range [][]byte{nil, {9}, {9, 0, 0, 0}, {9, 0, 0, 0, '{'}} {
		c := s.player()
		c.Write(cut)
		c.Conn.(interface{ CloseWrite() error }).CloseWrite()
		why := "unexpected EOF"
		if len(cut)%4 == 0 { // between two frames, or after a header
			why = "EOF"
		}
		s.expectKick(c, "kick/connection broke", why)
	}
}

// largeState returns a state that fills a message of the largest size, in an envelope of
// that many bytes, line feed included.
func largeState(envelope int) string {
	const empty = `{"filler":""}`
	return strings.Replace(empty, `""`,
		`"`+strings.Repeat("x", netorcai.Limit-envelope-len(empty))+`"`, 1)
}

func playLargeStart(s *netorcaiRun) {
	s.open("--nb-turns-max=1", "--fast")
	logic, player, visu := s.logic(), s.player(), s.visu()
	const before, after = `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":`, "}}\n"
	// made before its 3 s begin
	ack := servertest.Frame(before + largeState(len(before+after)) + after)
	s.typeLines("start")
	logic.Expect("DO_INIT")
	if _, err := logic.Write(ack); err != nil {
		s.Fatal(err)
	}
	s.expectKick(player, "kick/state too large for GAME_STARTS")
	s.expectKick(visu, "kick/state too large for GAME_STARTS")
	turn(logic, 1) // for no player
	s.finish(logic)
}

func playLargeTurn(s *netorcaiRun) {
	s.open("--nb-turns-max=2", "--fast")
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.begin(logic)
	logic.Expect("DO_TURN")
	logic.AckTurn(
		-1,
		largeState(
			len(`{"message_type":"DO_TURN_ACK","winner_player_id":-1,"game_state":{"all_clients":}}`+"\n")),
	)
	s.expectKick(visu, "kick/state too large for TURN") // its message lists the players
	player.Until("TURN")                                // messages to players do not
	player.Answer(0, "")
	turn(logic, 2)
	player.Expect("GAME_ENDS")
	s.finish(player, logic)
}

// growingGame is a game whose state grows at the end. A game logic cannot cause this: a
// state that fits its message fits GAME_ENDS.
type growingGame struct {
	engine.Game
	grown bool
}

func (l *growingGame) Step(in []engine.Input) engine.Result {
	l.grown = true
	return l.Game.Step(in)
}

func (l *growingGame) AppendState(dst []byte) []byte {
	if l.grown {
		return append(dst, largeState(0)...)
	}
	return l.Game.AppendState(dst)
}

func playLargeEnd(s *netorcaiRun) {
	board, err := maps.Load(maps.Default)
	if err != nil {
		s.Fatal(err)
	}
	srv, err := host.Open(host.Options{
		Bind: "127.0.0.1", LoginTimeout: time.Minute, Log: zerolog.Nop(),
	})
	if err != nil {
		s.Fatal(err)
	}
	defer srv.Shutdown(context.Background())
	room, err := srv.Start(context.Background(), host.Spec{
		Game: games.Instance{
			New: func() engine.Game { return &growingGame{Game: hexabomb.New(board)} },
		},
		Settings: match.Settings{Turns: 1, Players: 1}, Autostart: true,
		Pace: match.PaceSpec{}.Pace,
	})
	if err != nil {
		s.Fatal(err)
	}
	player := servertest.Login(s.T, srv.Addr().String(), "bot", "player")
	s.expectKick(player, "kick/state too large for GAME_ENDS")
	if e := room.Wait(); e.Err != nil {
		s.Errorf("the match ended with %v", e.Err)
	}
}

// Large states have the size that the cases rely on.
func TestLargeState(t *testing.T) {
	thorough.Full(t)
	if got := len(largeState(100)); got != netorcai.Limit-100 {
		t.Errorf("len(largeState(100)) = %d", got)
	}
}
