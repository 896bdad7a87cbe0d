//go:build browser

package pagetest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/web"
)

// serveUntil serves the match's page at an address until stop is called.
func (s *show) serveUntil(address string) (page *web.Server, stop func()) {
	s.t.Helper()
	page, err := web.Listen(web.Options{Address: address, Version: "test"})
	if err != nil {
		s.t.Fatal(err)
	}
	page.Show(s.webMatch())
	ctx, cancel := context.WithCancel(s.ctx)
	served := make(chan struct{})
	s.running.Go(func() {
		defer close(served)
		if err := page.Serve(ctx); err != nil {
			s.t.Errorf("the page: %v", err)
		}
	})
	return page, func() { cancel(); <-served }
}

// disconnected returns the page of a match at turn 20 whose server has just stopped, and the
// server's address.
func disconnected(t *testing.T) (s *show, b *tab, address string) {
	t.Helper()
	s = newShow(t, maps.Default, 100)
	s.join(seats...)
	s.play(20)
	page, stop := s.serveUntil("127.0.0.1:0")
	b = openEmpty(t) // the browser logs each attempt
	b.do(chromedp.Navigate(page.URL()))
	await(b, "turn on the board", boardTurn, 20)
	stop()
	await(b, "what the page says",
		shows(lostBanner, "Connection lost at turn 19.", "All turns so far can be scrubbed."), true)
	u, err := url.Parse(page.URL())
	if err != nil {
		t.Fatal(err)
	}
	return s, b, u.Host
}

// lostBanner reads what the page says about its connection.
const lostBanner = `document.querySelector(".banner:not(.incomplete)")?.innerText ?? ""`

// A page whose server stops says so, shows the turns that it has, and goes on when the server is
// back.
func TestConnectionLost(t *testing.T) {
	t.Parallel()
	s, b, address := disconnected(t)
	b.press(kb.ArrowLeft)
	await(b, "the turn before", boardTurn, 19)
	_, stop := s.serveUntil(address)
	// The page also tries by itself, after which the button is gone.
	b.do(chromedp.Evaluate[chromedp.Void]("(" + button("Retry now") + ")?.click()"))
	await(b, "the banner when the server is back", lostBanner, "")
	s.play(5)
	b.press("l")
	await(b, "turn on the board", boardTurn, 25)
	for _, p := range b.taken() {
		if !strings.Contains(p, address) && !strings.Contains(p, "ERR_CONNECTION_REFUSED") {
			t.Errorf("the browser complains: %s", p)
		}
	}
	stop()
	await(b, "what the page says", shows(lostBanner, "Connection lost at turn 24."), true)
}
