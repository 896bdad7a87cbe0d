package check

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/process"
)

// keptLines is the number of lines of what a bot prints that are kept: most tracebacks.
const keptLines = 30

// subject is the bot in one case: the process that was started for it, or the bot that listens at
// an address, and its connection.
type subject struct {
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

	mu      sync.Mutex
	printed []string
}

// start starts the bot, for which the server is at a host. An error means that it cannot be
// started.
func (s *subject) start(host string) (err error) {
	if s.Seat.Kind == seat.Address {
		return nil
	}
	if s.port, err = openPort(net.JoinHostPort(host, "0")); err != nil {
		return err
	}
	s.watchUsual()
	s.bot = process.Bot{
		Words: s.Seat.Argv, Stdio: s.Seat.Stdio, Host: host, Port: s.port.number(),
		Nickname: s.Seat.Nickname(), Seed: s.Seed,
		Env: s.Env, Line: s.print,
	}
	if s.Game.BotAPI && s.Seat.UsesPort() {
		if s.bot.Listen, err = process.FreePort(host); err != nil {
			return err
		}
	}
	if s.proc, err = s.bot.Start(); err == nil && s.bot.Listen != 0 {
		s.watchPort()
	}
	return err
}

// errPortTaken says that another program was faster to bind the port that the bot was given to
// listen on.
var errPortTaken = errors.New("the port of the bot was taken by another program")

// portTaken reports whether another program has the port that the bot, which has ended, was given
// to listen on.
func (s *subject) portTaken() bool {
	if s.bot.Listen == 0 {
		return false
	}
	l, err := net.Listen("tcp", addressOf(s.bot.Host, s.bot.Listen))
	if err == nil {
		_ = l.Close()
	}
	return err != nil
}

// watchPort waits for the bot to listen.
func (s *subject) watchPort() {
	s.listens = make(chan struct{})
	ctx, stop := context.WithCancel(s.ctx)
	s.unwatch = stop
	panics.Go(&s.reading, func() {
		if s.bot.Listens(ctx) {
			close(s.listens)
		}
	}, panics.Logged(quietLog, ""))
}

// print keeps a line that the bot prints.
func (s *subject) print(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.printed) == keptLines {
		s.printed = s.printed[1:]
	}
	s.printed = append(s.printed, line)
}

// output returns the last lines that the bot printed.
func (s *subject) output() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.printed...)
}

// close ends the bot and everything that was opened for it.
func (s *subject) close() {
	if s.unwatch != nil {
		s.unwatch()
	}
	if s.proc != nil {
		s.proc.Stop()
	}
	if s.packets != nil {
		s.packets.Close()
	}
	if s.peer != nil {
		s.peer.close()
	}
	for _, p := range []*port{s.port, s.usual} {
		if p != nil {
			p.close()
		}
	}
	s.dialer.Close()
	s.reading.Wait()
}

// watchUsual listens where bots connect that do not ask where the server is, if nothing else does.
func (s *subject) watchUsual() {
	if !s.first || s.UsualPort == 0 || s.Seat.Stdio {
		return
	}
	s.usual, _ = openPort(addressOf(s.host, s.UsualPort)) // an error means that it is in use
}

// advise adds an advice to the report.
func (s *subject) advise(key, format string, args ...any) {
	s.checker.add(key, s.about, fmt.Sprintf(format, args...), nil)
}
