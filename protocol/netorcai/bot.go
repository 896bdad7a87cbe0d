package netorcai

import (
	"context"
	"fmt"
)

// Bot plays one match. Its methods are called one after another, from the
// goroutine that called [Client.Play]. What they are given is theirs until they
// return: a bot that wants to keep a state copies it.
type Bot interface {
	// Start is called once, with the initial state.
	Start(GameStarts) error

	// Turn answers a TURN with a JSON array of actions, which may be nil for
	// none. The bytes are sent before the next call. A bot with a list of
	// actions may return json.Marshal(list).
	Turn(Turn) (actions []byte, err error)

	// End is called once, with the last state, if the match comes to its end.
	End(GameEnds)
}

// Debugger is a Bot that shows what it thinks, to whoever watches.
type Debugger interface {
	Bot

	// Debug is called after each Turn, for what goes along with its answer.
	Debug() Debug
}

// Play plays a match from its start to its end, where it returns nil. Before
// that it returns what went wrong: the bot's first error, a [*KickError] when the
// server throws the bot out, a [*ReadError] when it hangs up, each wrapped, or
// the cause of ctx when that ends. It does not close c.
func (c *Client) Play(ctx context.Context, bot Bot) error {
	return c.within(ctx, func() error { return c.play(bot) })
}

func (c *Client) play(bot Bot) error {
	starts, err := c.start()
	if err != nil {
		return fmt.Errorf("wait for the start: %w", err)
	}
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
			c.finish()
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
