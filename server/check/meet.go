package check

import (
	"context"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/session"
)

// meet waits until the bot has a connection, over whatever wire.
func (s *subject) meet() error {
	switch {
	case s.Seat.Kind == seat.Address:
		return s.dial(s.Seat.URL)
	case s.Seat.Stdio:
		s.peer = newPeer(session.OverStdio(s.proc.Stdio.Out, s.proc.Stdio.In, "stdio"),
			"netorcai on its standard input and output")
		s.peer.raw, s.peer.lines = s.proc.Stdio.In, true
		panics.Go(&s.reading, s.peer.read, panics.Logged(quietLog, ""))
		return nil
	}
	var usual chan arrival
	if s.usual != nil {
		usual = s.usual.arrivals
	}
	late := time.After(s.StartTimeout)
	select {
	case a := <-s.port.arrivals:
		return s.take(a)
	case <-s.listens:
		return s.dial(s.bot.Address())
	case a := <-usual:
		a.close()
		return failed("hard-coded-port",
			"It connected to port %d, not to port %d, which BOT_PORT and {port} name.", s.usual.number(),
			s.port.number())
	case <-s.proc.Done():
		select {
		case a := <-s.port.arrivals:
			return s.take(a)
		case <-time.After(s.hush):
		}
		if s.portTaken() {
			return errPortTaken
		}
		return s.ended("before it had logged in")
	case <-late:
		return s.never()
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// never returns why there is no login of a bot that runs.
func (s *subject) never() error {
	select {
	case <-s.port.connected:
		return failed("silent-login", "It connected and sent no LOGIN within %v.", s.StartTimeout)
	default:
		return failed("never-connects",
			"It did not connect to port %d, which BOT_PORT and {port} name, within %v.", s.port.number(),
			s.StartTimeout)
	}
}

// take makes a connection that of the bot.
func (s *subject) take(a arrival) error {
	s.peer, s.packets = a.peer, a.packets
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
func (s *subject) ended(when string) error {
	if s.proc == nil {
		return failed("left", "It closed the connection %s.", when)
	}
	select {
	case <-s.proc.Done():
	case <-time.After(settleTime):
		return failed("left", "It closed the connection %s, and runs on.", when)
	}
	if e := s.proc.Exit(); e.Crashed() {
		return failed("crash", "It ended with %s %s.", e, when)
	}
	return failed("left", "It ended, with exit code 0, %s.", when)
}

// gone waits until the bot has ended, after the last message.
func (s *subject) gone(key, what string) error {
	if s.proc == nil {
		return nil
	}
	select {
	case <-s.proc.Done():
		return nil
	case <-time.After(s.TurnTimeout):
		return failed(key, "It still ran %v after %s.", s.TurnTimeout, what)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// meetNetorcai waits until the bot has a connection that carries netorcai's messages.
func (s *subject) meetNetorcai() error {
	if err := s.meet(); err != nil {
		return err
	}
	if s.peer == nil {
		return failed("other-wire",
			"It speaks the HTTTX Bot API now, and spoke netorcai's protocol before.")
	}
	return nil
}

// meetPackets waits until the bot has a connection that carries packets.
func (s *subject) meetPackets() error {
	if err := s.meet(); err != nil {
		return err
	}
	if s.packets == nil {
		return failed("other-wire",
			"It speaks netorcai's protocol now, and spoke the HTTTX Bot API before.")
	}
	return nil
}

// dial connects to a bot that listens at an address.
func (s *subject) dial(address string) error {
	if s.first {
		s.readCapabilities(address)
	}
	peer, err := s.dialer.Dial(s.ctx, address)
	if err != nil {
		return failed("no-socket", "It cannot be dialled: %v.", err)
	}
	s.packets = peer
	return nil
}

// readCapabilities advises a bot whose capabilities servers cannot use.
func (s *subject) readCapabilities(address string) {
	from, err := htttx.CapabilitiesURL(address)
	if err != nil {
		return // the seat was parsed
	}
	ctx, stop := context.WithTimeout(s.ctx, fetchTime)
	defer stop()
	caps, err := fetchCapabilities(ctx, from.String())
	if err != nil {
		s.advise("capabilities", "%s: %v.", from.Redacted(), err)
	}
	for _, warning := range caps.Warnings {
		s.advise("capabilities-field", "%s: %s.", from.Redacted(), warning)
	}
}
