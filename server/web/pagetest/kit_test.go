//go:build browser

package pagetest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
)

// ownPage is a page of a user's that plays with the bot of the JavaScript kit.
const ownPage = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>waiting</title>
<script type="module">
	import "./hexarena.js";
	const run = (Bot) => hexarena.run(Bot, { name: "tab" })
		.then(() => { document.title = "played"; }, (error) => { document.title = error.message; });
	window.module = { exports: {} };
	window.require = Object.assign(() => ({ ...hexarena, run }), { main: module });
	import("./bot.js");
</script>`

// The JavaScript kit plays a match over a WebSocket from a page of its own, on a site that passes
// the WebSocket on to hexarena.
func TestKitInAPage(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	hexarena, err := url.Parse(s.page.URL())
	if err != nil {
		t.Fatal(err)
	}
	site := http.NewServeMux()
	site.Handle("/netorcai", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(hexarena)
		r.Out.Host = r.In.Host // the server compares it with the page's origin
	}})
	site.Handle("/", http.FileServer(http.Dir("../../../bots/kits/javascript")))
	site.HandleFunc("/{$}",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, ownPage) })
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)

	b := open(t, server.URL)
	b.do(chromedp.Evaluate[chromedp.Void](`hexarena.run(class {}, { role: "visualization" }).catch((error) => { document.title = error.message; })`))
	await(b, "why another one cannot watch", `document.title`,
		"kicked: LOGIN denied: Maximum number of visus reached")
	s.join(opponents...)
	s.finish()
	await(b, "how the match ended for the bot", `document.title`, "played")
	mine := s.score("tab")
	for _, other := range opponents {
		if theirs := s.score(other); mine <= theirs {
			t.Errorf("the kit's bot has %d points, %s %d", mine, other, theirs)
		}
	}
}
