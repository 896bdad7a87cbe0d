package main

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

func loginCases() []e2eCase {
	return []e2eCase{
		{"a hundred logins", []string{"match/a hundred logins in a row"}, playHundred},
		{"nicknames", []string{
			"match/nicknames of all kinds", "match/two clients of one name",
		}, playNicknames},
		{"sizes", []string{
			"match/largest first message", "match/largest message", "match/line feed may be left out",
			"match/unknown fields",
		}, playSizes},
		{"IPv6", []string{"match/IPv6"}, playIPv6},
	}
}

func playHundred(s *netorcaiRun) {
	s.open("--nb-players-max=100", "--nb-visus-max=0", "--nb-turns-max=2", "--fast", "--autostart")
	logic := s.logic()
	var all []*servertest.Client
	for i := range 100 {
		all = append(all, s.login(fmt.Sprint("bot", i), "player"))
		s.waitLine("New player accepted")
	}
	logic.Expect("DO_INIT")
	logic.AckInit("{}")
	turn(logic, 1)
	for _, c := range all {
		c.Until("TURN")
		c.Answer(0, "")
	}
	if m := turn(logic, 2); len(m.Actions) != 100 {
		s.Errorf("%d answers", len(m.Actions))
	}
	for _, c := range all {
		c.Until("GAME_ENDS")
		c.Close()
	}
	s.finish(logic)
	s.markProved("match/a hundred logins in a row")
}

func playNicknames(s *netorcaiRun) {
	names := []string{
		"مرحبا", "اللاعب١", "日本語テスト", "プレイヤー", "🎉🚀", "👩‍👩‍👧‍👦", "Ωmega", "a", "a", "0123456789",
		"日本語日本語日本語日",
		"\u00a0", "\u3000x", "\x00", `"\`, "<b>&", "\u202e\u0007", "é", "e\u0301", "\v",
	}
	s.open(fmt.Sprintf("--nb-players-max=%d", len(names)), "--json-logs")
	logic, visu := s.logic(), s.visu()
	remotes := map[string]string{}
	s.waitLine("New visualization accepted")
	for _, name := range names {
		c := s.login(name, "player")
		remotes[c.LocalAddr().String()] = name
		var line struct{ Nickname string }
		if err := json.Unmarshal([]byte(s.waitLine("New player accepted")), &line); err != nil ||
			line.Nickname != name {
			s.Errorf("the log has nickname %q, %v, want %q", line.Nickname, err, name)
		}
	}
	s.begin(logic)
	m := visu.Expect("GAME_STARTS")
	if len(m.Infos) != len(names) {
		s.Errorf("GAME_STARTS: %s", m.Raw)
	}
	for _, info := range m.Infos {
		if info.Nickname != remotes[info.Remote] {
			s.Errorf("nickname %q, want %q", info.Nickname, remotes[info.Remote])
		}
	}
	s.markProved("match/nicknames of all kinds", "match/two clients of one name")
}

func playSizes(s *netorcaiRun) {
	s.open("--fast", "--nb-turns-max=2")
	fill := func(size int, format string) []byte {
		rest := size - len(fmt.Sprintf(format, ""))
		return servertest.Frame(fmt.Sprintf(format, strings.Repeat("x", rest)))
	}
	logic, player := s.logic(), s.dial()
	player.Write(fill(netorcai.FirstLimit, `{"more":"%s","message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":"2.0.0","nick":[]}`))
	player.Expect("LOGIN_ACK")
	s.markProved("match/largest first message", "match/line feed may be left out")
	s.begin(logic)
	turn(logic, 1)
	player.Until("TURN")
	player.Write(
		fill(netorcai.Limit, `{"message_type":"TURN_ACK","more":"%s","actions":[7],"turn_number":0}`))
	if m := turn(logic, 2); len(m.Actions) != 1 || string(m.Actions[0].Actions) != "[7]" {
		s.Errorf("DO_TURN: %s", m.Raw)
	}
	player.Expect("GAME_ENDS")
	s.finish(player, logic)
	s.markProved("match/largest message", "match/unknown fields")
}

// If the machine has IPv6, the server listens there too.
func playIPv6(s *netorcaiRun) {
	s.open("--nb-visus-max=2")
	addrs := []string{s.addr}
	if hasIPv6() {
		addrs = append(addrs, net.JoinHostPort("::1", fmt.Sprint(s.port)))
	}
	for _, addr := range addrs {
		servertest.Login(s.T, addr, "visu", "visualization")
	}
	s.markProved("match/IPv6")
}
