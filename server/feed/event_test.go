package feed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/servertest"
)

// event is an event as a reader parses it.
type event struct {
	Type    string
	ID      string
	Turn    int
	State   json.RawMessage
	Delta   json.RawMessage
	Present []lobbyClient
	Count   int
	Answers []struct {
		Player  int
		MS      float64
		Actions []any
		Omitted int
		Lapse   string
		Debug   map[string]any
	}
	Printed []recording.Output
	Refused []struct{ Reason string }
	More    int `json:"refused_more"`
	Gone    []int
	Tally   []map[string]int
}

func parse(t testing.TB, data []byte) (e event) {
	t.Helper()
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("event %s: %v", data, err)
	}
	if !utf8.Valid(data) || bytes.ContainsAny(data, "\n\r") {
		t.Fatalf("event %q cannot be sent as a line of text", data)
	}
	return e
}

func parseTurn(t testing.TB, turn *Turn) event {
	t.Helper()
	data, _ := turn.append(nil)
	return parse(t, data)
}

func types(list []event) string {
	var words []string
	for _, e := range list {
		word := e.Type
		if e.Type == "turn" {
			word = fmt.Sprint(e.Turn)
			if e.State != nil {
				word += "!"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func TestWhatBotsSendCannotBreakEvents(t *testing.T) {
	turn := Turn{Step: 1, Delta: []byte("{\"a\":\n\t1}"), Gone: []engine.PlayerID{1}}
	for _, actions := range []string{
		"[\"\xff\xfe\"]", "[1,\r\n 2]", "[", "", `["` + strings.Repeat("x", maxActions) + `"]`,
		"[\"\u2028\"]",
	} {
		turn.Answers = append(turn.Answers, match.Answer{Input: engine.Input{Actions: []byte(actions)}})
	}
	turn.Answers = append(turn.Answers, match.Answer{Input: engine.Input{Lapse: engine.TimedOut}})
	for range maxRefused + 5 {
		turn.Refused = append(turn.Refused, engine.Refusal{Reason: "not \"so\"\n"})
	}
	e := parseTurn(t, &turn)
	if len(e.Answers) != 7 || e.Answers[4].Omitted != maxActions+4 || e.Answers[2].Omitted != 1 ||
		e.Answers[6].Lapse != "timed out" {
		t.Errorf("answers: %+v", e.Answers)
	}
	if len(e.Refused) != maxRefused || e.More != 5 || e.Refused[0].Reason != "not \"so\"\n" {
		t.Errorf("refused: %d and %d more", len(e.Refused), e.More)
	}
	if len(e.Gone) != 1 || e.Gone[0] != 1 {
		t.Errorf("gone: %v, want 1", e.Gone)
	}
}

func FuzzTurn(f *testing.F) {
	f.Add([]byte(`[{"id":0}]`), "blocked", []byte(`{"cells":[]}`))
	f.Add([]byte("[\"\xff\"]\n"), "\x00\xfe", []byte("{\r\n}"))
	f.Fuzz(func(t *testing.T, actions []byte, reason string, delta []byte) {
		turn := Turn{
			Answers: []match.Answer{{Input: engine.Input{Actions: actions}, Debug: delta}},
			Printed: []recording.Output{{Lines: []string{reason}}},
			Refused: []engine.Refusal{{Reason: reason}},
		}
		if json.Valid(delta) { // games write JSON
			turn.Delta = delta
		}
		if len(turn.Delta) == 0 {
			turn.State = []byte("{}")
		}
		parseTurn(t, &turn)
	})
}

// Apart from the history, which is allocated in chunks, a turn allocates nothing.
func TestTurnAllocatesNothing(t *testing.T) {
	d := newTestMatch(t, Options{})
	d.begin()
	d.play(100, false)
	turn := Turn{
		Step: 101, Delta: d.game.AppendDelta(nil), State: d.game.AppendState(nil),
		Answers: []match.Answer{{Input: engine.Input{Actions: []byte(servertest.Antics(d.rng, 6))}}},
	}
	d.history.entries = append(make([]entry, 0, 10_000), d.history.entries...)
	frame := match.Frame{State: turn.State}
	if n := testing.AllocsPerRun(500, func() { d.played(&turn, &frame) }); n > 0 {
		t.Errorf("a turn allocates %v times", n)
	}
}

func BenchmarkTurn(b *testing.B) {
	d := newTestMatch(b, Options{})
	d.begin()
	d.play(100, false)
	turn := Turn{
		Step: 101, Delta: d.game.AppendDelta(nil), State: d.game.AppendState(nil),
		Answers: []match.Answer{
			{Input: engine.Input{Actions: []byte(servertest.Antics(d.rng, 6))}},
			{Input: engine.Input{Actions: []byte(servertest.Antics(d.rng, 6))}},
		},
	}
	frame := match.Frame{State: turn.State}
	b.ReportAllocs()
	for b.Loop() {
		d.played(&turn, &frame)
	}
	b.ReportMetric(float64(d.history.size)/float64(len(d.history.entries)), "B/turn")
}

// The start of a match has the time for an answer, also that of a recording which has it in its
// options.
func TestStartHasTheLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		header recording.Header
		want   string
	}{
		"announced": {recording.Header{Limit: 1000, DelayTurns: 50}, `"limit_ms":1000`},
		"older, as fast as possible": {recording.Header{
			Options: map[string]string{"turn_timeout": "1.5s"},
		}, `"limit_ms":1500`},
		"older, at a timer's pace": {recording.Header{
			DelayTurns: 50, Options: map[string]string{"turn_timeout": "1.5s"},
		}, ""},
		"older, without a time limit": {recording.Header{
			Options: map[string]string{"turn_timeout": "0s"},
		}, ""},
		"not known": {recording.Header{}, ""},
	} {
		start := newStart("id", &tt.header, []byte("{}"), nil)
		text, _ := start.append(nil)
		if !bytes.Contains(text, []byte(tt.want)) ||
			tt.want == "" && bytes.Contains(text, []byte("limit_ms")) {
			t.Errorf("%s: the start is %s, want %q", name, text, tt.want)
		}
	}
}

// An end without the turns that decided differs from one in which none stands out.
func TestEndSaysWhetherDecidedIsKnown(t *testing.T) {
	for want, list := range map[string][]*result.Decisions{"": nil, `"decided":[]}`: {}} {
		end := string((&End{Decided: list}).append(nil))
		if strings.Contains(end, "decided") != (want != "") || !strings.HasSuffix(end, want) {
			t.Errorf("with %#v: %s, want %q in it", list, end, want)
		}
	}
}
