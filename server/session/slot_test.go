package session

import (
	"errors"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// closedDoor fails the test if a client asks for a seat.
type closedDoor struct{ t *testing.T }

func (d closedDoor) Join(_ match.Seat, c match.Candidate) (*match.Place, error) {
	d.t.Errorf("%s takes a seat", c.Nickname)
	return nil, errors.New("no seat")
}

// A client whose connection is dropped to make room while it logs in gets no seat.
func TestDroppedWhileLoggingIn(t *testing.T) {
	server, conn := pair(t)
	o := options(nil)
	port := limits.NewConnections(0, zerolog.Nop()).Port(limits.PortLimits{Connections: 1})
	o.Door = closedDoor{t}
	o.Slot, _ = port.Admit("192.0.2.1:1")
	_, _ = port.Admit("192.0.2.1:2") // gets its place
	served := make(chan struct{})
	go func() {
		defer close(served)
		New(OverTCP(server), o).Serve()
	}()
	c := servertest.NewClient(t, conn)
	c.SendLogin("bot", "player")
	c.ExpectKick("Too many connections")
	c.Close()
	<-served
}
