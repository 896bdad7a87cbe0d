package recording

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/match"
)

// In a game with clocks, times are part of the state and are replayed.
func TestClocksReplay(t *testing.T) {
	const options = `{"clock":{"type":"incremental","base_ms":60000,"increment_ms":500}}`
	newGame := func(rules string, board []byte) (engine.Game, error) {
		o, err := hextictactoe.ParseOptions(board)
		if rules != hextictactoe.Rules || err != nil {
			return nil, errors.Join(ErrRules, err)
		}
		return hextictactoe.New(o), nil
	}
	game, err := newGame(hextictactoe.Rules, []byte(options))
	if err != nil {
		t.Fatal(err)
	}
	r := New(Options{
		Dir: t.TempDir(), Program: "test", Rules: game, Map: []byte(options), Durable: AtEnd,
		Complain: func(err error) { t.Errorf("the recorder reports %v", err) },
	})
	const turns = 12
	frame := match.Frame{
		Table: match.Table{Players: 2, Settings: match.Settings{Turns: turns, Players: 2}},
	}
	for id := range engine.PlayerID(2) {
		frame.Table.Seats = append(frame.Table.Seats, match.SeatInfo{ID: id, Connected: true})
	}
	result, err := game.Start(engine.Setup{Players: 2, Turns: turns})
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	frame.State = game.AppendState(nil)
	states = append(states, string(frame.State))
	r.Started(&frame)
	for step := 1; step <= turns; step++ {
		took := time.Duration(step) * 123_456_789 * time.Nanosecond
		answer := match.Answer{Took: took, Input: engine.Input{
			Player: engine.PlayerID(step % 2), Turn: step - 2, Micros: took.Microseconds(),
			Actions: fmt.Appendf(nil, `[{"pieces":[{"q":%d,"r":1},{"q":%d,"r":-1}]}]`, step, -step),
		}}
		result = game.Step([]engine.Input{answer.Input})
		frame.State = game.AppendState(nil)
		states = append(states, string(frame.State))
		r.Played(&match.Play{Step: step, Answers: []match.Answer{answer}, Result: result, Frame: &frame})
	}
	r.Ended(
		&match.Ending{
			Steps: turns, Winner: result.Winner, Reason: result.Reason, Seats: frame.Table.Seats,
		},
	)

	file, err := Open(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	replay, err := NewReplay(file, newGame)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		if _, err = replay.Next(); err != nil {
			if err != io.EOF || i != len(states) {
				t.Errorf("after %d of %d states: %v", i, len(states), err)
			}
			return
		}
		if got := string(replay.State()); got != states[i] {
			t.Errorf("turn %d is replayed to\n%s, was\n%s", i, got, states[i])
		}
	}
}
