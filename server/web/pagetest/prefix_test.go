//go:build browser

package pagetest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
)

// The pages of an event work below a path that a proxy takes off: a team signs up, opens the
// editor, plays a round with the bot in its page and opens the recording.
func TestBelowAPath(t *testing.T) {
	t.Parallel()
	h := newHackathon(t)
	target, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/arena/", http.StripPrefix("/arena", httputil.NewSingleHostReverseProxy(target)))
	proxy := httptest.NewServer(mux)
	t.Cleanup(proxy.Close)
	direct := h.url
	h.url = proxy.URL + "/arena"

	b, _ := h.signUp("Newcomers")
	await(b, "the page of the team", `location.pathname`, "/arena/team/1")
	_, token := h.signUp("Old hands")
	h.connect(token, "painter")
	b.do(chromedp.Click("#write"))
	await(b, "the editor", `document.querySelector(".edit") !== null && location.pathname`, "/arena/")
	b.button("Run")
	const waiting = `document.querySelector('.edit [role="status"]').textContent`
	await(b, "the bot waits for a round", waiting, "waiting for the start")
	admin := open(t, h.url+"/admin#"+h.admin)
	await(admin, "both teams are ready",
		shows(`document.querySelector("main").innerText`, "2 of 2 teams ready"), true)
	admin.button("Begin a round now")
	await(b, "the bot waits for the next round", waiting, "waiting for the start")
	screen := open(t, h.url+"/screen", size(1920, 1080))
	await(screen, "the screen", shows(`document.querySelector("#page").innerText`, "Newcomers"), true)
	b.do(chromedp.Navigate(h.url + "/"))
	b.button("Recordings")
	await(b, "the recording", `document.querySelector('a[href^="/arena/?recording="]') !== null`, true)
	h.url = direct
}

// Each view of the page is in the history, and has an address. A match that the server does not
// have is not waited for.
func TestHistoryOfViews(t *testing.T) {
	t.Parallel()
	s := newShow(t, "pebble", 10)
	s.join(seats...)
	s.finish()
	b := open(t, s.page.URL())
	await(b, "the match", `document.querySelector(".timeline") !== null`, true)
	const shown = `document.querySelector('.topbar nav [aria-current="page"]')?.textContent + location.hash`
	for _, name := range []string{"Recordings", "Rules"} {
		b.button(name)
	}
	await(b, "the rules", shown, "Rules#rules")
	b.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	await(b, "the view before", shown, "Recordings#recordings")
	b.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	await(b, "the first view", shown, "Match")
	b.do(chromedp.Evaluate[chromedp.Void](`history.forward()`))
	await(b, "forward", shown, "Recordings#recordings")
	b.do(chromedp.Reload())
	await(b, "the address has the view", shown, "Recordings#recordings")

	gone := openEmpty(t) // the browser reports the refused connection
	gone.do(chromedp.Navigate(s.page.URL() + "?match=gone"))
	await(
		gone, "why nothing is shown",
		shows(`document.body.innerText`, "This cannot be shown.",
			"There is no such match, or it is no longer kept."),
		true,
	)
	await(gone, "no promise to try again", shows(`document.body.innerText`, "Trying again"), false)
	gone.shoot("match gone")
}
