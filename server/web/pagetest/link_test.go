//go:build browser

package pagetest

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// A link to a turn of a live match works after the next match has started, and on other
// machines if they can reach the page.
func TestLinkToATurn(t *testing.T) {
	one := newShow(t, maps.Default, 30)
	two := newShowIn(t, one.folder, maps.Default, 300)
	one.feed.SetAddresses([]string{"127.0.0.1:4242", "192.168.1.5:4242"})
	b := open(t, one.page.URL())
	one.join(seats...)
	one.play(20)
	await(b, "turn on the board", boardTurn, 20)
	b.press(kb.ArrowLeft, "s")
	b.button("Copy the link")
	await(b, "what the page says", notice, "Link copied.")
	link, err := url.Parse(b.pasted())
	if err != nil {
		t.Fatal(err)
	}
	name := one.recorder.Name()
	if link.Host != "192.168.1.5:4242" || link.Query().Get("recording") != name ||
		link.Fragment != "turn=18" {
		t.Errorf("link %s, want turn 18 of %s at 192.168.1.5:4242", link, name)
	}
	await(b, "the address of the page, which stays with what is live",
		`location.search + location.hash`, "")

	// The address is an example; the page is on this machine.
	here := one.page.URL() + "?" + link.RawQuery + "#" + link.Fragment
	running := open(t, here)
	await(running, "turn on the board", boardTurn, 19)
	await(running, "what is missing", shows(banner, "still being played"), true)
	one.finish()
	one.show(two)
	two.join(seats...)
	two.play(25)
	later := open(t, here)
	await(later, "turn on the board of the first match", boardTurn, 19)
	await(later, "ranking of the first match", ranking, one.ranking(19))
	await(later, "what is missing", banner, "")
	later.press(kb.ArrowRight, "s")
	await(later, "the link to the next turn", `location.search + location.hash`,
		"?"+link.RawQuery+"#turn=19")
}
