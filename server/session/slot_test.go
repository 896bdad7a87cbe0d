package session

import (
	"errors"
	"testing"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// lostSlot is a slot that is given to another connection while the client logs in.
type lostSlot struct{}

func (lostSlot) Keep() bool { return false }
func (lostSlot) Leave()     {}

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
	o.Door, o.Slot = closedDoor{t}, lostSlot{}
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
