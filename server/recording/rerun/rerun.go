// Package rerun lets a bot play a recorded match again: it is shown every state that the
// player in one seat was shown, whatever it answers, and its answers are compared with the
// recorded ones. That makes a recording a regression test for a bot.
//
// A rerun is a match of its own, whose game plays the recording and awaits only the bot.
// [Run] starts the bot's process, and returns when that is gone.
package rerun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// Options say what to run and how.
type Options struct {
	Path         string // the recording
	Games        recording.Games
	Seat         int      // the id of the player
	Argv         []string // the bot, in which {host}, {port}, {nickname} and {seed} are replaced
	Stdio        bool     // the bot speaks on its standard input and output
	Log          string   // file for what it prints; may be empty
	StartTimeout time.Duration
	TurnTimeout  time.Duration         // zero means no limit
	Progress     func(step, turns int) // may be nil
}

// Report is the result of a rerun.
type Report struct {
	Answers     int          // that the bot gave
	Compared    int          // of these, to a recorded one
	Differences []Difference // by TURN
	Time        result.Quantiles
	Elapsed     time.Duration // for all turns
}

// Difference is an answer that is not the recorded one.
type Difference struct {
	Turn     int    // the number of the TURN
	Recorded string // JSON
	Answered string
}

// BotError reports a bot that did not play to the end.
type BotError struct {
	Err  error
	Tail []string // the last lines that it printed
}

func (e *BotError) Error() string { return e.Err.Error() }
func (e *BotError) Unwrap() error { return e.Err }

// errBot is in the errors that are the bot's.
var errBot = errors.New("the bot failed")

// Run plays the recording to its end, also if it is truncated. The error is the recording's,
// the context's, or a [*BotError].
func Run(ctx context.Context, o Options) (*Report, error) {
	file, err := recording.Open(o.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := CheckSeat(file.Header(), o.Seat); err != nil {
		return nil, fmt.Errorf("seat: %w", err)
	}
	p, err := recording.NewReplay(file, o.Games)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	g := &game{Replay: p, opts: &o, seat: engine.PlayerID(o.Seat), started: make(chan struct{}), recorded: answers{}, answered: answers{}}
	h, err := host.Open(host.Options{Bind: address, LoginTimeout: o.StartTimeout})
	if err != nil {
		return nil, err
	}
	bot, err := o.start(h, &file.Header().Seats[o.Seat])
	if err != nil {
		h.Shutdown(ctx)
		return nil, err
	}
	report, err := g.play(ctx, h, bot)
	bot.Dismiss(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case g.err != nil:
		return nil, fmt.Errorf("%s: %w", o.Path, g.err)
	case errors.Is(err, errBot):
		if e := bot.Exit(); !e.Stopped {
			err = fmt.Errorf("%w; it ended with %s", err, e)
		}
		return nil, &BotError{err, bot.Tail()}
	}
	return report, err
}

// address is where the bot finds its server.
const address = "127.0.0.1"

// start starts the bot.
func (o *Options) start(h *host.Host, recorded *recording.Seat) (*process.Process, error) {
	bot := process.Bot{
		Words: o.Argv, Stdio: o.Stdio, Host: address, Port: h.Port(), Nickname: recorded.Nickname, Seed: recorded.Seed, Log: o.Log,
	}
	return bot.Start()
}

// play plays the match on the host, shuts that down, and reports on it.
func (g *game) play(ctx context.Context, h *host.Host, bot *process.Process) (*Report, error) {
	defer h.Shutdown(ctx)
	aborting, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	room, err := h.Start(aborting, g.spec())
	if err != nil {
		return nil, err
	}
	for id := range g.Reader().Header().Seats {
		if id != g.opts.Seat {
			// An error means that the match was aborted.
			_, _ = room.Match().Join(idle{}, match.Candidate{Role: g.role(id), Key: fmt.Sprint("seat ", id), Number: id})
		}
	}
	if bot.Stdio != nil {
		var talk sync.WaitGroup
		defer talk.Wait()
		talk.Go(func() { h.Converse(session.OverStdio(bot.Stdio.Out, bot.Stdio.In, "bot")) })
	}
	if err := g.awaitStart(ctx, bot); err != nil {
		abort(err)
	}
	end := room.Wait()
	if end.Err != nil {
		return nil, end.Err
	}
	one := &end.Players[g.opts.Seat]
	if g.lapse != engine.Answered {
		return nil, fmt.Errorf("%w: no answer to TURN %d: %s", errBot, g.owed, cmp.Or(one.Reason, g.lapse.String()))
	}
	report := &Report{Answers: one.Answers, Time: one.Time, Elapsed: end.Ended.Sub(end.Started)}
	g.compare(report)
	return report, nil
}

// spec describes the match, in which players have the ids of the recording. All seats but the
// bot's are taken, so that it gets none if it logs in with another role.
func (g *game) spec() host.Spec {
	h := g.Reader().Header()
	return host.Spec{
		Game: games.Instance{New: func() engine.Game { return g }},
		Settings: match.Settings{
			Turns: h.Turns, Players: h.Players, Specials: h.Specials, DelayFirst: h.DelayFirst, DelayTurns: h.DelayTurns,
		},
		Autostart: true,
		Pace:      func(match.Settings) match.Pace { return match.Fast(g.opts.TurnTimeout, 0) },
		InOrder:   true,
		Labels:    h.Labels,
		Admit:     func(c *match.Candidate) error { c.Number = g.opts.Seat; return nil },
	}
}

func (g *game) role(id int) match.Role {
	if g.Reader().Header().Seats[id].Special {
		return match.Special
	}
	return match.Player
}

// awaitStart waits until the match has started, and returns why it cannot.
func (g *game) awaitStart(ctx context.Context, bot *process.Process) error {
	late := time.NewTimer(g.opts.StartTimeout)
	defer late.Stop()
	select {
	case <-g.started:
		return nil
	case <-bot.Done():
		return fmt.Errorf("%w before it had logged in", errBot)
	case <-late.C:
		return fmt.Errorf("%w: no login within %v", errBot, g.opts.StartTimeout)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// idle is the seat of a player whose recorded answers are played.
type idle struct{}

func (idle) Welcome(*match.Place)                {}
func (idle) Begin(*match.Frame, engine.PlayerID) {}
func (idle) Offer(*match.Frame)                  {}
func (idle) Kick(error)                          {}
