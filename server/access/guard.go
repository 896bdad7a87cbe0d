package access

import (
	"crypto/rand"
	"crypto/subtle"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Guard admits clients that are on a list, and the server's own bots, which share a token
// that the Guard draws. It implements session.Gate.
type Guard struct {
	*List
	own string
}

// NewGuard returns a Guard with a new token for the server's own bots.
func NewGuard(list *List) *Guard { return &Guard{list, rand.Text()} }

// Own returns the token of the server's own bots, "" without a Guard.
func (g *Guard) Own() string {
	if g == nil {
		return ""
	}
	return g.own
}

// Login implements session.Gate. The server's own bots have no key, because they do not
// reconnect.
func (g *Guard) Login(m netorcai.Login) (nickname, key string, err error) {
	if subtle.ConstantTimeCompare([]byte(m.Token), []byte(g.own)) == 1 {
		return m.Nickname, "", nil
	}
	return g.List.Login(m)
}
