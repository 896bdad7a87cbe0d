package main

import (
	"crypto/rand"
	"crypto/subtle"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access"
)

// guard admits clients that are on a list, and the server's own bots, which share a token
// that the guard draws. It implements session.Gate.
type guard struct {
	*access.List
	own string
}

func newGuard(list *access.List) *guard { return &guard{list, rand.Text()} }

// password returns the token of the server's own bots, "" without a guard.
func (g *guard) password() string {
	if g == nil {
		return ""
	}
	return g.own
}

// Login implements session.Gate. The server's own bots have no key, because they do not
// reconnect.
func (g *guard) Login(m netorcai.Login) (nickname, key string, err error) {
	if subtle.ConstantTimeCompare([]byte(m.Token), []byte(g.own)) == 1 {
		return m.Nickname, "", nil
	}
	return g.List.Login(m)
}
