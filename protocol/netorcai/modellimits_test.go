package netorcai

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// The limits that all peers share are those of the code.
func TestModelOfLimits(t *testing.T) {
	m := readModel(t)
	limits := map[string]int64{
		"first_content": FirstLimit, "content": Limit, "depth": jsonscan.MaxDepth, "debug": DebugLimit,
		"seed":  MaxSeed,
		"quote": maxQuoted, "kick_reason": maxReason, "do_init_ack": DoInitTimeout.Milliseconds(),
	}
	for _, l := range m.Limits {
		if want, known := limits[l.Name]; !known || l.Value != want {
			t.Errorf("limit %s is %d, that of the code %d", l.Name, l.Value, want)
		}
		delete(limits, l.Name)
	}
	for name := range limits {
		t.Errorf("the model has no limit %s", name)
	}
	if m.Version != Version {
		t.Errorf("version %s, that of the code is %s", m.Version, Version)
	}
	long := fmt.Appendf(nil, `{"text":"%s"}`,
		strings.Repeat("x", int(m.Limit("debug"))-len(`{"text":""}`)))
	longer := bytes.Replace(long, []byte("x"), []byte("xx"), 1)
	if CheckDebug(jsonscan.Value(long)) != nil || CheckDebug(jsonscan.Value(longer)) == nil {
		t.Errorf("a debug of %d bytes is not the largest", len(long))
	}
}

// unchecked lists the bounds of numbers that the peers keep, and decoders do not check.
var unchecked = []string{
	"GAME_STARTS.player_id", "GAME_STARTS.nb_players", "GAME_STARTS.nb_special_players",
	"GAME_STARTS.nb_turns_max",
	"GAME_STARTS.milliseconds_before_first_turn", "GAME_STARTS.milliseconds_between_turns",
	"TURN.turn_number", "GAME_ENDS.winner_player_id", "PlayerInfo.player_id",
	"PlayerActions.player_id", "PlayerActions.turn_number",
	"DO_INIT.nb_players", "DO_INIT.nb_special_players", "DO_INIT.nb_turns_max",
	// These are absent then, which the next test shows.
	"GAME_STARTS.match", "GAME_STARTS.seed", "DO_INIT.match", "DO_INIT.seed",
	// This one has to be the number of the newest TURN.
	"TURN_ACK.turn_number",
}

// Decoders accept a field at its bounds, and refuse or drop it beyond.
func TestModelOfBounds(t *testing.T) {
	dropping := map[string]func([]byte) error{
		"DO_INIT_ACK": func(b []byte) error {
			ack, err := ParseDoInitAck(b, 4)
			return errors.Join(err, ack.Dropped)
		},
		"DO_TURN_ACK": func(b []byte) error {
			ack, err := ParseDoTurnAck(b, 4)
			return errors.Join(err, ack.Dropped)
		},
	}
	for _, p := range parts(t) {
		if decode, drops := dropping[p.name]; drops {
			p.decode = decode
		}
		for _, f := range p.fields {
			if slices.Contains(unchecked, p.name+"."+f.Name) {
				continue
			}
			inside, beyond := bounds(f, string(p.object.values[f.Name]))
			for value, good := range map[string]bool{
				inside[0]: true, inside[1]: true, beyond[0]: false, beyond[1]: false,
			} {
				if value == "" {
					continue
				}
				if err := p.decode(p.object.with(p.object.keys, f.Name, value)); (err == nil) != good {
					t.Errorf("%s.%s = %.40s: %v", p.name, f.Name, value, err)
				}
			}
		}
	}
}

// bounds returns values of a field at its lower and upper bound and beyond them; "" where there
// is none. sample is a value of the field.
func bounds(f model.Field, sample string) (inside, beyond [2]string) {
	for i, bound := range []*int64{f.Min, f.Max} {
		if bound != nil {
			inside[i], beyond[i] = strconv.FormatInt(*bound, 10), strconv.FormatInt(*bound+int64(2*i-1), 10)
		}
	}
	repeat := func(n int) string { return `"` + strings.Repeat("/", n) + `"` } // fits all patterns
	if f.Type.Kind == model.Array {
		repeat = func(n int) string {
			return "[" + strings.TrimSuffix(strings.Repeat(sample[1:len(sample)-1]+",", n), ",") + "]"
		}
	}
	if f.MinLength > 0 {
		inside[0], beyond[0] = repeat(f.MinLength), repeat(f.MinLength-1)
	}
	if f.MaxLength > 0 {
		inside[1], beyond[1] = repeat(f.MaxLength), repeat(f.MaxLength+1)
	}
	return inside, beyond
}

// The match and the seed are absent if they are beyond their bounds.
func TestModelOfSeeds(t *testing.T) {
	m, messages := readModel(t), complete(t)
	read := map[string]func([]byte) (match int, seed uint64){
		"GAME_STARTS": func(b []byte) (int, uint64) {
			m, err := ParseGameStarts(b)
			if err != nil {
				t.Error(err)
			}
			return m.Match, m.Seed
		},
		"DO_INIT": func(b []byte) (int, uint64) {
			m, err := ParseDoInit(b)
			if err != nil {
				t.Error(err)
			}
			return m.Match, m.Seed
		},
	}
	for name, read := range read {
		o := readObject(t, messages[name])
		for _, f := range m.Message(name).Fields {
			if !f.Extension {
				continue
			}
			inside, beyond := bounds(f, "")
			for value, good := range map[string]bool{
				inside[0]: true, inside[1]: true, beyond[0]: false, beyond[1]: false,
			} {
				if value == "" {
					continue
				}
				match, seed := read(o.with(o.keys, f.Name, value))
				got := map[string]string{
					"match": strconv.Itoa(match), "seed": strconv.FormatUint(seed, 10),
				}[f.Name]
				if want := map[bool]string{true: value, false: "0"}[good]; got != want {
					t.Errorf("%s.%s = %s is read as %s", name, f.Name, value, got)
				}
			}
		}
	}
}

// The patterns and values of a LOGIN are those of the code.
func TestModelOfPatterns(t *testing.T) {
	m := readModel(t)
	login := m.Message("LOGIN").Fields
	nickname, version := regexp.MustCompile(login[0].Pattern), regexp.MustCompile(login[2].Pattern)
	for r := range rune(0x3001) { // all white space is below
		if want := nickname.MatchString(string(r)); ValidNickname(string(r)) != want {
			t.Errorf("ValidNickname of %U is not %v", r, want)
		}
	}
	if n := login[0].MaxLength; !ValidNickname(strings.Repeat("é", n)) {
		t.Errorf("a nickname cannot have %d code points", n)
	}
	for _, text := range []string{
		"2.0.0", "02.9.17", "1.0.0", "20.0.0", "2.0", "2.0.0.0", "2.0.x", "", "2..0", " 2.0.0", "2.0.0\n",
	} {
		if want := version.MatchString(text); (versionFault(text) == "") != want {
			t.Errorf("the fault of version %q is %q", text, versionFault(text))
		}
	}
	for _, role := range append(m.Type("Role").Values, "king", "") {
		if want := slices.Contains(m.Type("Role").Values, role); Role(role).valid() != want {
			t.Errorf("role %q: valid is not %v", role, want)
		}
	}
}
