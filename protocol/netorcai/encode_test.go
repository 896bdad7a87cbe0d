package netorcai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

const (
	sampleState   = `{ "cells": [{"q":0,"r":0,"color":1}], "n": 2.0, "big": 12345678901234567890 }`
	sampleActions = `[{"id":0,"movement":"move","direction":"x+"}]`
)

var samplePlayers = []PlayerInfo{
	{0, `q"u\o`, "127.0.0.1:50000", true},
	{1, "\x00é\u2028", "[::1]:1", false},
}

// member is one member of a JSON object.
type member struct {
	key   string
	value any
}

// encoders returns every encoder with the members that encoding/json is to produce.
func encoders() map[string]struct {
	encode func(dst []byte) ([]byte, error)
	want   []member
} {
	info := AppendPlayersInfo(nil, samplePlayers)
	var infoValue []any
	for _, p := range samplePlayers {
		infoValue = append(infoValue, map[string]any{
			"player_id": p.PlayerID, "nickname": p.Nickname,
			"remote_address": p.RemoteAddress, "is_connected": p.IsConnected,
		})
	}
	state := json.RawMessage(sampleState)
	actions := []PlayerActions{{2, 7, []byte(sampleActions)}, {0, 6, []byte("[]")}}
	starts := GameStarts{2, 4, 1, 100, 1000, 62.5, []byte(sampleState), info, 0, 0}
	return map[string]struct {
		encode func(dst []byte) ([]byte, error)
		want   []member
	}{
		"LOGIN": {func(dst []byte) ([]byte, error) {
			return AppendLogin(dst, Login{Nickname: "a<\xff\n", Role: RoleSpecialPlayer})
		}, []member{
			{"nickname", "a<\xff\n"}, {"role", "special player"}, {"metaprotocol_version", "2.0.0"},
		}},
		"LOGIN_ACK": {
			func(dst []byte) ([]byte, error) { return AppendLoginAck(dst), nil },
			[]member{{"metaprotocol_version", "2.0.0"}},
		},
		"KICK": {
			func(dst []byte) ([]byte, error) { return AppendKick(dst, "it's \"so\"\\\x1f\x7f"), nil },
			[]member{{"kick_reason", "it's \"so\"\\\x1f\x7f"}},
		},
		"GAME_STARTS": {
			func(dst []byte) ([]byte, error) { return AppendGameStarts(dst, starts) },
			[]member{
				{"player_id", 2},
				{"nb_players", 4},
				{"nb_special_players", 1},
				{"nb_turns_max", 100},
				{"milliseconds_before_first_turn", 1000},
				{"milliseconds_between_turns", 62.5},
				{"initial_game_state", state},
				{"players_info", infoValue},
			},
		},
		"TURN": {
			func(dst []byte) ([]byte, error) { return AppendTurn(dst, 98, []byte(sampleState), info) },
			[]member{{"turn_number", 98}, {"game_state", state}, {"players_info", infoValue}},
		},
		"TURN_ACK": {
			func(dst []byte) ([]byte, error) { return AppendTurnAck(dst, 98, []byte(sampleActions), nil) },
			[]member{{"turn_number", 98}, {"actions", json.RawMessage(sampleActions)}},
		},
		"GAME_ENDS": {
			func(dst []byte) ([]byte, error) { return AppendGameEnds(dst, -1, []byte(sampleState)) },
			[]member{{"winner_player_id", -1}, {"game_state", state}},
		},
		"DO_INIT": {
			func(dst []byte) ([]byte, error) { return AppendDoInit(dst, DoInit{4, 1, 100, 0, 0}), nil },
			[]member{{"nb_players", 4}, {"nb_special_players", 1}, {"nb_turns_max", 100}},
		},
		"DO_INIT_ACK": {
			func(dst []byte) ([]byte, error) {
				return AppendDoInitAck(dst,
					DoInitAck{State: jsonscan.Value(state)})
			},
			[]member{{"initial_game_state", map[string]any{"all_clients": state}}},
		},
		"DO_TURN": {
			func(dst []byte) ([]byte, error) { return AppendDoTurn(dst, actions) },
			[]member{{"player_actions", []any{
				map[string]any{"player_id": 2, "turn_number": 7, "actions": json.RawMessage(sampleActions)},
				map[string]any{"player_id": 0, "turn_number": 6, "actions": []any{}},
			}}},
		},
		"DO_TURN_ACK": {
			func(dst []byte) ([]byte, error) {
				return AppendDoTurnAck(dst, DoTurnAck{WinnerPlayerID: 3, State: []byte(sampleState)})
			},
			[]member{{"winner_player_id", 3}, {"game_state", map[string]any{"all_clients": state}}},
		},
	}
}

func TestEncodersAgreeWithEncodingJSON(t *testing.T) {
	for name, test := range encoders() {
		const before = "before"
		got, err := test.encode([]byte(before))
		if err != nil || !bytes.HasPrefix(got, []byte(before)) {
			t.Fatalf("%s: %q, %v, want the message appended", name, got, err)
		}
		content, err := ReadFrame(bytes.NewReader(got[len(before):]), nil, Limit)
		if err != nil || len(content) != len(got)-len(before)-headerSize ||
			content[len(content)-1] != '\n' {
			t.Fatalf("%s: frame reads back as %q, %v", name, content, err)
		}
		want := map[string]any{"message_type": name}
		for _, m := range test.want {
			want[m.key] = m.value
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(decode(t, content), decode(t, text)) {
			t.Errorf("%s = %s\nwant %s", name, content, text)
		}
		if bytes.Count(content, []byte{'\n'}) != 1 {
			t.Errorf("%s is %q, want no line feed but the last", name, content)
		}
		if keys := keysOf(t, content); !reflect.DeepEqual(keys, append([]string{"message_type"}, keysIn(test.want)...)) {
			t.Errorf("%s has the keys %q in this order, want message_type and %q", name, keys,
				keysIn(test.want))
		}
	}
}

func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func keysIn(members []member) (keys []string) {
	for _, m := range members {
		keys = append(keys, m.key)
	}
	return keys
}

// keysOf returns the keys of an object in their order.
func keysOf(t *testing.T, text []byte) (keys []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

func TestEncodersAllocateNothing(t *testing.T) {
	for name, test := range encoders() {
		if raced && name == "DO_TURN" { // takes memory from a pool
			continue
		}
		dst := make([]byte, 0, 4096)
		if n := testing.AllocsPerRun(100, func() { dst, _ = test.encode(dst[:0]) }); n != 0 {
			t.Errorf("encoding %s allocates %v times, want 0", name, n)
		}
	}
	dst := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() { dst = AppendPlayersInfo(dst[:0], samplePlayers) }); n != 0 {
		t.Errorf("AppendPlayersInfo allocates %v times, want 0", n)
	}
}

func TestParseTurnAckAllocatesNothing(t *testing.T) {
	for turn, content := range map[int]string{
		0:   `{"message_type":"TURN_ACK","turn_number":0,"actions":` + sampleActions + "}\n",
		123: `{"actions": ` + sampleActions + `, "turn_number": 123, "message_type": "TURN_ACK"}`,
	} {
		wire := []byte(content)
		n := testing.AllocsPerRun(100, func() {
			if _, err := ParseTurnAck(wire, turn); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("ParseTurnAck(%s) allocates %v times, want 0", content, n)
		}
	}
}

// TestScalarsComeFirst checks the order that some tools rely on: they look for these keys in
// the first 200 bytes only.
func TestScalarsComeFirst(t *testing.T) {
	starts, err := AppendGameStarts(nil, GameStarts{-1, 1024, 1024, 65535, 10000, 10000, []byte("{}"), nil, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"message_type", "player_id", "nb_players", "nb_turns_max", "milliseconds_between_turns",
	} {
		if at := bytes.Index(starts[headerSize:], []byte(`"`+key+`":`)); at < 0 || at > 180 {
			t.Errorf("GAME_STARTS has %s at byte %d, want it within 180", key, at)
		}
	}
	if !bytes.HasSuffix(starts, []byte(`"players_info":[]}`+"\n")) {
		t.Errorf("GAME_STARTS without players_info is %s, want an empty list", starts)
	}
}

func TestStatesAreSentUnchanged(t *testing.T) {
	turn, err := AppendTurn(nil, 0, []byte(sampleState), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ParseTurn(turn[headerSize:])
	if err != nil || string(m.State) != sampleState {
		t.Errorf("the state of a TURN = %s, %v, want %s", m.State, err, sampleState)
	}
}

func TestTooBig(t *testing.T) {
	thorough.Long(t)
	huge := []byte(`{"x":"` + strings.Repeat("x", Limit-50) + `"}`)
	dst := []byte("before")
	for name, encode := range map[string]func() ([]byte, error){
		"LOGIN":       func() ([]byte, error) { return AppendLogin(dst, Login{Nickname: string(huge)}) },
		"GAME_STARTS": func() ([]byte, error) { return AppendGameStarts(dst, GameStarts{State: huge}) },
		"TURN":        func() ([]byte, error) { return AppendTurn(dst, 0, huge, nil) },
		"TURN_ACK":    func() ([]byte, error) { return AppendTurnAck(dst, 0, huge, nil) },
		"GAME_ENDS":   func() ([]byte, error) { return AppendGameEnds(dst, 0, huge) },
		"DO_INIT_ACK": func() ([]byte, error) { return AppendDoInitAck(dst, DoInitAck{State: huge}) },
		"DO_TURN":     func() ([]byte, error) { return AppendDoTurn(dst, []PlayerActions{{0, 0, huge}}) },
		"DO_TURN_ACK": func() ([]byte, error) { return AppendDoTurnAck(dst, DoTurnAck{State: huge}) },
	} {
		if got, err := encode(); !errors.Is(err, ErrTooBig) || string(got) != "before" {
			t.Errorf("%s of 16 MiB = %.20q, %v, want what was before, %v", name, got, err, ErrTooBig)
		}
	}
}

// TestDocumentedBytes checks the example bytes in docs/protocol.md.
func TestDocumentedBytes(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	login, err := AppendLogin(nil, Login{Nickname: "ada", Role: RolePlayer})
	if err != nil {
		t.Fatal(err)
	}
	for _, frame := range [][]byte{login, AppendLoginAck(nil)} {
		for at := 0; at < len(frame); at += 16 {
			line := fmt.Sprintf("%04x  % -47x  ", at, frame[at:min(at+16, len(frame))])
			if !bytes.Contains(guide, []byte(line)) {
				t.Errorf("docs/protocol.md has no line %q", line)
			}
		}
	}
}
