package netconn

import (
	"net"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

type textAddr string

func (textAddr) Network() string  { return "test" }
func (a textAddr) String() string { return string(a) }

func TestAddrPort(t *testing.T) {
	for a, want := range map[net.Addr]string{
		nil:                            "invalid AddrPort",
		textAddr("stdio"):              "invalid AddrPort",
		textAddr("[::ffff:1.2.3.4]:5"): "1.2.3.4:5",
		textAddr("[::1]:5"):            "[::1]:5",
		textAddr("bot:5"):              "invalid AddrPort",
	} {
		if got := AddrPort(a).String(); got != want {
			t.Errorf("AddrPort(%v) = %s, want %s", a, got, want)
		}
	}
	if l := servertest.Listen(t).Addr(); AddrPort(l).String() != l.String() {
		t.Errorf("AddrPort(%v) = %v", l, AddrPort(l))
	}
}
