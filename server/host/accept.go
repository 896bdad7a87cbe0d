package host

import (
	"errors"
	"net"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/session"
)

// refusalTime bounds the writing of a refusal.
const refusalTime = 100 * time.Millisecond

// open begins to take connections in, when it is first called.
func (h *Host) open() {
	h.accepting.Do(func() {
		panics.Go(&h.running, func() { h.lobby.seatWaiting(h.life.Done()) },
			panics.Logged(h.log, "Seating clients failed"))
		if h.listener != nil {
			h.accepted.Add(1)
			h.running.Go(func() {
				defer h.accepted.Done()
				h.accept(h.listener)
			})
		}
	})
}

// accept takes connections in until the listener is closed.
func (h *Host) accept(l net.Listener) {
	const shortest, longest, silence = 5 * time.Millisecond, time.Second, time.Minute
	pause := shortest
	var told time.Time // why a connection cannot be accepted
	for {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			if h.opts.Netorcai {
				h.log.Warn().Err(err).Msg("Could not accept incoming connection. Aborting server.")
			}
			return
		case err != nil: // such as: no more descriptors; some will be free again
			if now := time.Now(); now.Sub(told) > silence {
				told = now
				h.log.Error().Err(err).Msg("Cannot accept connections")
			}
			select {
			case <-time.After(pause):
			case <-h.life.Done():
			}
			pause = min(2*pause, longest)
			continue
		}
		pause = shortest
		h.enterTCP(conn)
	}
}

// closePort stops accepting connections, and logs that as the program netorcai does.
func (h *Host) closePort() {
	h.log.Warn().Msg("Closing listening socket.")
	_ = h.listener.Close()
	h.accepted.Wait()
}

// enterTCP serves a connection in a goroutine of its own, if it is admitted. A panic
// closes the connection.
func (h *Host) enterTCP(conn net.Conn) {
	failed := func(p *panics.Error) {
		panics.Logged(h.log, "Taking a connection in failed")(p)
		_ = conn.Close()
	}
	var slot *limits.Slot
	if p := panics.Catch(func() { slot = h.slotFor(conn) }); p != nil {
		failed(p)
		return
	}
	if slot != nil {
		panics.Go(&h.running, func() {
			defer slot.Release()
			h.serve(session.OverTCP(conn), slot, h.session.Gate, door{lobby: &h.lobby})
		}, failed)
	}
}

// slotFor returns the slot of a connection, or nil if it is refused: then it is told why,
// which does not wait since nothing was written before, and closed. It is called
// before the next connection is accepted, so that those that are not counted yet take
// no descriptors.
func (h *Host) slotFor(conn net.Conn) *limits.Slot {
	slot, refusal := h.conns.Admit(conn.RemoteAddr().String())
	if refusal != "" {
		h.session.Meter.Refused(refusal)
		refuse(conn, refusal)
		return nil
	}
	// Until it has a session.
	slot.OnEvict(func() { refuse(conn, limits.TooMany) }, func() { _ = conn.Close() })
	return slot
}

// refuse closes a connection that has no session, and says why.
func refuse(conn net.Conn, why string) {
	_ = conn.SetWriteDeadline(time.Now().Add(refusalTime))
	_, _ = conn.Write(netorcai.AppendKick(nil, why))
	_ = conn.Close()
}
