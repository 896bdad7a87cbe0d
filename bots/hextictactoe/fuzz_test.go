package hextictactoe

import (
	"context"
	"errors"
	"testing"
)

// FuzzReadState checks that every state that parses can be answered.
func FuzzReadState(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `{"board":null,"to_move":"x"}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"}]},"to_move":"o","view_distance":8,"win_distance":6,"clocks":{"x":1,"o":2}}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":536870912,"r":-536870912,"p":"o"}]},"to_move":"x","view_distance":1,"win_distance":2}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"}]},"to_move":"o","view_distance":100,"win_distance":100,"status":"draw"}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":0,"p":"o"}]},"to_move":"x","view_distance":8,"win_distance":6}`,
	} {
		f.Add([]byte(seed))
	}
	stopped, cancel := context.WithCancel(f.Context())
	cancel()
	f.Fuzz(func(t *testing.T, text []byte) {
		q, over, err := ReadState(text)
		if err != nil {
			if !errors.Is(err, ErrState) {
				t.Errorf("ReadState(%s) = %v", text, err)
			}
			return
		}
		if over || len(text) > 4096 {
			return
		}
		for _, d := range Describe() {
			b, _ := New(d.Name)
			a := b.Move(stopped, q)
			after(t, &q, a.Pieces)
		}
	})
}
