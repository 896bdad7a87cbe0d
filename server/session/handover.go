package session

import (
	"bufio"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/netconn"
)

// methods are how HTTP requests begin. As the size of a netorcai frame each of
// them would be far too large, so that nobody is mistaken for a browser.
var methods = []string{"GET ", "HEAD", "POST", "PUT ", "PATC", "DELE", "OPTI"}

// handshake is how TLS begins, of any version, which is too large as well.
const handshake = "\x16\x03"

// forWeb says whether a connection that begins so is for the web server.
func (s *Session) forWeb(first []byte) bool {
	return slices.Contains(methods, string(first)) || s.opts.WebTLS && strings.HasPrefix(string(first), handshake)
}

// handOver gives a connection that begins with an HTTP request to the web server, if
// there is one, or with TLS if that speaks it, and says whether it did.
func (s *Session) handOver() bool {
	c, ok := s.conn.(*tcp)
	if !ok || s.opts.Web == nil {
		return false
	}
	first, err := c.in.Peek(4)
	if err != nil || !s.forWeb(first) {
		return false // what is wrong with it shows again
	}
	s.mu.Lock()
	kicked := s.state == gone
	s.retire("")
	s.mu.Unlock()
	if kicked {
		return false
	}
	_ = c.SetReadDeadline(time.Time{})
	s.opts.Web(&peeked{c.Wrapped, c.in})
	return true
}

// peeked is a connection of which some was read ahead.
type peeked struct {
	netconn.Wrapped
	in *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.in.Read(b) }
