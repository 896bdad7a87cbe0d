package arena

import (
	"net"

	"github.com/hexarena/hexarena/server/panics"
)

// portFor returns the port that a started bot is told to call: the server's, or one
// of its own if the process behind a connection cannot be found.
func (a *Arena) portFor(b *bot) (int, error) {
	if a.claims.traced {
		return a.Addr().Port, nil
	}
	l, err := net.Listen("tcp", net.JoinHostPort(a.host, "0"))
	if err != nil {
		return 0, err
	}
	b.port = l
	panics.Go(&a.ports, func() { a.acceptFor(b) }, panics.Logged(a.opts.Log, "Accepting a bot's connections failed"))
	return l.Addr().(*net.TCPAddr).Port, nil
}

// acceptFor takes in the connections to a bot's own port until it is closed. An
// error of another kind, such as too many open files, ends it as well: the bot has
// one connection to make.
func (a *Arena) acceptFor(b *bot) {
	for {
		conn, err := b.port.Accept()
		if err != nil {
			return
		}
		panics.Go(&a.ports, func() {
			defer a.claims.expect(conn.RemoteAddr().String(), b)()
			a.rooms.Take(conn)
		}, func(p *panics.Error) {
			panics.Logged(a.opts.Log, "Taking a connection in failed")(p)
			_ = conn.Close()
		})
	}
}

// closePorts closes the bots' own ports, and waits until their connections are over.
func (a *Arena) closePorts() {
	for _, b := range a.bots {
		if b.port != nil {
			_ = b.port.Close()
		}
	}
	a.ports.Wait()
}
