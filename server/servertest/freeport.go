package servertest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreePort returns a port on which no process listens. It is below those that systems give out by
// themselves, from 32768 on Linux and from 49152 elsewhere: a server that is started there later,
// or again, finds that no connection of another process has got it meanwhile.
func FreePort() (port int, err error) {
	const first, end = 20000, 32768
	const tries = 100 // others are few, so that the second one mostly succeeds
	for range tries {
		var l net.Listener
		port = first + rand.IntN(end-first)
		if l, err = net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

// FreeAddress returns an address of this machine with a free port.
func FreeAddress(t testing.TB) string {
	t.Helper()
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("127.0.0.1:", port)
}
