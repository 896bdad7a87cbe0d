package netorcai

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

const (
	initAck = `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":{}}`
	turnAck = `{"message_type":"DO_TURN_ACK","winner_player_id":-1,"game_state":{"all_clients":{}}`
)

func TestInitAckKeys(t *testing.T) {
	cells := &View{Cells: "/cells", Marks: usualMarks, Layout: Pointy}
	tests := []struct {
		keys    string
		want    DoInitAck
		dropped string // in the error; empty: nothing is
	}{
		{``, DoInitAck{}, ""},
		{`,"rules":"claim/1","scores":[0,-3],"view":{"cells":"/cells"}`, DoInitAck{
			Rules: "claim/1", Scores: []int64{0, -3}, View: cells,
		}, ""},
		{`,"rules":null,"scores":null,"view":null`, DoInitAck{}, ""},
		{`,"view":{"cells":"/c","q":"x","r":"y","color":"owner","label":"n","scores":"/s","layout":"flat","news":1,
			"pieces":[{"list":"/p","shown_if":"alive"},{"list":"/p~1q","label":"id"}]}`, DoInitAck{View: &View{
			Cells: "/c", Marks: Marks{
				Q: "x", R: "y", Color: "owner", Label: "n",
			}, Scores: "/s", Layout: Flat, Pieces: []Pieces{
				{List: "/p", Marks: usualMarks, ShownIf: "alive"},
				{List: "/p~1q", Marks: Marks{Q: "q", R: "r", Color: "color", Label: "id"}},
			},
		}}, ""},
		{`,"rules":7,"view":{"cells":"/cells"}`, DoInitAck{View: cells}, "rules: not a text"},
		{`,"rules":"` + strings.Repeat("é", 65) + `"`, DoInitAck{}, "rules: not a text of 1 to 64"},
		{`,"rules":"a\nb"`, DoInitAck{}, "rules: not a text"},
		{`,"rules":""`, DoInitAck{}, "rules: not a text"},
		{`,"scores":{}`, DoInitAck{}, "scores: not an array"},
		{`,"scores":[1]`, DoInitAck{}, "scores: 1 for 2 players"},
		{`,"scores":[1,2,3]`, DoInitAck{}, "scores: more than 2"},
		{`,"scores":[1,2.5]`, DoInitAck{}, "scores: member 1 is not a whole number"},
		{`,"scores":[1e300,2]`, DoInitAck{}, "scores: member 0 is not a whole number"},
		{`,"scores":["1",2],"rules":"r"`, DoInitAck{Rules: "r"}, "scores: member 0"},
		{`,"view":[]`, DoInitAck{}, "view: not an object"},
		{`,"view":{}`, DoInitAck{}, "view: cells: missing"},
		{`,"view":{"cells":"cells"}`, DoInitAck{}, "view: cells: not a JSON pointer"},
		{`,"view":{"cells":7}`, DoInitAck{}, "view: cells: not a JSON pointer"},
		{`,"view":{"cells":"/c","layout":"square"}`, DoInitAck{}, "view: layout"},
		{`,"view":{"cells":"/c","q":""}`, DoInitAck{}, "view: q: not the name"},
		{`,"view":{"cells":"/c","color":7}`, DoInitAck{}, "view: color: not the name"},
		{`,"view":{"cells":"/c","pieces":{}}`, DoInitAck{}, "view: pieces: not an array"},
		{`,"view":{"cells":"/c","pieces":[7]}`, DoInitAck{}, "view: pieces: a member has no list"},
		{`,"view":{"cells":"/c","pieces":[` + strings.Repeat(`{"list":"/p"},`,
			8) + `{"list":"/p"}]}`, DoInitAck{}, "view: pieces: more than 8"},
		{`,"view":{"cells":"/` + strings.Repeat("c", 200) + `"}`, DoInitAck{}, "view: cells"},
	}
	for _, tt := range tests {
		got, err := ParseDoInitAck([]byte(initAck+tt.keys+"}"), 2)
		if err != nil {
			t.Errorf("%s is fatal: %v", tt.keys, err)
		}
		checkDropped(t, tt.keys, got.Dropped, tt.dropped)
		got.State, got.Dropped = nil, nil
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s = %+v, want %+v", tt.keys, got, tt.want)
		}
	}
}

func TestTurnAckKeys(t *testing.T) {
	tests := []struct {
		keys    string
		want    DoTurnAck
		dropped string
	}{
		{``, DoTurnAck{}, ""},
		{`,"scores":[4,9007199254740991],"reasons":[{"player":1,"action":0,"text":"no such cell"},{"player":0,"text":"late"}]`, DoTurnAck{
			Scores: []int64{4, MaxSeed}, Reasons: []Reason{{1, 0, "no such cell"}, {0, -1, "late"}},
		}, ""},
		{`,"reasons":7`, DoTurnAck{}, "reasons: not an array"},
		{`,"reasons":[{"player":0,"text":"kept"},{"player":2,"text":"x"}]`, DoTurnAck{
			Reasons: []Reason{{0, -1, "kept"}},
		}, "member 1: there is no player 2"},
		{`,"reasons":[{"player":0,"action":-2,"text":"x"}]`, DoTurnAck{}, "member 0: there is no action -2"},
		{`,"reasons":[{"player":0,"action":1e9,"text":"x"}]`, DoTurnAck{}, "member 0: there is no action 1000000000"},
		{`,"reasons":[{"player":0,"action":"1","text":"x"}]`, DoTurnAck{}, "member 0: Non-integral value for field 'action'"},
		{`,"reasons":[{"player":0}]`, DoTurnAck{}, "member 0: Field 'text' is missing"},
		{`,"reasons":[{"player":0,"text":""}]`, DoTurnAck{}, "member 0: text"},
		{`,"reasons":[{"player":0,"text":"` + strings.Repeat("x", 81) + `"}]`, DoTurnAck{}, "member 0: text"},
		{`,"reasons":[7]`, DoTurnAck{}, "member 0"},
		{`,"scores":[0],"reasons":[]`, DoTurnAck{}, "scores: 1 for 2 players"},
	}
	for _, tt := range tests {
		got, err := ParseDoTurnAck([]byte(turnAck+tt.keys+"}"), 2)
		if err != nil {
			t.Errorf("%s is fatal: %v", tt.keys, err)
		}
		checkDropped(t, tt.keys, got.Dropped, tt.dropped)
		got.WinnerPlayerID, got.State, got.Dropped = 0, nil, nil
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s = %+v, want %+v", tt.keys, got, tt.want)
		}
	}
	many := turnAck + `,"reasons":[` + strings.Repeat(`{"player":0,"text":"x"},`,
		maxReasons) + `{"player":0,"text":"x"}]}`
	if got, _ := ParseDoTurnAck([]byte(many), 2); len(got.Reasons) != maxReasons ||
		got.Dropped == nil {
		t.Errorf("%d reasons were kept and %v dropped, want %d and an error", len(got.Reasons),
			got.Dropped, maxReasons)
	}
}

func checkDropped(t *testing.T, keys string, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: dropped %v, want %q", keys, err, want)
	}
}

// FuzzLogicKeys checks that no optional key makes an answer unreadable, and that what was read
// survives being encoded and parsed again.
func FuzzLogicKeys(f *testing.F) {
	f.Add([]byte(`{"cells":"/cells","pieces":[{"list":"/p","shown_if":"a"}],"layout":"flat"}`),
		[]byte(`[1,2]`), []byte(`[{"player":1,"text":"x"}]`), "claim/1")
	f.Add([]byte(`null`), []byte(`[1e9,-0.0]`), []byte(`{}`), "")
	f.Fuzz(func(t *testing.T, view, scores, reasons []byte, rules string) {
		for _, text := range [][]byte{view, scores, reasons} {
			if _, err := jsonscan.Parse(text); err != nil || jsonscan.Deeper(text, jsonscan.MaxDepth-2) {
				return
			}
		}
		text := []byte(
			initAck + `,"view":` + string(view) + `,"scores":` + string(scores) + `,"rules":` + string(
				appendString(nil, rules)) + `}`,
		)
		first, err := ParseDoInitAck(text, 2)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		frame, err := AppendDoInitAck(nil, first)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseDoInitAck(frame[headerSize:], 2); err != nil || again.Dropped != nil ||
			again.Rules != first.Rules ||
			!reflect.DeepEqual(again.View, first.View) || !reflect.DeepEqual(again.Scores, first.Scores) {
			t.Fatalf("%s was read as %+v and, encoded, as %+v, %v", text, first, again, err)
		}
		text = []byte(turnAck + `,"scores":` + string(scores) + `,"reasons":` + string(reasons) + `}`)
		turn, err := ParseDoTurnAck(text, 2)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if frame, err = AppendDoTurnAck(nil, turn); err != nil {
			t.Fatal(err)
		}
		if again, err := ParseDoTurnAck(frame[headerSize:], 2); err != nil || again.Dropped != nil ||
			!reflect.DeepEqual(again.Scores, turn.Scores) ||
			!reflect.DeepEqual(again.Reasons, turn.Reasons) {
			t.Fatalf("%s was read as %+v and, encoded, as %+v, %v", text, turn, again, err)
		}
	})
}
