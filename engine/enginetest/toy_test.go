package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

func TestToy(t *testing.T) { Run(t, NewToy, toyOptions()) }

func toyOptions() Options {
	return Options{
		Setup:   engine.Setup{Players: 2, Turns: 50},
		Refused: []engine.Setup{{}, {Players: 1}, {Players: 3}, {Players: 2, Specials: 1}},
		Act: func(rnd *rand.Rand, _ []byte, _ engine.PlayerID) []byte {
			return fmt.Appendf(nil, `[{"take":%d}]`, rnd.IntN(5))
		},
	}
}

// take returns the input of a player that takes n stones.
func take(p engine.PlayerID, n int) engine.Input {
	return engine.Input{Player: p, Actions: fmt.Appendf(nil, `[{"take":%d}]`, n)}
}

func TestToyGames(t *testing.T) {
	refusal := func(p engine.PlayerID, input, action int, why string) []engine.Refusal {
		return []engine.Refusal{{Player: p, Input: input, Action: action, Reason: why}}
	}
	tests := []struct {
		name  string
		steps [][]engine.Input
		want  engine.Result
		state string
	}{
		{
			name:  "alternates",
			steps: [][]engine.Input{{take(0, 2)}},
			want:  engine.Result{Await: engine.Only(1), Winner: engine.NoPlayer},
			state: `{"stones":19,"turn_of":1,"taken":{"0":2,"1":0},"winner":-1,"reason":""}`,
		},
		{
			name:  "awaits the player that did not answer",
			steps: [][]engine.Input{nil},
			want:  engine.Result{Await: engine.Only(0), Winner: engine.NoPlayer},
			state: `{"stones":21,"turn_of":0,"taken":{"0":0,"1":0},"winner":-1,"reason":""}`,
		},
		{
			name:  "refuses too many",
			steps: [][]engine.Input{{take(0, 4)}},
			want: engine.Result{
				Await: engine.Only(0), Winner: engine.NoPlayer,
				Refused: refusal(0, 0, 0, "cannot take that many"),
			},
			state: `{"stones":21,"turn_of":0,"taken":{"0":0,"1":0},"winner":-1,"reason":""}`,
		},
		{
			name:  "refuses the other player",
			steps: [][]engine.Input{{take(1, 1), take(0, 1)}},
			want: engine.Result{
				Await: engine.Only(1), Winner: engine.NoPlayer,
				Refused: refusal(1, 0, -1, "not your turn"),
			},
			state: `{"stones":20,"turn_of":1,"taken":{"0":1,"1":0},"winner":-1,"reason":""}`,
		},
		{
			name:  "a lapse forfeits",
			steps: [][]engine.Input{{take(0, 3)}, {{Player: 1, Lapse: engine.TimedOut}}},
			want:  engine.Result{Await: engine.NoOne, Winner: 0, Over: true, Reason: "forfeit"},
			state: `{"stones":18,"turn_of":1,"taken":{"0":3,"1":0},"winner":0,"reason":"forfeit"}`,
		},
		{
			name: "the last stone wins",
			steps: [][]engine.Input{
				{take(0, 3)},
				{take(1, 3)},
				{take(0, 3)},
				{take(1, 3)},
				{take(0, 3)},
				{take(1, 3)},
				{take(0, 3)},
			},
			want:  engine.Result{Await: engine.NoOne, Winner: 0, Over: true, Reason: "last stone taken"},
			state: `{"stones":0,"turn_of":0,"taken":{"0":12,"1":9},"winner":0,"reason":"last stone taken"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := NewToy()
			got, err := g.Start(engine.Setup{Players: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, inputs := range tt.steps {
				got = g.Step(inputs)
			}
			refused, want := got.Refused, tt.want.Refused
			got.Refused, tt.want.Refused = nil, nil
			if fmt.Sprint(got) != fmt.Sprint(tt.want) || !slices.Equal(refused, want) {
				t.Errorf("Step(%v) = %+v, refused %v, want %+v, refused %v", tt.steps, got, refused, tt.want,
					want)
			}
			if state := string(g.AppendState(nil)); state != tt.state {
				t.Errorf("state = %s, want %s", state, tt.state)
			}
		})
	}
}
