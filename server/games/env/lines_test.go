package env_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/env"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
)

var all = games.List{hexabomb.Game(), hextictactoe.Game()}

// world returns the game that flags of env choose.
func world(t testing.TB, line string, setup engine.Setup) *env.World {
	t.Helper()
	scope := config.Scope{Command: config.Env, Games: all.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	if err := flags.Parse(strings.Fields(line)); err != nil {
		t.Fatal(err)
	}
	v, err := scope.Load(flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := all.Find(v.Text("game"))
	i, err := g.New(v)
	if err != nil {
		t.Fatal(err)
	}
	return &env.World{Game: g, Instance: i, Setup: setup}
}

// answers returns what the requests are answered.
func answers(t testing.TB, w *env.World, requests ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := env.Lines(w, strings.NewReader(strings.Join(requests, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(list) != len(requests) {
		t.Fatalf("%d answers to %d requests: %s", len(list), len(requests), out.String())
	}
	for _, one := range list {
		if !json.Valid([]byte(one)) {
			t.Fatalf("an answer is no JSON: %s", one)
		}
	}
	return list
}

// cases are games and what their players answer in a turn.
var cases = []struct {
	line    string
	setup   engine.Setup
	actions string
}{
	{
		"--map pebble",
		engine.Setup{Players: 2, Turns: 9},
		`[[{"id":0,"movement":"bomb","bomb_range":2,"bomb_delay":2}],[]]`,
	},
	{"--map pebble --rules draft", engine.Setup{Players: 2, Turns: 9}, `[[],null]`},
	{"--sudden-death", engine.Setup{Players: 3, Specials: 1, Turns: 9}, `[[],[],null,[]]`},
	{
		"--game hextictactoe",
		engine.Setup{Players: 2, Turns: 9},
		`[[],[{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}]]`,
	},
}

// A match goes on from a saved position, and from messages as bots receive them, as it went on.
func TestLines(t *testing.T) {
	for _, tt := range cases {
		w := world(t, tt.line, tt.setup)
		step := `{"step":` + tt.actions + `}`
		got := answers(t, w, `{"reset":{"seed":7}}`, `{"save":"a"}`, step, `{"restore":"a"}`, step, "{}")
		if got[0] != got[1] || got[0] != got[3] || got[2] != got[4] || got[2] != got[5] ||
			strings.Contains(got[2], "error") || got[2] == got[0] {
			t.Fatalf("%s: the answers are %q", tt.line, got)
		}
		var turn struct {
			Turn  int
			State json.RawMessage
		}
		if err := json.Unmarshal([]byte(got[0]), &turn); err != nil {
			t.Fatal(err)
		}
		game := w.Instance.New()
		if _, err := game.Start(tt.setup); err != nil {
			t.Fatal(err)
		}
		starts := fmt.Sprintf(`{"load":{"message_type":"GAME_STARTS","player_id":0,"nb_players":%d,`+
			`"nb_special_players":%d,"nb_turns_max":%d,"initial_game_state":%s}}`, tt.setup.Players,
			tt.setup.Specials, tt.setup.Turns, game.AppendState(nil))
		message := fmt.Sprintf(`{"load":{"message_type":"TURN","turn_number":%d,"game_state":%s}}`,
			turn.Turn, turn.State)
		// of another map, by other rules, with another number of players
		other := world(t, "--map lagoon", engine.Setup{Players: 4, Turns: 3})
		if strings.Contains(tt.line, "hextictactoe") {
			other = w
		}
		loaded := answers(t, other, starts, step, message, step)
		if loaded[0] != got[0] || loaded[1] != got[2] || loaded[2] != got[0] || loaded[3] != got[2] {
			t.Errorf("%s: from messages it goes on as %q, want %q", tt.line, loaded, got)
		}
	}
}

// The last turn ends a match, and mistakes are answered and change nothing.
func TestLinesRefuse(t *testing.T) {
	w := world(t, "--map pebble", engine.Setup{Players: 2, Turns: 2})
	first := answers(t, w, `{"reset":{}}`)[0]
	for _, tt := range []struct{ request, want string }{
		{`nonsense`, "a request is one JSON object a line"},
		{`[]`, "a request is one JSON object a line"},
		{"{\"st\x1b\":1}", "a request is one JSON object"},
		{`{"stop":1}`, `\"stop\": unknown key; there are reset, load`},
		{`{"save":"a","drop":"a"}`, "save and drop in one request; send two"},
		{`{"show":"all"}`, `show: \"all\" is not \"state\"`},
		{`{"reset":{"seed":-1}}`, "reset: seed: -1 is not a whole number from 0"},
		{`{"step":[[]]}`, "step: want an array with the actions of each of the 2 players"},
		{`{"step":[[],[]],"order":[0,0]}`, "step: order: 0 is no id from 0 to 1, or there twice"},
		{`{"reset":{},"order":[0,1]}`, "order: only a step has an order"},
		{`{"reset":{"sed":5}}`, `reset: \"sed\": unknown key; there is seed`},
		{`{"reset":null}`, `reset: want an object, such as {\"seed\":1}, not null`},
		{`{"drop":"never"}`, `drop: nothing was saved as \"never\"; there are 0 names`},
		{`{"load":{}}`, "load: message_type is missing"},
		{`{"load":{"message_type":"TURN","turn_number":1}}`, "load: game_state is missing"},
		{`{"load":{"message_type":"GAME_STARTS"}}`, "load: nb_players is missing"},
		{`{"step":[[],[]],"order":[1]}`, "step: order: 1 ids, want each of the 2 once"},
		{`{"save":""}`, "save: want a name of 1 to 64 bytes"},
		{`{"restore":"b"}`, `restore: nothing was saved as \"b\"`},
		{`{"load":{"message_type":"TURN","turn_number":1.5,"game_state":{}}}`, "load: turn_number: 1.5 is not"},
		{`{"load":{"message_type":"TURN","turn_number":1,"game_state":{}}}`, "load: game_state: hexabomb"},
	} {
		got := answers(t, w, `{"reset":{}}`, tt.request, `{}`)
		if !strings.HasPrefix(got[1], `{"error":"`+tt.want) || got[2] != first {
			t.Errorf("%s: the answer is %s, want %s; then %s", tt.request, got[1], tt.want, got[2])
		}
	}
	long := `{"save":"` + strings.Repeat("a", 17<<20) + `"}`
	got := answers(t, w, `{"reset":{}}`, long, `{}`, long)
	if want := `{"error":"a request is longer than 16842752 bytes"}`; got[0] != first ||
		got[1] != want || got[2] != first || got[3] != want {
		t.Errorf("the answers beside requests that are too long are %q", got)
	}
	got = answers(t, w, `{"step":[]}`, `{"reset":{}}`, `{"step":[[],[]],"show":"none"}`,
		`{"step":[[],[]]}`, `{"restore":"x"}`)
	for i, want := range []string{
		"no match has begun", `"over":false`, `"over":true`, "step: the match is over", "nothing was saved",
	} {
		if !strings.Contains(got[i], want) {
			t.Errorf("answer %d is %s, want %s in it", i, got[i], want)
		}
	}
}
