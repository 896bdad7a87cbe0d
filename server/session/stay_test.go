package session

import (
	"net"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// lastMatch is a lobby of a series that is over.
type lastMatch struct{}

func (lastMatch) Join(match.Seat, match.Candidate) (*match.Place, error) {
	return nil, match.ErrPlayers
}
func (lastMatch) Wait(match.Seat, match.Candidate) bool { return false }
func (lastMatch) Forget(match.Seat, string)             {}

// watchedConn remembers how its peer is checked.
type watchedConn struct {
	net.Conn
	config net.KeepAliveConfig
}

func (c *watchedConn) SetKeepAliveConfig(config net.KeepAliveConfig) error {
	c.config = config
	return c.Conn.(*net.TCPConn).SetKeepAliveConfig(config)
}

// The system checks every half a minute whether a client that stays is still there; of other
// clients the connection is left as it is.
func TestKeepAlive(t *testing.T) {
	for stay, idle := range map[string]time.Duration{`,"stay":true`: 30 * time.Second, "": 0} {
		server, conn := pair(t)
		watched := &watchedConn{Conn: server}
		o := options(nil)
		o.Door = lastMatch{}
		served := make(chan struct{})
		go func() {
			defer close(served)
			New(OverTCP(watched), o).Serve()
		}()
		c := servertest.NewClient(t, conn)
		c.Send(`{"message_type":"LOGIN","nickname":"bot","role":"player","metaprotocol_version":"2.0.0"%s}`, stay)
		c.Until("KICK")
		c.Close()
		<-served
		if got := watched.config; got.Idle != idle || got.Enable != (idle > 0) {
			t.Errorf("LOGIN with %q: %+v, want idle %v", stay, got, idle)
		}
	}
}
