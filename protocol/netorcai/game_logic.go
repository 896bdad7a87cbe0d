package netorcai

import (
	"context"
	"errors"
	"fmt"
)

// GameLogic implements the rules of a game for a server that has no rules. Its methods
// are called one at a time, from the goroutine that called [Client.Referee]. The states are
// JSON objects for all clients; their bytes are sent before the next call. Arguments are valid
// until the method returns.
type GameLogic interface {
	// Init sets up the board and returns the initial state.
	Init(DoInit) (DoInitAck, error)

	// Turn plays a turn, with the actions in the order in which they count. With [ErrLastTurn]
	// the result is sent, and Referee returns.
	Turn([]PlayerActions) (DoTurnAck, error)
}

// ErrLastTurn is the error with which a game logic leaves after a turn, without waiting for the
// server to end the match.
var ErrLastTurn = errors.New("last turn")

// Referee runs the rules of one match over a client that logged in with [RoleGameLogic]. It
// returns nil after the server has declared the match finished or after [ErrLastTurn], otherwise an
// error as [Client.Play] does. It does not close c.
func (c *Client) Referee(ctx context.Context, g GameLogic) error {
	return c.within(ctx, func() error {
		for {
			err := c.judge(g)
			var kick *KickError
			if errors.As(err, &kick) && kick.Reason == KickFinished || errors.Is(err, ErrLastTurn) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
}

// judge answers one message. It tries a DO_TURN first, because most messages are one.
func (c *Client) judge(g GameLogic) error {
	if err := c.read(); err != nil {
		return fmt.Errorf("wait for a turn: %w", err)
	}
	players, err := ParseDoTurn(c.content)
	if other := (*TypeError)(nil); errors.As(err, &other) && other.Got == typeDoInit {
		return c.judgeInit(g)
	}
	if err != nil {
		return c.kickOr(err)
	}
	ack, last := g.Turn(players)
	if last != nil && last != ErrLastTurn {
		return fmt.Errorf("play a turn: %w", last)
	}
	out, err := AppendDoTurnAck(c.out[:0], ack)
	if err != nil {
		return err
	}
	if err := c.write(out); err != nil {
		return err
	}
	return last
}

func (c *Client) judgeInit(g GameLogic) error {
	init, err := ParseDoInit(c.content)
	if err != nil {
		return err
	}
	ack, err := g.Init(init)
	if err != nil {
		return fmt.Errorf("set the board: %w", err)
	}
	out, err := AppendDoInitAck(c.out[:0], ack)
	if err != nil {
		return err
	}
	return c.write(out)
}
