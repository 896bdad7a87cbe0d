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
	"github.com/hexarena/hexarena/server/seat"
)

// bot is who plays a seat. It belongs to the goroutine of Play, but for what says
// otherwise.
type bot struct {
	seat     *seat.Spec
	index    int // of the seat
	nickname string
	seed     uint64
	argv     []string // of a started bot: the command with nothing left to replace
	log      string   // of a started bot: where its output goes

	gone   <-chan struct{}    // closed when it has ended; nil if it was not started here
	proc   *launch.Process    // of a started bot; guarded by the claims
	port   net.Listener       // a port of its own, by which its login is known; nil: none
	cancel context.CancelFunc // of a built-in bot
	err    error              // of a built-in bot, once it is gone or the match is over

	remote string // where it called from, once it has logged in; the match's from its start on
	absent error  // why it did not

	origins
}

// origins are what was noticed of where logins for a bot's seat, and the bot's own,
// came from. They are guarded by the claims until the match is over.
type origins struct {
	untraced bool   // the login that has its seat cannot be traced to its process
	alias    string // the nickname that it gave, if that is another bot's
	usurped  bool   // another process had its seat, or has it, when its own logged in
	denied   int    // logins of its process that were refused a seat
	deniedAs string // the nickname of the first of these
	rejected int    // logins for its seat that were refused, since the match is strict
}

// seatStream is the stream of random numbers that seats' seeds are drawn from.
// Those of the match itself are far from it.
const seatStream = 1 << 62

func newBot(s *seat.Spec, index int, seed uint64) *bot {
	// Seeds of 32 bits are numbers that every language can read.
	s.Seed = rand.New(rand.NewPCG(seed, seatStream+uint64(index))).Uint64() >> 32
	return &bot{seat: s, index: index, nickname: s.Nickname(), seed: s.Seed}
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
	case b.seat.Kind == seat.Process:
		return a.startProcess(b)
	}
	return a.startBuiltin(ctx, b)
}

func (a *Arena) startProcess(b *bot) error {
	number, err := a.portFor(b)
	if err != nil {
		return err
	}
	port := strconv.Itoa(number)
	seed := strconv.FormatUint(b.seed, 10)
	places := strings.NewReplacer("{host}", a.host, "{port}", port, "{nickname}", b.nickname, "{seed}", seed)
	b.argv = nil
	for _, word := range b.seat.Argv {
		b.argv = append(b.argv, places.Replace(word))
	}
	if a.opts.Logs != "" {
		b.log = filepath.Join(a.opts.Logs, b.seat.LogName(b.index))
	}
	var line func(string)
	if a.opts.Printed != nil {
		line = func(text string) {
			if p := panics.Catch(func() { a.opts.Printed(b.seat, text) }); p != nil {
				a.opts.Log.Error().Str("nickname", b.nickname).EmbedObject(p).Msg("Showing what a bot prints failed")
			}
		}
	}
	return a.claims.launch(b, launch.Command{
		Argv: b.argv,
		Env: []string{
			"BOT_HOST=" + a.host, "BOT_PORT=" + port, "BOT_NICKNAME=" + b.nickname, "BOT_SEED=" + seed,
			"PYTHONUNBUFFERED=1", // or a Python bot that is killed takes its last words along
		},
		Log:  b.log,
		Line: line,
	})
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
		if p := panics.Catch(func() { b.err = a.playBuiltin(ctx, addr, login, b, player) }); p != nil {
			b.err = p
		}
	}()
	return nil
}

// playBuiltin logs a bot in and lets it play.
func (a *Arena) playBuiltin(ctx context.Context, addr string, login netorcai.Login, b *bot, player netorcai.Bot) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer a.claims.expect(conn.LocalAddr().String(), b)()
	c, err := netorcai.NewClient(ctx, conn, login)
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
		case s := <-a.logins.moved:
			if a.seated(b, s) {
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
	failure = a.explain(b, failure)
	late := time.NewTimer(settleTime)
	defer late.Stop()
	for {
		select {
		case s := <-a.logins.moved:
			if a.seated(b, s) {
				return nil
			}
		case <-late.C:
			return failure
		}
	}
}

// explain adds to why a started bot has no seat what may be the reason.
func (a *Arena) explain(b *bot, failure error) error {
	if b.proc == nil {
		return failure
	}
	if n := a.claims.rejections(b); n > 0 {
		return fmt.Errorf("%w; logins for its seat that were refused, since they cannot be traced to its process: %d", failure, n)
	}
	if asked := a.opts.Port; asked != 0 && asked != a.Addr().Port {
		return fmt.Errorf("%w; port %d is in use, so that the bot has to take its port from {port} or BOT_PORT", failure, asked)
	}
	return failure
}

// seated takes note of a seat that was taken, and reports whether it is b's.
func (a *Arena) seated(b *bot, s match.SeatInfo) bool {
	if !s.Connected || a.troupe == nil && a.claims.remote(b) != s.Remote {
		return false
	}
	b.remote = s.Remote
	return true
}

// ended reports whether the bot's process or goroutine is gone.
func (b *bot) ended() bool {
	select {
	case <-b.gone:
		return true
	default:
		return false
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
