package main

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/servertest"
)

func stateCases() []e2eCase {
	return []e2eCase{
		{"states", []string{"match/states in plain notation"}, playStates},
		{"bytes that are not UTF-8", []string{
			"match/states are valid UTF-8", "match/actions are valid UTF-8",
		}, playInvalidUTF8},
	}
}

func playStates(s *netorcaiRun) {
	s.open("--nb-turns-max=2", "--fast")
	// White space, doubled keys, escapes and long numbers.
	state := func(what string) string {
		return `{ "b" : 1.0,"b":2,	"":null, "<&>":"\u00e9\/é\ud800", "n":[1e2,-0,12345678901234567890.10]  ,"what":"` + what + `"}`
	}
	plain := func(what string) string {
		return `{"b":2,"":null,"<&>":"é/é�","n":[100,-0,12345678901234567000],"what":"` + what + `"}`
	}
	logic, player, visu := s.logic(), s.player(), s.visu()
	s.typeLines("start")
	logic.Expect("DO_INIT")
	logic.Send(`{"initial_game_state":{"all_clients":{"old":1},"more":[1], "all_clients" : %s },"message_type":"DO_INIT_ACK"}`, state("init"))
	logic.Expect("DO_TURN")
	logic.Send(
		`{"winner_player_id":-1,"game_state": {"all_clients": %s},"message_type":"DO_TURN_ACK"}`,
		state("turn"))
	for _, c := range []*servertest.Client{player, visu} {
		if m := c.Expect("GAME_STARTS"); string(m.Initial) != plain("init") {
			s.Errorf("GAME_STARTS: %s", m.Raw)
		}
		if m := c.Expect("TURN"); string(m.State) != plain("turn") {
			s.Errorf("TURN: %s", m.Raw)
		}
	}
	player.Answer(0, "")
	logic.Expect("DO_TURN")
	logic.AckTurn(0, state("end"))
	for _, c := range []*servertest.Client{player, visu} {
		if m := c.Expect("GAME_ENDS"); string(m.State) != plain("end") || m.Winner != 0 {
			s.Errorf("GAME_ENDS: %s", m.Raw)
		}
		c.Close()
	}
	s.finish(logic)
	s.markProved("match/states in plain notation")
}

// A client whose JSON reader takes integers and valid Unicode only, as those of the clients in D
// and C++ do, plays a match of a game logic that sends neither, under both names.
func TestStrictReader(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) *process{
		"netorcai": func(t *testing.T) *process { return startNetorcai(t, "--fast", "--nb-turns-max=3") },
		"hexarena": func(t *testing.T) *process {
			return startServe(t, "--game=external", "--pace=fast", "--turns=3", "--record=")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t)
			const state = `{"cells":[{"q":0.0,"r":-1.0,"color":1e0}],"name":"\ud800","score":{"0":0.0,"0":2.0,"\udc00x":[]}}`
			logic, player := servertest.LoginLogic(t, p.addr), servertest.Login(t, p.addr, "strict", "player")
			p.typeLines("start")
			logic.Expect("DO_INIT")
			logic.AckInit(state)
			readStrictly(t, player.Expect("GAME_STARTS").Raw)
			logic.Expect("DO_TURN")
			for turn := range 2 {
				logic.AckTurn(-1, state)
				readStrictly(t, player.Expect("TURN").Raw)
				player.Answer(turn, "[]")
				logic.Expect("DO_TURN")
			}
			logic.AckTurn(-1, state)
			readStrictly(t, player.Expect("GAME_ENDS").Raw)
		})
	}
}

var loneSurrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

// readStrictly reads a message, in which pairs of surrogates are not escaped either.
func readStrictly(t *testing.T, content []byte) {
	t.Helper()
	if !utf8.Valid(content) || loneSurrogate.Match(content) {
		t.Errorf("no valid Unicode: %s", content)
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	for token, err := d.Token(); err != io.EOF; token, err = d.Token() {
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := token.(json.Number); ok {
			if _, err := n.Int64(); err != nil {
				t.Errorf("%v in %s", err, content)
			}
		}
	}
}

// The server forwards bytes that are not UTF-8 as U+FFFD.
func playInvalidUTF8(s *netorcaiRun) {
	s.open("--nb-turns-max=2", "--fast")
	const sent, want = "caf\xe9 \xff\xfe \xe2\x82 \u20ac \xed\xa0\x80", "caf\ufffd \ufffd\ufffd " +
		"\ufffd\ufffd \u20ac \ufffd\ufffd\ufffd"
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
