package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// bot is who plays a seat. It belongs to the goroutine of Play.
type bot struct {
	seat     *Seat
	index    int // of the seat
	nickname string
	seed     uint64
	argv     []string // of a started bot: the command with nothing left to replace
	log      string   // of a started bot: where its output goes

	gone   <-chan struct{}    // closed when it has ended; nil if it was not started here
	proc   *launch.Process    // of a started bot
	cancel context.CancelFunc // of a built-in bot
	err    error              // of a built-in bot, once it is gone or the match is over

	remote string // where it called from, once it has logged in
	absent error  // why it did not
}

// seatStream is the stream of random numbers that seats' seeds are drawn from.
// Those of the match itself are far from it.
const seatStream = 1 << 62

func newBot(s *Seat, index int, seed uint64) *bot {
	// Seeds of 32 bits are numbers that every language can read.
	s.Seed = rand.New(rand.NewPCG(seed, seatStream+uint64(index))).Uint64() >> 32
	return &bot{seat: s, index: index, nickname: nickname(s.Label), seed: s.Seed}
}

func (b *bot) role() match.Role {
	if b.seat.Special {
		return match.Special
	}
	return match.Player
}

func (a *Arena) start(ctx context.Context, b *bot) error {
	switch {
	case a.troupe != nil:
		return a.startInProcess(b)
	case b.seat.Argv != nil:
		return a.startProcess(b)
	}
	return a.startBuiltin(ctx, b)
}

func (a *Arena) startProcess(b *bot) error {
	port := strconv.Itoa(a.Addr().Port)
	seed := strconv.FormatUint(b.seed, 10)
	places := strings.NewReplacer("{host}", a.host, "{port}", port, "{nickname}", b.nickname, "{seed}", seed)
	b.argv = nil
	for _, word := range b.seat.Argv {
		b.argv = append(b.argv, places.Replace(word))
	}
	if a.opts.Logs != "" {
		b.log = filepath.Join(a.opts.Logs, logName(b.index, b.seat.Label))
	}
	var line func(string)
	if a.opts.Printed != nil {
		line = func(text string) {
			if p := panics.Catch(func() { a.opts.Printed(b.seat, text) }); p != nil {
				a.opts.Log.Error().Str("nickname", b.nickname).EmbedObject(p).Msg("Showing what a bot prints failed")
			}
		}
	}
	p, err := launch.Start(launch.Command{
		Argv: b.argv,
		Env: []string{
			"BOT_HOST=" + a.host, "BOT_PORT=" + port, "BOT_NICKNAME=" + b.nickname, "BOT_SEED=" + seed,
			"PYTHONUNBUFFERED=1", // or a Python bot that is killed takes its last words along
		},
		Log:  b.log,
		Line: line,
	})
	if err != nil {
		return err
	}
	b.proc, b.gone = p, p.Done()
	return nil
}

// startBuiltin starts a bot of this process, which plays over TCP as any other.
func (a *Arena) startBuiltin(ctx context.Context, b *bot) error {
	player, err := a.opts.Builtin(b.seat.Builtin, b.seed)
	if err != nil {
		return err
	}
	login := netorcai.Login{Nickname: b.nickname, Role: netorcai.RolePlayer}
	if b.seat.Special {
		login.Role = netorcai.RoleSpecialPlayer
	}
	addr := net.JoinHostPort(a.host, strconv.Itoa(a.Addr().Port))
	// Not ended with the match's context: a bot that leaves before the match is
	// over would be one that left early.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	gone := make(chan struct{})
	b.gone, b.cancel = gone, cancel
	go func() { // one that panics harms nobody but itself, as if it were a process
		defer close(gone)
		defer cancel()
		if p := panics.Catch(func() { b.err = playBuiltin(ctx, addr, login, player) }); p != nil {
			b.err = p
		}
	}()
	return nil
}

// playBuiltin logs a bot in and lets it play.
func playBuiltin(ctx context.Context, addr string, login netorcai.Login, player netorcai.Bot) error {
	c, err := netorcai.Dial(ctx, addr, login)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Play(ctx, player)
}

// settleTime is how long to wait for the login of a bot that is gone already:
// it may still be on its way.
const settleTime = 100 * time.Millisecond

// await waits until a bot has logged in, or says why it did not; then it is not
// there any more.
func (a *Arena) await(ctx context.Context, b *bot) error {
	patience := time.NewTimer(a.opts.StartTimeout)
	defer patience.Stop()
	var failure error
	for failure == nil {
		select {
		case s := <-a.book.moved:
			if s.Connected && s.Role == b.role() {
				b.remote = s.Remote
				return nil
			}
		case <-b.gone:
			failure = errors.New(b.exit() + " before it had logged in")
		case <-patience.C:
			failure = fmt.Errorf("no login within %v", a.opts.StartTimeout)
		case <-ctx.Done():
			failure = context.Cause(ctx)
		}
	}
	b.stop()
	if ctx.Err() != nil {
		return failure
	}
	late := time.NewTimer(settleTime)
	defer late.Stop()
	for {
		select {
		case s := <-a.book.moved:
			if s.Connected && s.Role == b.role() {
				b.remote = s.Remote
				return nil
			}
		case <-late.C:
			return failure
		}
	}
}

// stop ends the bot, if it was started, and returns when it is gone.
func (b *bot) stop() {
	switch {
	case b.proc != nil:
		b.proc.Stop(heedTime)
	case b.cancel != nil:
		b.cancel()
		<-b.gone
	}
}

// exit says how a bot that is gone has ended.
func (b *bot) exit() string {
	switch {
	case b.proc != nil:
		return b.proc.Exit().String()
	case b.err != nil:
		return b.err.Error()
	}
	return "it ended"
}
