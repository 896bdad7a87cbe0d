//go:build browser

package pagetest

import (
	"net"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	bombgame "github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/web"
)

// button returns an expression for the button with a text.
func button(text string) string {
	return `[...document.querySelectorAll("button")].find((b) => b.textContent.trim() === ` + quote(text) + `)`
}

// presses presses the button with a text, when it has appeared.
func (b *tab) presses(text string) {
	b.t.Helper()
	await(b, "there is the button "+text, button(text)+" !== undefined && !"+button(text)+".disabled",
		true)
	b.do(chromedp.Evaluate[chromedp.Void](button(text) + ".click()"))
}

// starters counts the links to the starter on the page.
const starters = `[...document.querySelectorAll('a[download="my_bot.zip"][href="/api/starter?game=hexabomb"]')].filter((a) => a.checkVisibility()).length`

// A user at the server's machine starts the match with the connected clients.
func TestStartInTheLobby(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	b := open(t, s.page.URL())
	await(b, "no match can be started without players", button("Start")+"?.disabled", true)
	await(b, "ways on", shows(lobby, "Take the starter", "Host a class"), true)
	await(b, "the starter is there",
		`document.querySelector('a[download="my_bot.zip"]')?.getAttribute("href")`,
		"/api/starter?game=hexabomb")
	b.presses("Show me how")
	_, port, err := net.SplitHostPort(s.server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	command := "python3 my_bot.py 127.0.0.1 " + port
	await(b, "how to host a class",
		shows(lobby, "hexarena serve --map snowflake --port "+port, command, "hexarena event"), true)
	b.shoot("lobby empty")
	s.join(seats[:3]...)
	await(b, "hints for experienced users", shows(lobby, "Take the starter"), false)
	await(b, "how the next one joins",
		shows(lobby, "my_bot.zip", command, "hexarena join "+s.page.URL()+" my_bot.py"), true)
	await(b, "the starter is still there", starters, 1)
	b.shoot("lobby with three")
	b.presses("Start with 3")
	await(b, "turn on the board", boardTurn, 0)
	s.play(3)
	await(b, "turn on the board", boardTurn, 3)
	b.do(chromedp.Click(chromedp.CSS(".joinlater summary")))
	await(b, "how to join while a match is played",
		shows(`document.querySelector(".joinlater").innerText`, command), true)
	await(b, "the starter while a match is played", starters, 1)
	b.shoot("join while a match is played")
}

// A match is played again on the same page.
func TestPlayAgain(t *testing.T) {
	t.Parallel()
	list := []*show{
		newShow(t, maps.Default, 20), newShow(t, maps.Default, 20), newShow(t, maps.Default, 300),
	}
	next := make(chan struct{}, 1)
	shown := func(s *show) web.Match {
		return web.Match{Feed: s.feed, Map: s.board.AppendJSON(nil), Again: func() error { next <- struct{}{}; return nil }}
	}
	page := newPage(list[0])
	page.Show(shown(list[0]))
	b := open(t, page.URL())
	for i, s := range list {
		s.join(seats...)
		if i == len(list)-1 {
			break
		}
		s.finish()
		await(b, "turn on the board at the end", boardTurn, 20)
		b.presses("Play again")
		select {
		case <-next:
		case <-time.After(patience):
			t.Fatal("no request to play again arrives")
		}
		page.Show(shown(list[i+1]))
		await(b, "the lobby of the next", shows(lobby, "free"), true)
	}
	last := list[2]
	last.play(30)
	await(b, "turn on the board of the last", boardTurn, 30)
	await(b, "the button while it is played", button("Play again")+" === undefined", true)
	last.finish()
	await(b, "the button at the end", button("Play again")+" !== undefined", true)
	b.shoot("play again")
}

// If others can reach the page, the projector view invites them.
func TestPlayAlong(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.feed.SetAddresses([]string{"127.0.0.1:4242", "192.168.1.5:4242"})
	s.join(seats...)
	s.play(40)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 40)
	b.press("p")
	await(b, "what is to be scanned", `document.querySelector(".qr")?.getAttribute("aria-label")`,
		"QR code of http://192.168.1.5:4242/")
	b.shoot("projector with the address")
	b.do(size(1920, 1080))
	await(b, "the code is whole", hidden+`(".qr", ".along strong")`, "")
	b.shoot("projector 1080")
}

// offset is how far the board is from the middle of the stage, in pixels of the screen.
const offset = `(() => {
	const { width, height } = document.querySelector(".board canvas");
	const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(document.querySelector(".board canvas"), 0, 0);
	const { data } = copy.getImageData(0, height / 2 | 0, width, 1);
	const solid = [...Array(width).keys()].filter((x) => data[4 * x + 3] > 200);
	return Math.round(Math.abs(solid[0] + solid.at(-1) - width) / 2);
})()`

// In the lobby, a projector shows in large where to connect and who has joined.
func TestLobbyOnAProjector(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.feed.SetAddresses([]string{"127.0.0.1:4242", "192.168.1.5:4242"})
	s.join(seats[:2]...)
	b := open(t, s.page.URL(), size(1920, 1080), prefers("light"))
	await(b, "two seats are taken", shows(lobby, "2 seats free"), true)
	await(b, "the board in the lobby is in the middle, within 3 pixels", offset+" <= 3", true)
	b.shoot("lobby light")
	b.press("p")
	const far = `(document.querySelector(".far")?.innerText ?? "")`
	await(b, "where to connect", shows(far, "192.168.1.5:4242", "2 of 4", seats[0], seats[1]), true)
	await(b, "the code is whole", hidden+`(".far .qr", ".invite strong")`, "")
	await(b, "text that is smaller than 24 pixels", `[...document.querySelectorAll(".app *")]
		.filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !e.closest(".unseen") && parseFloat(getComputedStyle(e).fontSize) < 23.7)
		.map((e) => e.outerHTML).join("; ")`, "")
	await(b, "size of the address",
		`parseFloat(getComputedStyle(document.querySelector(".invite strong")).fontSize) >= 64`, true)
	await(b, "size of the code", `document.querySelector(".far .qr").clientHeight >= 400`, true)
	const lit = `document.querySelectorAll(".far li.taken").length`
	await(b, "seats that are lit", lit, 2)
	await(b, "the board is in the middle, within 3 pixels", offset+" <= 3", true)
	b.shoot("lobby projector")
	s.join(seats[2])
	await(b, "seats that are lit", lit, 3)
	await(b, "how many have joined", shows(far, "3 of 4"), true)
	b.press("d")
	b.shoot("lobby projector dark")
	s.join(seats[3])
	await(b, "turn on the board", boardTurn, 0)
	await(b, "the lobby's panel in the match", `document.querySelector(".far.gather") === null`, true)
}

// In the light theme, the shapes of free seats are drawn with ink: white would not be seen on light
// cells.
func TestFreeSeatsInLight(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	b := open(t, s.page.URL(), prefers("light"))
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	const pixels = `(() => {
		const { width, height } = document.querySelector(".board canvas");
		const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(document.querySelector(".board canvas"), 0, 0);
		const { data } = copy.getImageData(0, 0, width, height);
		let dark = 0, white = 0;
		for (let i = 0; i < data.length; i += 4) {
			if (data[i + 3] < 255) continue;
			if (data[i] < 110) dark++;
			if (data[i] > 250) white++;
		}
		return dark > 1000 && white === 0;
	})()`
	await(b, "the shapes are dark", pixels, true)
}

// newPage returns a page without a match, which lives as long as s.
func newPage(s *show) *web.Server {
	s.t.Helper()
	return s.serve(web.Options{Starter: func(string, string) []byte { return []byte("print()") }})
}

// another returns a page without a match, for the recordings in a folder.
func (s *show) another(o web.Options, dir string) *web.Server {
	s.t.Helper()
	folder := web.NewFolder(dir, replays)
	o.Recordings, o.Remove, o.Draw = folder, folder.Remove, export.Drawing(dir,
		games.List{bombgame.Game()})
	return s.serve(o)
}

// serve returns a page with some options, which lives as long as s.
func (s *show) serve(o web.Options) *web.Server {
	s.t.Helper()
	o.Address, o.Version = "127.0.0.1:0", "test"
	page, err := web.Listen(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.running.Go(func() {
		if err := page.Serve(s.ctx); err != nil {
			s.t.Errorf("the page: %v", err)
		}
	})
	return page
}

// Before the first match the page shows what to do.
func TestNoMatchYet(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	page := newPage(s)
	b := open(t, page.URL())
	const empty = `document.querySelector(".empty")?.innerText ?? ""`
	await(b, "ways on", shows(empty, "No match yet.", "Take the starter", "Host a class"), true)
	await(b, "the command keeps off the text",
		`parseFloat(getComputedStyle(document.querySelector(".ways code")).marginTop) >= 8`, true)
	b.shoot("no match yet")
	b.button("Show me how")
	await(b, "commands that are broken over lines", `[...document.querySelectorAll(".how code")].filter((e) => e.getClientRects().length !== 1 || e.clientHeight > 30).length`, 0)
	page.Show(web.Match{Feed: s.feed, Map: s.board.AppendJSON(nil)})
	await(b, "the lobby of the first match", shows(lobby, "4 seats free"), true)
}
