package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// run is the bot in one case: the process that was started for it, or the bot that listens at an
// address, and its connection. It belongs to one goroutine.
type run struct {
	*checker
	about   string // the case
	ctx     context.Context
	port    *port
	usual   *port // that bots try which do not ask where the server is; nil in most cases
	bot     process.Bot
	proc    *process.Process // nil: it was not started here
	reading sync.WaitGroup
	listens chan struct{}      // closed when it answers where it may listen; nil: it may not
	unwatch context.CancelFunc // ends the waiting for that

	peer    *peer        // that speaks netorcai's protocol
	packets *botapi.Peer // that speaks the HTTTX Bot API
	dialer  *botapi.Dialer
	login   netorcai.Login
	used    int64 // bytes of the messages that were read
	table   *table
	match   int    // number of the match that was begun last
	seed    uint64 // that it was told
	asked   int    // number of the newest TURN, -1 before the first
	actions []string
	skip    int                 // how many numbers are left out from one TURN to the next
	dress   func([]byte) []byte // changes the JSON of each message; nil: it is sent as usual
	send    func([]byte) error  // sends a frame

	mu      sync.Mutex
	printed []string
}

// failure is what a bot did wrong.
type failure struct {
	key  string // of the fault, in ordinary play
	what string // a sentence
}

func (f *failure) Error() string { return f.what }

func failed(key, format string, args ...any) error {
	return &failure{key, fmt.Sprintf(format, args...)}
}

// keptLines is the number of lines of what a bot prints that are kept: most tracebacks.
const keptLines = 30

// newRun returns the bot in one case. The caller must close it.
func (c *checker) newRun(ctx context.Context, about string) *run {
	r := &run{checker: c, ctx: ctx, about: about, asked: -1, dialer: botapi.NewDialer(false, quietLog)}
	r.send = func(frame []byte) error { return r.peer.send(frame, c.TurnTimeout) }
	return r
}

// start starts the bot, for which the server is at a host. An error means that it cannot be
// started.
func (r *run) start(host string) (err error) {
	if r.Seat.Kind == seat.Address {
		return nil
	}
	if r.port, err = openPort(net.JoinHostPort(host, "0")); err != nil {
		return err
	}
	r.watchUsual()
	r.bot = process.Bot{
		Words: r.Seat.Argv, Stdio: r.Seat.Stdio, Host: host, Port: r.port.number(),
		Nickname: r.Seat.Nickname(), Seed: r.Seed,
		Env: r.Env, Line: r.print,
	}
	if r.Game.BotAPI && r.Seat.UsesPort() {
		if r.bot.Listen, err = process.FreePort(host); err != nil {
			return err
		}
	}
	if r.proc, err = r.bot.Start(); err == nil && r.bot.Listen != 0 {
		r.watchPort()
	}
	return err
}

// errPortTaken says that another program was faster to bind the port that the bot was given to
// listen on.
var errPortTaken = errors.New("the port of the bot was taken by another program")

// portTaken reports whether another program has the port that the bot, which has ended, was given
// to listen on.
func (r *run) portTaken() bool {
	if r.bot.Listen == 0 {
		return false
	}
	l, err := net.Listen("tcp", addressOf(r.bot.Host, r.bot.Listen))
	if err == nil {
		_ = l.Close()
	}
	return err != nil
}

// watchPort waits for the bot to listen.
func (r *run) watchPort() {
	r.listens = make(chan struct{})
	ctx, stop := context.WithCancel(r.ctx)
	r.unwatch = stop
	panics.Go(&r.reading, func() {
		if r.bot.Listens(ctx) {
			close(r.listens)
		}
	}, panics.Logged(quietLog, ""))
}

// print keeps a line that the bot prints.
func (r *run) print(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.printed) == keptLines {
		r.printed = r.printed[1:]
	}
	r.printed = append(r.printed, line)
}

// output returns the last lines that the bot printed.
func (r *run) output() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.printed...)
}

// close ends the bot and everything that was opened for it.
func (r *run) close() {
	if r.unwatch != nil {
		r.unwatch()
	}
	if r.proc != nil {
		r.proc.Stop()
	}
	if r.packets != nil {
		r.packets.Close()
	}
	if r.peer != nil {
		r.peer.close()
	}
	for _, p := range []*port{r.port, r.usual} {
		if p != nil {
			p.close()
		}
	}
	r.dialer.Close()
	r.reading.Wait()
}

// meet waits until the bot has a connection, over whatever wire.
func (r *run) meet() error {
	switch {
	case r.Seat.Kind == seat.Address:
		return r.dial(r.Seat.URL)
	case r.Seat.Stdio:
		r.peer = newPeer(session.OverStdio(r.proc.Stdio.Out, r.proc.Stdio.In, "stdio"),
			"netorcai on its standard input and output")
		r.peer.raw, r.peer.lines = r.proc.Stdio.In, true
		panics.Go(&r.reading, r.peer.read, panics.Logged(quietLog, ""))
		return nil
	}
	var usual chan arrival
	if r.usual != nil {
		usual = r.usual.arrivals
	}
	late := time.After(r.StartTimeout)
	select {
	case a := <-r.port.arrivals:
		return r.take(a)
	case <-r.listens:
		return r.dial(r.bot.Address())
	case a := <-usual:
		a.close()
		return failed("hard-coded-port",
			"It connected to port %d, not to port %d, which BOT_PORT and {port} name.", r.usual.number(),
			r.port.number())
	case <-r.proc.Done():
		select {
		case a := <-r.port.arrivals:
			return r.take(a)
		case <-time.After(r.hush):
		}
		if r.portTaken() {
			return errPortTaken
		}
		return r.ended("before it had logged in")
	case <-late:
		return r.never()
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// never returns why there is no login of a bot that runs.
func (r *run) never() error {
	select {
	case <-r.port.connected:
		return failed("silent-login", "It connected and sent no LOGIN within %v.", r.StartTimeout)
	default:
		return failed("never-connects",
			"It did not connect to port %d, which BOT_PORT and {port} name, within %v.", r.port.number(),
			r.StartTimeout)
	}
}

// take makes a connection that of the bot.
func (r *run) take(a arrival) error {
	r.peer, r.packets = a.peer, a.packets
	if a.err != nil {
		return failed("dial-in", "It connected to /htttx/session, and its first packet was refused: %v.",
			a.err)
	}
	return nil
}

// settleTime is the time that what a bot has sent may take to arrive once its process has ended,
// and how long its process may take to end once its connection has.
const settleTime = 5 * time.Second

// ended returns why the connection of a bot is over whose process has ended, or is about to. when
// completes the sentence.
func (r *run) ended(when string) error {
	if r.proc == nil {
		return failed("left", "It closed the connection %s.", when)
	}
	select {
	case <-r.proc.Done():
	case <-time.After(settleTime):
		return failed("left", "It closed the connection %s, and runs on.", when)
	}
	if e := r.proc.Exit(); e.Crashed() {
		return failed("crash", "It ended with %s %s.", e, when)
	}
	return failed("left", "It ended, with exit code 0, %s.", when)
}

// moment says where in a match the bot is.
func (r *run) moment() string {
	switch {
	case r.table == nil:
		return "before it had logged in"
	case r.match == 0:
		return "before the match started"
	case r.asked < 0:
		return "after GAME_STARTS"
	}
	return "after TURN " + strconv.Itoa(r.asked)
}

// next returns the next message of the bot, or errSilent if none comes within a time.
func (r *run) next(limit time.Duration) (message, error) {
	select {
	case m := <-r.peer.incoming:
		if m.err != nil {
			return m, r.lost(m.err)
		}
		r.used = m.used
		return m, nil
	case <-time.After(limit):
		return message{}, errSilent
	case <-r.ctx.Done():
		return message{}, context.Cause(r.ctx)
	}
}

// lost returns what a bot did wrong from which no message can be read any more.
func (r *run) lost(err error) error {
	var size *netorcai.SizeError
	var broken *netorcai.ReadError
	switch {
	case errors.As(err, &size):
		return failed("answer-size", "It announced a message of %d bytes %s; the limit is %d.", size.Size,
			r.moment(), size.Limit)
	case !errors.As(err, &broken):
		return failed("answer-unreadable", "%s: %v.", r.moment(), err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.ended(r.moment() + ", in the middle of a message")
	}
	return r.ended(r.moment())
}

// quiet returns a failure with that key if the bot sends something within a time.
func (r *run) quiet(d time.Duration, key, when string) error {
	m, err := r.next(d)
	switch {
	case err == nil:
		return failed(key, "It sent %s %s.", shown(m.content), when)
	case err == errSilent:
		return nil
	}
	return err
}

// gone waits until the bot has ended, after the last message.
func (r *run) gone(key, what string) error {
	if r.proc == nil {
		return nil
	}
	select {
	case <-r.proc.Done():
		return nil
	case <-time.After(r.TurnTimeout):
		return failed(key, "It still ran %v after %s.", r.TurnTimeout, what)
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}
