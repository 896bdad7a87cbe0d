package bots

import (
	"context"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// tictactoe adapts a bot of hexagonal tic-tac-toe to Strategy.
type tictactoe struct {
	bot  hextictactoe.Bot
	seed uint64
	side rules.Side // None before the first match
}

// Start implements Strategy.
func (t *tictactoe) Start(info Info, state []byte) error {
	t.side = rules.None
	if info.Player < 0 || info.Player > 1 || info.Specials > 0 {
		return fmt.Errorf("%w: there is no player %d", hextictactoe.ErrState, info.Player)
	}
	if _, _, err := hextictactoe.ReadState(state); err != nil {
		return err
	}
	t.side = rules.X + rules.Side(info.Player)
	return nil
}

// Turn implements Strategy. The answer is empty while the other side is to move.
func (t *tictactoe) Turn(turn int, state, dst []byte) ([]byte, error) {
	if t.side == rules.None {
		return dst, fmt.Errorf("turn %d: no match has started", turn)
	}
	q, over, err := hextictactoe.ReadState(state)
	if err != nil {
		return dst, fmt.Errorf("turn %d: %w", turn, err)
	}
	if over || q.ToMove != t.side {
		return append(dst, "[]"...), nil
	}
	q.Seed = t.seed
	ctx, cancel := q.WithLimit(context.Background())
	defer cancel()
	answer := t.bot.Move(ctx, q)
	return answer.AppendActions(dst), nil
}

// versatile combines two strategies with the same name for two games; the first state
// decides which one plays.
type versatile struct {
	hexabomb, tictactoe Strategy
	Strategy            // the current one
}

// Start implements Strategy.
func (v *versatile) Start(info Info, state []byte) error {
	v.Strategy = v.tictactoe
	err := v.tictactoe.Start(info, state)
	if errors.Is(err, hextictactoe.ErrState) {
		v.Strategy = v.hexabomb
		return v.hexabomb.Start(info, state)
	}
	return err
}
