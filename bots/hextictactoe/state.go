package hextictactoe

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// ErrState reports a text that is not a state of hexagonal tic-tac-toe.
var ErrState = errors.New("not a state of hexagonal tic-tac-toe")

// NewQuestion returns the question for a position. It returns an error if the game cannot
// continue from the position.
func NewQuestion(p rules.Position, view, win int) (Question, error) {
	o := rules.Options{
		ViewDistance: view, WinDistance: win, Clock: rules.Clock{Kind: rules.NoClock}, Setup: &p,
	}
	g := rules.New(o)
	if _, err := g.Start(engine.Setup{Players: 2}); err != nil {
		return Question{}, err
	}
	return Question{Board: g.Board(), ToMove: p.ToMove, View: view, Win: win}, nil
}

// ReadState parses a state in the form that players receive; over is true if no player is
// to move. The question's nodes follow from the clock of the side to move.
func ReadState(state []byte) (q Question, over bool, err error) {
	var s struct {
		Board struct {
			Cells json.RawMessage `json:"cells"`
		} `json:"board"`
		ToMove json.RawMessage  `json:"to_move"`
		Status string           `json:"status"`
		Clocks map[string]int64 `json:"clocks"`
		Clock  rules.Clock      `json:"clock"`
		View   int              `json:"view_distance"`
		Win    int              `json:"win_distance"`
	}
	var p rules.Position
	if err := json.Unmarshal(state, &s); err != nil {
		return q, false, fmt.Errorf("%w: %w", ErrState, err)
	}
	if s.Board.Cells == nil || s.ToMove == nil {
		return q, false, fmt.Errorf("%w: it has no board or no side to move", ErrState)
	}
	if s.Status != "" && s.Status != "in_progress" {
		return q, true, nil
	}
	if err := json.Unmarshal(fmt.Appendf(nil, `{"to_move":%s,"cells":%s}`, s.ToMove, s.Board.Cells), &p); err != nil {
		return q, false, fmt.Errorf("%w: %w", ErrState, err)
	}
	if q, err = NewQuestion(p, s.View, s.Win); err != nil {
		return q, false, fmt.Errorf("%w: %w", ErrState, err)
	}
	if left, ok := s.Clocks[p.ToMove.String()]; ok {
		q.SetTime(Clock{
			Left: ms(left), Increment: ms(s.Clock.Increment), PerMove: s.Clock.Kind == rules.TurnClock,
		})
	}
	return q, false, nil
}

// ms converts milliseconds, capped at a week.
func ms(n int64) time.Duration {
	const week = 7 * 24 * time.Hour
	return time.Duration(min(max(n, 0), week.Milliseconds())) * time.Millisecond
}
