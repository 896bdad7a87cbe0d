package bots

import (
	"errors"
	"testing"

	"github.com/hexarena/hexarena/bots/hextictactoe"
)

func TestBrokenTicTacToeStates(t *testing.T) {
	for _, state := range []string{
		``, `null`, `[]`, `{"board":{"cells":[]},"to_move":"x"}`, `{"board":{"cells":{}},"to_move":"o"}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"}]},"to_move":"y","view_distance":8,"win_distance":6}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"}]},"to_move":"x","view_distance":0,"win_distance":6}`,
	} {
		s, err := NewTicTacToe("threat", 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(Info{Players: 2}, []byte(state)); !errors.Is(err, hextictactoe.ErrState) {
			t.Errorf("Start(%s) = %v", state, err)
		}
		if _, err := s.Turn(0, []byte(state), nil); err == nil {
			t.Errorf("Turn(%s) succeeds", state)
		}
	}
}
