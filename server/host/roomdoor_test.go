package host_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/servertest"
)

// A client that connects at the address of a match gets a seat in that match, though another
// one has seats as well and came first. Once it has started, a client is refused unless it stays.
func TestAddressOfAMatch(t *testing.T) {
	h := openHost(t,
		options{Options: host.Options{Page: shownOn(), Linger: usualLinger}, spec: small(2, 1)})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	second, err := h.Start(ctx, small(2, 2))
	if err != nil {
		t.Fatal(err)
	}
	dial := func(r *host.Room) *servertest.Client {
		query := ""
		if r != nil {
			query = "?match=" + url.QueryEscape(r.Feed().ID())
		}
		return servertest.DialWebSocket(t, "ws://"+h.Page().Addr().String()+"/netorcai"+query)
	}
	there, stays := dial(second), dial(second)
	there.SendLogin("there", "player")
	there.Expect("LOGIN_ACK")
	stays.Send(stayLogin, "stays")
	stays.Expect("LOGIN_ACK")
	for _, c := range []*servertest.Client{there, stays} {
		c.Expect("GAME_STARTS")
	}
	full := dial(second)
	full.SendLogin("full", "player")
	full.ExpectKick("LOGIN denied: Game has been started")

	open, late := dial(nil), dial(second)
	open.SendLogin("open", "player")
	open.Expect("LOGIN_ACK")
	late.Send(stayLogin, "late") // its match has begun
	late.Expect("LOGIN_ACK")
	open.Expect("GAME_STARTS")
	if starts := late.Expect("GAME_STARTS"); !strings.Contains(string(starts.Raw), `"match":1,`) {
		t.Errorf("a client that stays begins with %s, want the other match", starts.Raw)
	}
	stop()
	h.stop()
	h.end()
}
