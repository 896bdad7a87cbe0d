package bots

import (
	"context"
	"testing"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

// TestForClient plays every strategy with the public client.
func TestForClient(t *testing.T) {
	for _, special := range []bool{false, true} {
		role := netorcai.RolePlayer
		if special {
			role = netorcai.RoleSpecialPlayer
		}
		for _, name := range Names() {
			l := servertest.Listen(t)
			done := make(chan error, 1)
			go func() { done <- connect(t.Context(), l.Addr().String(), name, role) }()
			p, err := botstest.Match{Map: small, Special: special, Turns: 30}.Host(l)
			if err != nil {
				t.Errorf("%s as %s: %v", name, role, err)
			}
			if err := <-done; err != nil {
				t.Errorf("%s as %s: Play = %v", name, role, err)
			}
			if p != nil && (len(p.Answers) != 29 || p.Login.Role != role) {
				t.Errorf("%s as %s: %d answers as %s, want 29", name, role, len(p.Answers), p.Login.Role)
			}
		}
	}
}

func connect(ctx context.Context, addr, name string, role netorcai.Role) error {
	s, err := New(name, 1)
	if err != nil {
		return err
	}
	return playAt(ctx, addr, name, role, s)
}

// playAt plays a strategy at a server.
func playAt(ctx context.Context, addr, name string, role netorcai.Role, s Strategy) error {
	c, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: name, Role: role})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Play(ctx, ForClient(s))
}
