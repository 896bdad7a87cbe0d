package hextictactoe

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine"
)

func TestOptions(t *testing.T) {
	tests := []struct{ name, text, want string }{ // want: part of the error, empty for none
		{"defaults", `{}`, ""},
		{"all", `{"view_distance":3,"win_distance":4,"turn_limit":9,"clock":{"type":"incremental","base_ms":60000,"increment_ms":500},
			"setup":{"to_move":"x","cells":[{"q":3,"r":-1,"p":"o"}]}}`, ""},
		{"invalid JSON", `{`, "unexpected end"},
		{"no view", `{"view_distance":0}`, "view_distance 0"},
		{"a view too far", `{"view_distance":101}`, "view_distance 101"},
		{"one in a row", `{"win_distance":1}`, "win_distance 1"},
		{"a negative limit", `{"turn_limit":-1}`, "turn_limit -1"},
		{"two mistakes", `{"view_distance":0,"win_distance":1}`, "win_distance 1"},
		{"an unknown clock", `{"clock":{"type":"sand"}}`, `"sand"`},
		{"no time", `{"clock":{"type":"turn"}}`, "base_ms 0"},
		{"too long a time", `{"clock":{"type":"match","base_ms":100000000000000}}`, "base_ms 100000000000000"},
		{"an increment of a match clock", `{"clock":{"type":"match","base_ms":1,"increment_ms":1}}`, "increment_ms 1"},
		{"no side to move", `{"setup":{"cells":[{"q":0,"r":0,"p":"x"}]}}`, "to_move"},
		{"an empty board", `{"setup":{"to_move":"x","cells":[]}}`, "0 pieces"},
		{"a piece of no side", `{"setup":{"to_move":"x","cells":[{"q":0,"r":0,"p":"X"}]}}`, "cell 0 has p"},
		{"half a cell", `{"setup":{"to_move":"x","cells":[{"q":0.5,"r":0,"p":"x"}]}}`, "q"},
		{"two pieces on a cell", `{"setup":{"to_move":"x","cells":[{"q":1,"r":0,"p":"x"},{"q":1,"r":0,"p":"o"}]}}`, "two pieces at 1,0"},
		{"a piece far away", `{"setup":{"to_move":"x","cells":[{"q":1000000000,"r":0,"p":"x"}]}}`, "beyond the limit"},
		{"a row", `{"win_distance":2,"setup":{"to_move":"x","cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":1,"p":"x"}]}}`, "x has already won"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := ParseOptions([]byte(tt.text))
			if err == nil {
				_, err = New(o).Start(engine.Setup{Players: 2})
			}
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("ParseOptions(%s) = %v, want an error with %q", tt.text, err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatalf("ParseOptions(%s) = %v", tt.text, err)
			}
			text, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := ParseOptions(text); err != nil || !cmp.Equal(o, again) {
				t.Errorf("ParseOptions(%s) = %+v, %v, want %+v", text, again, err, o)
			}
		})
	}
}

func TestStates(t *testing.T) {
	o := Defaults()
	o.Clock = Clock{Kind: Incremental, Base: 60_000, Increment: 500}
	g := start(t, o, 100)
	const rules = `,"view_distance":8,"win_distance":6,"turn_limit":100,"clock":{"type":"incremental","base_ms":60000,"increment_ms":500}}`
	first := `{"board":{"cells":[{"q":0,"r":0,"p":"x"}]},"to_move":"o","previous":[],"move":0,` +
		`"clocks":{"x":60000,"o":60000},"status":"in_progress","reason":"","row":[]`
	if got := string(g.AppendState(nil)); got != first+rules {
		t.Errorf("the first state is\n%s, want\n%s", got, first+rules)
	}
	g.Step([]engine.Input{{Player: 1, Actions: moveOf(at("1,0 0,-1")...), Micros: 1_500_700}})
	news := `]},"to_move":"x","previous":[{"side":"o","pieces":[{"q":1,"r":0},{"q":0,"r":-1}]}],"move":1,` +
		`"clocks":{"x":60000,"o":58999},"status":"in_progress","reason":"","row":[]`
	const added = `{"q":1,"r":0,"p":"o"},{"q":0,"r":-1,"p":"o"}`
	if got, want := string(g.AppendState(nil)), `{"board":{"cells":[{"q":0,"r":0,"p":"x"},`+added+news+rules; got != want {
		t.Errorf("the second state is\n%s, want\n%s", got, want)
	}
	if got, want := string(g.AppendDelta(nil)), `{"board":{"cells":[`+added+news+`}`; got != want {
		t.Errorf("the delta is\n%s, want\n%s", got, want)
	}
}

func TestClocks(t *testing.T) {
	ms := func(n int64) int64 { return 1000 * n }
	tests := []struct {
		name  string
		clock Clock
		took  []int64 // by o, x, o … in µs
		left  string
	}{
		{"none", Clock{Kind: NoClock}, []int64{ms(1e12)}, "null"},
		{"turn", Clock{
			Kind: TurnClock, Base: 100,
		}, []int64{ms(100), ms(99), ms(100)}, `{"x":100,"o":100}`},
		{"turn, too long", Clock{
			Kind: TurnClock, Base: 100,
		}, []int64{ms(100), ms(100) + 1}, `{"x":0,"o":100}`},
		{"match", Clock{Kind: MatchClock, Base: 100}, []int64{ms(60), ms(1), ms(40)}, `{"x":99,"o":0}`},
		{"match, too long", Clock{
			Kind: MatchClock, Base: 100,
		}, []int64{ms(60), ms(1), ms(41)}, `{"x":99,"o":0}`},
		{"incremental", Clock{
			Kind: Incremental, Base: 100, Increment: 50,
		}, []int64{ms(60), ms(10), ms(20)}, `{"x":140,"o":120}`},
		{"negative time", Clock{Kind: MatchClock, Base: 100}, []int64{-ms(60)}, `{"x":100,"o":100}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.Clock = tt.clock
			g := start(t, o, 100)
			var got engine.Result
			for i, took := range tt.took {
				cells := []Coord{{Q: 1, R: i}, {Q: -1, R: -i}}
				got = g.Step(
					[]engine.Input{{Player: g.ToMove().Player(), Actions: moveOf(cells...), Micros: took}})
			}
			if left := string(g.clocks.append(nil)); left != tt.left {
				t.Errorf("after %v there is %s left, want %s", tt.took, left, tt.left)
			}
			if late := strings.Contains(tt.name, "too long"); got.Over != late ||
				late && got.Reason != forfeitTime {
				t.Errorf("after %v: %+v", tt.took, got)
			}
		})
	}
}
