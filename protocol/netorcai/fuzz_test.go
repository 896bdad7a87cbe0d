package netorcai

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// rule is a required field in the reference, a slow and plain decoder based on encoding/json.
type rule struct {
	field string
	noun  string             // the type that errors name
	fault func(v any) string // returns the error of a value, or ""
}

var (
	nickname = regexp.MustCompile(`\A\S{1,10}\z`)
	version  = regexp.MustCompile(`\A([0-9]+)\.[0-9]+\.[0-9]+\z`)
	two      = regexp.MustCompile(`\A0*2\z`)
)

var rules = map[string][]rule{
	"LOGIN": {
		{"nickname", "string", func(v any) string {
			if !nickname.MatchString(v.(string)) {
				return "Invalid nickname"
			}
			return ""
		}},
		{"role", "string", func(v any) string {
			switch v {
			case "player", "special player", "visualization", "game logic":
				return ""
			}
			return fmt.Sprintf("Invalid role '%s'", v)
		}},
		{"metaprotocol_version", "string", func(v any) string {
			parts := version.FindStringSubmatch(v.(string))
			if parts == nil {
				return "Invalid metaprotocol version: Not MAJOR.MINOR.PATCH"
			}
			if !two.MatchString(parts[1]) {
				return "Metaprotocol version mismatch. Major version must be identical but client asks for '" +
					v.(string) + "' while netorcai uses '2.0.0'."
			}
			return ""
		}},
	},
	"LOGIN_ACK": {{"metaprotocol_version", "string", nil}},
	"KICK":      {{"kick_reason", "string", nil}},
	"GAME_STARTS": {
		{"player_id", "integral", nil},
		{"nb_players", "integral", nil},
		{"nb_special_players", "integral", nil},
		{"nb_turns_max", "integral", nil},
		{"milliseconds_before_first_turn", "numeric", nil},
		{"milliseconds_between_turns", "numeric", nil},
		{"initial_game_state", "object", nil},
		{"players_info", "array", nil},
	},
	"TURN_OVER": {{"turn_number", "integral", nil}},
	"TURN":      {{"turn_number", "integral", nil}, {"game_state", "object", nil}, {"players_info", "array", nil}},
	"TURN_ACK": {
		{"turn_number", "integral", func(v any) string {
			if v != 3 {
				return fmt.Sprintf("Invalid value (turn_number=%d): expecting 3", v)
			}
			return ""
		}},
		{"actions", "array", nil},
	},
	"GAME_ENDS":   {{"winner_player_id", "integral", nil}, {"game_state", "object", nil}},
	"DO_INIT":     {{"nb_players", "integral", nil}, {"nb_special_players", "integral", nil}, {"nb_turns_max", "integral", nil}},
	"DO_INIT_ACK": {{"initial_game_state", "state", nil}},
	"DO_TURN_ACK": {
		{"winner_player_id", "integral", func(v any) string {
			if v.(int) < -1 || v.(int) > 3 {
				return "Invalid winner_player_id: Not in [-1, 4["
			}
			return ""
		}},
		{"game_state", "state", nil},
	},
}

// reference decodes content by the rules of the message called name and returns the values or
// the text of the error.
func reference(content []byte, name string) (values []any, fault string) {
	var m map[string]any
	if json.Unmarshal(content, &m) != nil {
		return nil, "Non-JSON message received"
	}
	typ, fault := valueOf(m, "message_type", "string")
	if fault != "" {
		return nil, fault
	}
	if typ != name {
		return nil, fmt.Sprintf("Received '%s' message type, while %s was expected", typ, name)
	}
	for _, r := range rules[name] {
		v, fault := valueOf(m, r.field, r.noun)
		if fault == "" && r.fault != nil {
			fault = r.fault(v)
		}
		if fault != "" {
			return nil, fault
		}
		values = append(values, v)
	}
	return values, ""
}

func valueOf(m map[string]any, field, noun string) (v any, fault string) {
	v, ok := m[field]
	if !ok {
		return nil, fmt.Sprintf("Field '%s' is missing", field)
	}
	switch x := v.(type) {
	case string:
		ok = noun == "string"
	case float64:
		if ok = noun == "numeric"; noun == "integral" {
			return truncated(x), ""
		}
	case []any:
		ok = noun == "array"
	case map[string]any:
		if ok = noun == "object"; noun == "state" {
			return valueOf(x, "all_clients", "object")
		}
	default:
		ok = false
	}
	if !ok {
		return nil, fmt.Sprintf("Non-%s value for field '%s'",
			strings.ReplaceAll(noun, "state", "object"), field)
	}
	return v, ""
}

func truncated(x float64) int {
	switch {
	case x >= 1<<63:
		return math.MaxInt64
	case x < -1<<63:
		return math.MinInt64
	}
	return int(x)
}

// agree compares the decoder of the message called name with the reference.
func agree(t *testing.T, name string, content []byte) {
	t.Helper()
	got, err := decoders[name](content)
	if _, fault := jsonscan.Parse(content); errors.Is(fault, jsonscan.ErrDepth) {
		if !errors.Is(err, ErrNotJSON) {
			t.Fatalf("decoding %s from %.100q: error = %v, want %v", name, content, err, ErrNotJSON)
		}
		return // the reference accepts deeper nesting
	}
	want, fault := reference(content, name)
	if len(fault) > maxQuoted {
		return // our text is cut
	}
	if err == nil && fault != "" || err != nil && err.Error() != fault {
		t.Fatalf("decoding %s from %q: error = %v, want %q", name, content, err, fault)
	}
	if err != nil {
		return
	}
	for i, v := range got {
		if raw, ok := v.(jsonscan.Value); ok {
			got[i] = nil
			if err := json.Unmarshal(raw, &got[i]); err != nil {
				t.Fatalf("decoding %s from %q: value %q: %v", name, content, raw, err)
			}
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("decoding %s from %q = %v, want %v", name, content, got, want)
	}
}

// fuzz compares the decoders of the named messages with the reference, starting from all
// golden messages.
func fuzz(f *testing.F, names ...string) {
	for name := range decoders {
		for _, g := range goldens(f, name) {
			f.Add([]byte(g.content))
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, name := range names {
			agree(t, name, content)
		}
	})
}

func FuzzLogin(f *testing.F)     { fuzz(f, "LOGIN") }
func FuzzTurnAck(f *testing.F)   { fuzz(f, "TURN_ACK") }
func FuzzDoInitAck(f *testing.F) { fuzz(f, "DO_INIT_ACK") }
func FuzzDoTurnAck(f *testing.F) { fuzz(f, "DO_TURN_ACK") }

// FuzzServerMessages tests the messages that clients and game logics receive.
func FuzzServerMessages(f *testing.F) {
	fuzz(f, "LOGIN_ACK", "KICK", "GAME_STARTS", "TURN", "GAME_ENDS", "DO_INIT")
}

// FuzzDoTurn checks that a DO_TURN that parses survives being encoded and parsed again.
func FuzzDoTurn(f *testing.F) {
	for _, g := range goldens(f, "DO_TURN") {
		f.Add([]byte(g.content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		players, err := ParseDoTurn(content)
		if err != nil {
			return
		}
		frame, err := AppendDoTurn(nil, players)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseDoTurn(frame[headerSize:])
		if err != nil || len(again) != len(players) {
			t.Fatalf("ParseDoTurn(%q) = %v, %v, want %v", frame, again, err, players)
		}
		for i, p := range players {
			if q := again[i]; q.PlayerID != p.PlayerID || q.Turn != p.Turn {
				t.Fatalf("ParseDoTurn(%q) = %v, want %v", frame, again, players)
			}
		}
	})
}

// FuzzPlayersInfo checks that a list of players that parses survives being encoded.
func FuzzPlayersInfo(f *testing.F) {
	f.Add(AppendPlayersInfo(nil, samplePlayers))
	f.Add([]byte(`[{}]`))
	f.Fuzz(func(t *testing.T, list []byte) {
		players, err := ParsePlayersInfo(list)
		if err != nil {
			return
		}
		again, err := ParsePlayersInfo(AppendPlayersInfo(nil, players))
		if err != nil || !reflect.DeepEqual(again, players) {
			t.Fatalf("ParsePlayersInfo of what was written = %v, %v, want %v", again, err, players)
		}
	})
}
