package session

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// A session reads the same bytes and the same error as the connection's Read returns.
func TestDirectReader(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(server, client *net.TCPConn) error
	}{
		{"closed", func(_, client *net.TCPConn) error { return client.Close() }},
		{"half closed", func(_, client *net.TCPConn) error { return client.CloseWrite() }},
		{"reset", func(_, client *net.TCPConn) error {
			_ = client.SetLinger(0)
			return client.Close()
		}},
		{"deadline", func(server, _ *net.TCPConn) error { return server.SetReadDeadline(longAgo) }},
		{"closed here", func(server, _ *net.TCPConn) error { return server.Close() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			read := func(reader func(net.Conn) io.Reader) string {
				server, client := pair(t)
				in := reader(server)
				sent := make(chan error, 1)
				go func() {
					var err error
					for n := 0; n < 1000 && err == nil; n++ {
						_, err = fmt.Fprintf(client, "fragment %d ", n)
					}
					sent <- err
				}()
				var got strings.Builder
				buf := make([]byte, 7)
				for !strings.HasSuffix(got.String(), " 999 ") {
					n, err := in.Read(buf)
					if err != nil {
						t.Fatal(err)
					}
					got.Write(buf[:n])
				}
				if err := <-sent; err != nil {
					t.Fatal(err)
				}
				if err := test.end(server.(*net.TCPConn), client.(*net.TCPConn)); err != nil {
					t.Fatal(err)
				}
				n, err := in.Read(buf)
				text := fmt.Sprintf("%s%d %T %v", &got, n, err, err)
				return strings.ReplaceAll(text, client.LocalAddr().String(), "CLIENT")
			}
			want := read(func(c net.Conn) io.Reader { return c })
			addr := func(s string) string { // the servers' ports differ
				before, after, found := strings.Cut(s, "127.0.0.1:")
				if _, rest, more := strings.Cut(after, "->"); found && more {
					return before + rest
				}
				return s
			}
			if got := read(readerOf); addr(got) != addr(want) {
				t.Errorf("read %q, want %q", got[len(got)-80:], want[len(want)-80:])
			}
		})
	}
}
