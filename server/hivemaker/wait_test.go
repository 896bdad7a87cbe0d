package hivemaker

import (
	"net/http"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// A player that waits for the other side is pinged, because proxies close silent
// connections.
func TestPingsWhileWaiting(t *testing.T) {
	thorough.Long(t)
	h := open(t, Options{})
	g := h.create(t, `{"match_config":{"heartbeat":100}}`)
	o := h.dial(t, "/ws?token="+g.TokenCircle)
	pings := make(chan struct{}, 1)
	answer := o.PingHandler()
	o.SetPingHandler(func(data string) error {
		select {
		case pings <- struct{}{}:
		default:
		}
		return answer(data)
	})
	begun := make(chan htttx.Packet, 1)
	go func() { begun <- o.next() }()
	select {
	case <-pings:
	case <-time.After(20 * time.Second):
		t.Error("no ping was received")
	}
	h.dial(t, "/ws?token="+g.TokenCross)
	if p, ok := (<-begun).(htttx.Setup); !ok {
		t.Errorf("the game begins with %v, want the setup", p)
	}
}

// A plain GET does not use a token.
func TestPlainGetKeepsToken(t *testing.T) {
	h := open(t, Options{})
	g := h.create(t,
		`{"player_x":{"type":"human"},"player_o":{"type":"bot","bot_url":"`+(&bot{}).start(t)+`"}}`)
	for _, path := range []string{"/ws?token=", "/htttx/session?token="} {
		resp, err := http.Get(h.url + path + g.TokenCross)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusUpgradeRequired {
			t.Errorf("GET %s: %s, want 426", path, resp.Status)
		}
	}
	if p, ok := h.dial(t, "/ws?token="+g.TokenCross).next().(htttx.Setup); !ok {
		t.Errorf("then the first packet is %v, want the setup", p)
	}
}
