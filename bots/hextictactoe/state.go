package hextictactoe

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// ErrState is a text that is no state of hexagonal tic-tac-toe.
var ErrState = errors.New("not a state of hexagonal tic-tac-toe")

// Ask is the question that a position poses. It fails when the position is none
// to play from.
func Ask(p rules.Position, view, win int) (Question, error) {
	o := rules.Options{ViewDistance: view, WinDistance: win, Clock: rules.Clock{Kind: rules.NoClock}, Setup: &p}
	g := rules.New(o)
	if _, err := g.Start(engine.Setup{Players: 2}); err != nil {
		return Question{}, err
	}
	return Question{Board: g.Board(), ToMove: p.ToMove, View: view, Win: win}, nil
}

// hurry is how little time makes a bot move quickly, in milliseconds.
const hurry = 5000

// ReadState reads a state as players receive it; over says that nobody is asked
// any more. Of a side that has little time left, the question asks for no depth.
func ReadState(state []byte) (q Question, over bool, err error) {
	var s struct {
		Board struct {
			Cells json.RawMessage `json:"cells"`
		} `json:"board"`
		ToMove json.RawMessage  `json:"to_move"`
		Status string           `json:"status"`
		Clocks map[string]int64 `json:"clocks"`
		View   int              `json:"view_distance"`
		Win    int              `json:"win_distance"`
	}
	var p rules.Position
	if err := json.Unmarshal(state, &s); err != nil {
		return q, false, fmt.Errorf("%w: %w", ErrState, err)
	}
	if s.Board.Cells == nil || s.ToMove == nil {
		return q, false, fmt.Errorf("%w: it has no board or nobody to move", ErrState)
	}
	if s.Status != "" && s.Status != "in_progress" {
		return q, true, nil
	}
	if err := json.Unmarshal(fmt.Appendf(nil, `{"to_move":%s,"cells":%s}`, s.ToMove, s.Board.Cells), &p); err != nil {
		return q, false, fmt.Errorf("%w: %w", ErrState, err)
	}
	if q, err = Ask(p, s.View, s.Win); err != nil {
		return q, false, fmt.Errorf("%w: %w", ErrState, err)
	}
	if left, ok := s.Clocks[p.ToMove.String()]; ok && left < hurry {
		q.Depth = Quick
	}
	return q, false, nil
}
