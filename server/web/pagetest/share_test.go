//go:build browser

package pagetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/tools/browser/chromium"
)

// sheet reads the text of the open sheet, and shared one of its texts.
const (
	sheet  = `(document.querySelector("dialog.share")?.innerText ?? "")`
	shared = `document.querySelector('dialog.share textarea[aria-label="%s"]')?.value ?? ""`
)

// catchFiles makes a page keep the files that it has the browser save: their names, types and
// sizes, and those of pictures in pixels.
const catchFiles = `(() => {
	window.saved = [];
	const files = new Map();
	const make = URL.createObjectURL;
	URL.createObjectURL = (file) => { const url = make(file); files.set(url, file); return url; };
	HTMLAnchorElement.prototype.click = async function () {
		const file = files.get(this.href);
		const { width, height } = await createImageBitmap(file);
		window.saved.push([this.download, file.type, width > 200 && height > 200 && file.size > 2000].join(" "));
	};
})()`

// A turn is shared as a link that leads to it and to the followed player, as a picture, an
// animation, a file and a frame; also over plain HTTP on another machine.
func TestShare(t *testing.T) {
	s := recorded(t)
	everywhere(t, s.recordingURL("#t=43"), func(t *testing.T, address string) {
		b := open(t, address)
		await(b, "turn on the board", boardTurn, 43)
		b.press("2", "s")
		await(b, "the sheet", shows(sheet, "Share turn 42", "followed"), true)
		link := value[string](b, fmt.Sprintf(shared, "Link"))
		parsed, err := url.Parse(link)
		if err != nil || parsed.Query().Get("recording") != s.recorder.Name() ||
			parsed.Fragment != "turn=42&p=2" {
			t.Errorf("link %s, %v; want turn 42 of %s with the second player followed", link, err,
				s.recorder.Name())
		}
		onlyHere := parsed.Hostname() != chromium.Elsewhere
		await(b, "that only this machine can open it", shows(sheet, "Only this machine can open it"),
			onlyHere)
		b.button("Copy the link")
		await(b, "what the page says", notice, "Link copied.")
		if got := b.pasted(); got != link {
			t.Errorf("pasted %q, want %q", got, link)
		}
		b.do(chromedp.Evaluate[chromedp.Void](catchFiles))
		b.button("Picture (PNG)")
		await(b, "the picture", `window.saved.at(-1) ?? ""`,
			"42 · hunter leads · lagoon.png image/png true")
		b.button("10")
		b.button("Animation (GIF)")
		name := strings.TrimSuffix(s.recorder.Name(), ".hexarena")
		await(b, "the animation", `window.saved.at(-1) ?? ""`, name+"-33-43.gif image/gif true")
		await(b, "the file", fetched(`dialog a[href$="page.html"]`), "200 text/html; charset=utf-8")
		b.looks("share")
		b.press(kb.Escape)
		await(b, "the sheet", sheet, "")

		there := open(
			t,
			strings.Replace(link, parsed.Host,
				strings.TrimPrefix(strings.Split(address, "/?")[0], "http://"), 1),
		)
		await(there, "turn on the board", boardTurn, 43)
		await(there, "who is followed",
			`[...document.querySelectorAll(".row")].findIndex((e) => e.classList.contains("followed")) >= 0`,
			true)
	})
}

// The sheet says what the server cannot do.
func TestShareProblems(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	b := openEmpty(t)
	b.do(chromedp.Navigate(s.recordingURL("#t=5")))
	await(b, "turn on the board", boardTurn, 5)
	b.press("s")
	await(b, "the sheet", shows(sheet, "Share turn 4"), true)
	exported := s.single(t)
	if err := os.Remove(s.recorder.Path()); err != nil {
		t.Fatal(err)
	}
	b.button("Animation (GIF)")
	await(b, "the problem", shows(sheet, "There is no recording"), true)

	file := open(t, exported+"#t=5", offline())
	await(file, "turn on the board", boardTurn, 5)
	file.press("s")
	await(file, "what a file can share", shows(sheet, "It leads to this file", "Picture (PNG)"), true)
	await(file, "buttons that need a server", `document.querySelectorAll('dialog a, dialog .animation, dialog [aria-label="In a page of another site"]').length`, 0)
}

// Another site shows a turn in a frame, by the code of the sheet. There is nothing in it that acts
// on the server.
func TestEmbed(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	b := open(t, s.recordingURL("#t=43"))
	await(b, "turn on the board", boardTurn, 43)
	b.press("s")
	await(b, "the sheet", shows(sheet, "Share turn 42"), true)
	code := value[string](b, fmt.Sprintf(shared, "In a page of another site"))
	if !strings.Contains(code, "/embed?recording=") {
		t.Fatalf("the code is %s", code)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>A blog</title><body style='background:#eee'><h1>My bot</h1>%s", code)
	}))
	t.Cleanup(site.Close)
	blog := open(t, site.URL)
	inFrame := func(expression string) string {
		tree, err := chromedp.Call(blog.ctx, page.GetFrameTree, cdp.Empty{})
		if err != nil || len(tree.FrameTree.ChildFrames) == 0 {
			return ""
		}
		world, err := chromedp.Call(blog.ctx, page.CreateIsolatedWorld,
			page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID})
		if err != nil {
			return ""
		}
		result, err := chromedp.Call(
			blog.ctx, runtime.Evaluate,
			runtime.EvaluateParams{
				Expression: "String(" + expression + ")", ContextID: world.ExecutionContextID,
			},
		)
		if err != nil || result.Result == nil {
			return fmt.Sprint(err)
		}
		return strings.Trim(string(result.Result.Value), `"`)
	}
	for begun := time.Now(); inFrame(boardTurn) != "43"; time.Sleep(pollInterval) {
		if time.Since(begun) > patience {
			t.Fatalf("turn on the framed board: %s, want 43", inFrame(boardTurn))
		}
	}
	if got := inFrame(`document.querySelectorAll("nav, .topbar, .panel, form").length + " " + document.querySelectorAll(".timeline").length`); got != "0 1" {
		t.Errorf("menus and panels, and timelines, in the frame: %s, want 0 1", got)
	}
	blog.settle()
	blog.shoot("view embedded")

	live := newShow(t, maps.Default, 100)
	b = open(t, live.page.URL()+"embed")
	live.join(seats...)
	live.play(10)
	await(b, "turn on the framed board of a live match", boardTurn, 10)
	await(b, "buttons that act on the server",
		button("Start")+` === undefined && `+button("Play again")+` === undefined`, true)
	b.looks("embedded live")
}
