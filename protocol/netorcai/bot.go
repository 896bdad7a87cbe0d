package netorcai

import (
	"context"
	"errors"
	"fmt"
)

// Bot plays one match. Its methods are called one at a time, from the goroutine that called
// [Client.Play]. Their arguments are valid until they return: a bot that keeps a state must
// copy it.
type Bot interface {
	// Start is called once, with the initial state.
	Start(GameStarts) error

	// Turn returns the answer to a TURN, a JSON array of actions; nil stands for an empty
	// one. The bytes are sent before the next call. A bot with a slice of actions may
	// return json.Marshal(slice).
	Turn(Turn) (actions []byte, err error)

	// End is called once, with the last state, if the match is played to its end.
	End(GameEnds)
}

// Debugger is a Bot that shows its reasoning to spectators.
type Debugger interface {
	Bot

	// Debug is called after each Turn; the result is sent with the answer.
	Debug() Debug
}

// Play plays a match and returns nil after its end. Otherwise it returns the bot's first
// error, a [*KickError] if the server kicks the client, a [*ReadError] if the server closes
// the connection, each wrapped, or the cause of ctx's end. It does not close c.
func (c *Client) Play(ctx context.Context, bot Bot) error {
	return c.within(ctx, func() error { return c.play(bot) })
}

// PlayAll plays matches until there are no more, each with its own bot, and returns
// nil then. The client must have logged in with Login.Stay. Other errors are as of Play.
func (c *Client) PlayAll(ctx context.Context, bot func(GameStarts) (Bot, error)) error {
	return c.within(ctx, func() error {
		for {
			starts, err := c.start()
			if kick := (*KickError)(nil); errors.As(err, &kick) && kick.Reason == KickFinished {
				return nil
			}
			if err != nil {
				return fmt.Errorf("wait for the start: %w", err)
			}
			b, err := bot(starts)
			if err == nil {
				err = c.playFrom(starts, b)
			}
			if err != nil {
				return err
			}
		}
	})
}

func (c *Client) play(bot Bot) error {
	starts, err := c.start()
	if err != nil {
		return fmt.Errorf("wait for the start: %w", err)
	}
	if err := c.playFrom(starts, bot); err != nil {
		return err
	}
	c.finish()
	return nil
}

// playFrom plays a match that has started to its end.
func (c *Client) playFrom(starts GameStarts, bot Bot) error {
	if err := bot.Start(starts); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	debugger, shows := bot.(Debugger)
	for {
		turn, ends, err := c.next()
		if err != nil {
			return fmt.Errorf("wait for a turn: %w", err)
		}
		if ends != nil {
			bot.End(*ends)
			return nil
		}
		actions, err := bot.Turn(*turn)
		if err != nil {
			return fmt.Errorf("turn %d: %w", turn.Number, err)
		}
		if shows {
			c.Show(debugger.Debug())
		}
		if err := c.answer(turn.Number, actions); err != nil {
			return fmt.Errorf("answer turn %d: %w", turn.Number, err)
		}
	}
}
