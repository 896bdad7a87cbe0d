package natsqueue

import (
	"crypto/ed25519"
	"io"
	"net"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// A connection whose TLS handshake fails is closed before the next one is made.
func TestFailedHandshakesAreClosed(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	l := servertest.Listen(t)
	dialled := make(chan *Client, 1)
	go func() { // it tries once before it returns
		c, err := Dial(Address{Servers: "tls://worker:secret@" + l.Addr().String(), Key: make(ed25519.PublicKey, ed25519.PublicKeySize), pinned: true}, "id")
		if err != nil {
			t.Error(err)
		}
		dialled <- c
	}()
	var before net.Conn
	for range 3 {
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Read(make([]byte, 1)); err != nil { // of the client's first message
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "no TLS, not even a record\r\n"); err != nil {
			t.Fatal(err)
		}
		if before != nil {
			if _, err := io.Copy(io.Discard, before); err != nil {
				t.Errorf("the connection before is not closed: %v", err)
			}
		}
		before = conn
	}
	c := <-dialled
	defer c.Close()
	if c.Trouble() == nil {
		t.Error("the client does not say why there is no connection")
	}
}
