package netconn

import (
	"crypto/tls"
	"io"
	"net"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// Bytes in the peer's system are acknowledged, read or not, and bytes that it has no room
// for are not; also through wrapped connections.
func TestUnacked(t *testing.T) {
	thorough.Long(t)
	l := servertest.Listen(t)
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	wrapped := Wrapped{tls.Server(Wrapped{conn}, &tls.Config{})}
	unacked := func() int {
		bytes, known := Unacked(wrapped)
		if !known {
			t.Fatal("Unacked is not known")
		}
		return bytes
	}
	if _, err := conn.Write([]byte("end")); err != nil {
		t.Fatal(err)
	}
	for unacked() > 0 { // the peer's program does not read
		time.Sleep(time.Millisecond)
	}
	// until the peer has no room; on a busy machine the deadline can come earlier
	for written := 0; unacked() == 0; {
		_ = conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		n, err := conn.Write(make([]byte, 64<<20))
		if written += n; err == nil || written > 64<<20 {
			t.Fatal("64 MiB were written though the peer does not read")
		}
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	if _, err := io.Copy(io.Discard, client); err != nil {
		t.Fatal(err)
	}
	for unacked() > 0 {
		time.Sleep(time.Millisecond)
	}
}

func TestUnackedUnknown(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if bytes, known := Unacked(a); known || bytes != 0 {
		t.Errorf("Unacked of a pipe = %d, %v", bytes, known)
	}
}
