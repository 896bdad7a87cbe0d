// Package rerun lets a bot play a recorded match again: it is shown every state that the
// player in one seat was shown, whatever it answers, and its answers are compared with the
// recorded ones. That makes a recording a regression test for a bot.
//
// A [Past] is the beginning of a recorded match from which another one goes on.
//
// A rerun is a match of its own, whose game plays the recording and awaits only the bot.
// [Run] starts the bot's process, and returns when that is gone.
package rerun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Options say what to run and how.
type Options struct {
	Path  string // the recording
	Games recording.Games
	Seat  int // the id of the player
	// the bot, in which {host}, {port}, {nickname} and {seed} are replaced
	Argv         []string
	Stdio        bool             // the bot speaks on its standard input and output
	Env          []string         // additions, as KEY=value, to what it gets of our environment
	Isolate      *isolate.Runtime // runs it in a sandbox; nil: it has the rights of this process
	Log          string           // file for what it prints; may be empty
	StartTimeout time.Duration
	TurnTimeout  time.Duration         // zero means no limit
	Progress     func(step, turns int) // may be nil
}

// RepeatEnv is the environment variable that names the recording of a match to a bot that plays the
// match again, so that the bot can repeat answers that depended on time. Isolated bots, which
// cannot read the file, do not get it.
const RepeatEnv = "BOT_REPEAT"

// Report is the result of a rerun.
type Report struct {
	Answers     int              `json:"answers"`     // that the bot gave
	Compared    int              `json:"compared"`    // of these, to a recorded one
	Differences []Difference     `json:"differences"` // by TURN
	Time        result.Quantiles `json:"time_ms"`
	Elapsed     time.Duration    `json:"elapsed_ns"` // for all turns
}

// Difference is an answer that is not the recorded one.
type Difference struct {
	Turn     int    `json:"turn"`     // the number of the TURN
	Recorded string `json:"recorded"` // JSON
	Answered string `json:"answered"`
	// RecordedActs and AnsweredActs are the same in words, or as JSON if the words are equal.
	RecordedActs string `json:"-"`
	AnsweredActs string `json:"-"`
}

// BotError reports a bot that did not play to the end.
type BotError struct {
	Err  error
	Tail []string // the last lines that it printed
}

func (e *BotError) Error() string { return e.Err.Error() }
func (e *BotError) Unwrap() error { return e.Err }

// Run plays the recording to its end, also if it is truncated. The error is the recording's,
// the context's, or a [*BotError].
func Run(ctx context.Context, o Options) (*Report, error) {
	file, err := recording.Open(o.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := CheckSeat(file.Header(), o.Seat); err != nil {
		return nil, games.UsageError{Err: fmt.Errorf("--player: %w", err)}
	}
	if o.Isolate == nil {
		path, err := filepath.Abs(o.Path)
		if err != nil {
			return nil, err
		}
		o.Env = append(slices.Clip(o.Env), RepeatEnv+"="+path)
	}
	p, err := recording.NewReplay(file, o.Games)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	g := &game{
		Replay: p, opts: &o, seat: engine.PlayerID(o.Seat), recorded: answers{}, answered: answers{},
	}
	h, err := host.Open(host.Options{Bind: "127.0.0.1", LoginTimeout: o.StartTimeout})
	if err != nil {
		return nil, err
	}
	defer h.Shutdown(ctx)
	report, err := g.play(ctx, h)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case g.err != nil:
		return nil, fmt.Errorf("%s: %w", o.Path, g.err)
	}
	return report, err
}

// play plays the match on the host, and reports on it.
func (g *game) play(ctx context.Context, h *host.Host) (*Report, error) {
	begin := make(chan struct{})
	spec := g.spec(begin)
	room, err := h.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	for id := range g.Reader().Header().Seats {
		if id != g.opts.Seat {
			// An error means that the match was aborted.
			c := match.Candidate{
				Role: g.role(id), Key: fmt.Sprint("idle ", id), Number: 1 + cmp.Compare(id, g.opts.Seat),
			}
			_, _ = room.Match().Join(idle{}, c)
		}
	}
	close(begin)
	end := room.Wait()
	bot := &end.Report().Seats[0]
	switch {
	case errors.Is(end.Err, seating.ErrMissing):
		return nil, &BotError{fmt.Errorf("the bot failed: %s", bot.Error), bot.LastLines}
	case end.Err != nil:
		return nil, end.Err
	case g.lapse != engine.Answered:
		err := fmt.Errorf("the bot failed: no answer to TURN %d: %s", g.owed,
			cmp.Or(bot.Reason, g.lapse.String()))
		if bot.Exit != "" {
			err = fmt.Errorf("%w; it ended with %s", err, bot.Exit)
		}
		return nil, &BotError{err, bot.LastLines}
	}
	report := &Report{Answers: bot.Answers, Time: bot.Time, Elapsed: end.Ended.Sub(end.Started)}
	g.compare(report)
	return report, nil
}

// spec describes the match, in which players have the ids of the recording. All seats but the
// bot's are taken, so that it gets none if it logs in with another role. The bot starts when begin
// is closed.
func (g *game) spec(begin <-chan struct{}) host.Spec {
	h := g.Reader().Header()
	recorded := &h.Seats[g.opts.Seat]
	return host.Spec{
		Game: games.Instance{New: func() engine.Game { return g }},
		Settings: match.Settings{
			Turns: h.Turns, Players: h.Players, Specials: h.Specials, DelayFirst: h.DelayFirst,
			DelayTurns: h.DelayTurns,
		},
		Pace:    match.PaceSpec{Limit: g.opts.TurnTimeout}.Pace,
		InOrder: true,
		Labels:  h.Labels,
		Seats: []seat.Spec{{
			Kind: seat.Process, Label: recorded.Nickname, Argv: g.opts.Argv, Stdio: g.opts.Stdio,
			Log:     g.opts.Log,
			Special: recorded.Special, Seed: recorded.Seed,
		}},
		Bots: seating.Options{
			Fill: &seating.Once{Begin: begin, NeedAll: true},
			Launch: seating.Launch{
				Timeout: g.opts.StartTimeout, Env: g.opts.Env, Isolate: g.opts.Isolate,
			},
		},
	}
}

func (g *game) role(id int) match.Role {
	if g.Reader().Header().Seats[id].Special {
		return match.Special
	}
	return match.Player
}

// idle is the seat of a player whose recorded answers are played.
type idle struct{}

func (idle) Welcome(*match.Place)                {}
func (idle) Begin(*match.Frame, engine.PlayerID) {}
func (idle) Offer(*match.Frame)                  {}
func (idle) Kick(error)                          {}
