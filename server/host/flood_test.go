package host_test

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// A client that is kicked repeatedly, before or after its login, is told the reason each
// time and does not fill the log.
func TestKickedClientsFillNoLog(t *testing.T) {
	thorough.Long(t)
	var written servertest.Log
	log := zerolog.New(&written)
	lines := limits.NewLog(log)
	defer lines.Close()
	h := openHost(t, options{
		Options: host.Options{Log: log, Lines: lines},
		spec: host.Spec{
			Settings: match.Settings{Turns: 2, Players: 50}, Game: game(hexabomb.New(hexagon(3, 4))),
		},
	})
	const attempts = 400
	kind := strings.Repeat(`\u0001`, 150)
	for i := range attempts {
		c := servertest.Dial(t, h.addr)
		if i%2 == 0 {
			c.Send(`{"message_type":%q}`, strings.Repeat("x", 900))
		} else {
			c.SendLogin("a", "player")
			c.Until("LOGIN_ACK")
			c.Send(`{"message_type":"%s"}`, strings.Repeat(kind, 8))
		}
		if m := c.Until("KICK"); len(m.Reason) < 200 {
			t.Fatalf("kicked for %q, want a reason with the message", m.Reason)
		}
		c.Close()
	}
	kicks := written.About("Kicking client")
	if len(kicks) < 100 || len(kicks) >= attempts {
		t.Errorf("%d lines for %d kicks", len(kicks), attempts)
	}
	for _, line := range kicks {
		if len(line) > 2000 { // 200 bytes, each escaped
			t.Fatalf("a line of %d bytes: %s", len(line), line)
		}
	}
}
