package session

import (
	"bufio"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/machine/netconn"
)

// methods are the first four bytes of HTTP requests. Each of them would be far too large
// as the size of a netorcai frame, so no netorcai client is mistaken for a browser.
var methods = []string{"GET ", "HEAD", "POST", "PUT ", "PATC", "DELE", "OPTI"}

// BeginsHTTP reports whether a connection with these first four bytes sends an HTTP request.
func BeginsHTTP(first []byte) bool { return slices.Contains(methods, string(first)) }

// tlsHandshake is how every version of TLS begins, which is too large a size as well.
const tlsHandshake = "\x16\x03"

// forWeb reports whether a connection with these first bytes belongs to the web server.
func (s *Session) forWeb(first []byte) bool {
	return BeginsHTTP(first) || s.opts.WebTLS && strings.HasPrefix(string(first), tlsHandshake)
}

// handOver passes a connection that begins with an HTTP request, or with TLS if WebTLS is
// set, to the web server, if there is one. It reports whether it did.
func (s *Session) handOver() bool {
	c, ok := s.conn.(*tcp)
	if !ok || s.opts.Web == nil {
		return false
	}
	first, err := c.in.Peek(4)
	if err != nil && c.in.Buffered() == 0 {
		s.mu.Lock()
		s.spare = true
		s.mu.Unlock()
	}
	if err != nil || !s.forWeb(first) {
		return false // reading the LOGIN reports the error
	}
	s.mu.Lock()
	kicked := s.state == gone
	s.markGone("")
	s.mu.Unlock()
	if kicked {
		return false
	}
	_ = c.SetReadDeadline(time.Time{})
	s.opts.Web(&peeked{c.Wrapped, c.in})
	return true
}

// peeked is a connection whose first bytes were read ahead.
type peeked struct {
	netconn.Wrapped
	in *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.in.Read(b) }
