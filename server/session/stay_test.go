package session

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
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
		c.Send(
			`{"message_type":"LOGIN","nickname":"bot","role":"player","metaprotocol_version":"2.0.0"%s}`,
			stay)
		c.Until("KICK")
		c.Close()
		<-served
		if got := watched.config; got.Idle != idle || got.Enable != (idle > 0) {
			t.Errorf("LOGIN with %q: %+v, want idle %v", stay, got, idle)
		}
	}
}

// toldLobby is a lobby that tells which clients wait in it, and leave it.
type toldLobby struct {
	lastMatch
	waits     chan match.Seat
	forgotten chan struct{} // closed when a client leaves
}

func (l toldLobby) Wait(seat match.Seat, _ match.Candidate) bool {
	l.waits <- seat
	return true
}
func (l toldLobby) Forget(match.Seat, string) { close(l.forgotten) }

// A client that stays is dropped if it reads nothing over several matches.
func TestReadingNothing(t *testing.T) {
	server, conn := pair(t)
	o := options(nil)
	lobby := toldLobby{waits: make(chan match.Seat, 1), forgotten: make(chan struct{})}
	o.Door = lobby
	served := make(chan struct{})
	go func() {
		defer close(served)
		New(OverTCP(server), o).Serve()
	}()
	login, err := netorcai.EndFrame(append(netorcai.BeginFrame(nil), `{"message_type":"LOGIN",`+
		`"nickname":"bot","role":"player","metaprotocol_version":"2.0.0","stay":true}`...), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(login); err != nil {
		t.Fatal(err)
	}
	s := (<-lobby.waits).(*Session)
	for range maxQueued + 2 {
		s.deliver("", make([]byte, 8<<20)) // more than a socket takes
	}
	<-lobby.forgotten
	conn.Close()
	<-served
}

// A client that hangs up as its match ends does not wait for the next one: it would be given
// a seat.
func TestHangingUpAtTheEnd(t *testing.T) {
	m := match.New(
		match.Options{
			Settings: match.Settings{Players: 2}, Referee: match.Local(&idleGame{}), Log: zerolog.Nop(),
		},
	)
	ctx, stop := context.WithCancel(t.Context())
	ended, served := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		m.Run(ctx)
	}()
	server, conn := pair(t)
	l := toldLobby{waits: make(chan match.Seat, 2), forgotten: make(chan struct{})}
	o := options(nil)
	o.Door = l
	s := New(OverTCP(server), o)
	go func() {
		defer close(served)
		s.Serve()
	}()
	c := servertest.NewClient(t, conn)
	c.Send(`{"message_type":"LOGIN","nickname":"bot","role":"player","metaprotocol_version":"2.0.0","stay":true}`)
	c.Expect("LOGIN_ACK")
	if _, err := m.Join(<-l.waits, match.Candidate{Nickname: "bot", Remote: "192.0.2.1:1"}); err != nil {
		t.Fatal(err)
	}
	c.Close()
	<-l.forgotten
	s.Kick(match.ErrFinished)
	if len(l.waits) > 0 {
		t.Error("it waits for the next match")
	}
	<-served
	stop()
	<-ended
}
