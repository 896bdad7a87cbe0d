//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// holdLobby makes the page hold back lobby events, in window.held, while window.holding is
// true.
const holdLobby = `{
	const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	Object.defineProperty(WebSocket.prototype, "onmessage", {
		set(handle) {
			set.call(this, (message) => {
				if (window.holding && message.data.startsWith('{"type":"lobby"')) window.held = () => handle(message);
				else handle(message);
			});
		},
	});
}`

// afterRender runs a script as soon as the page has rendered another turn, before the
// browser shows it and before any other task.
func (b *tab) afterRender(script string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`new MutationObserver((_, observer) => {
		observer.disconnect();
		` + script + `
	}).observe(document.querySelector('[role="img"][aria-label^="Board"]'), { attributes: true, attributeFilter: ["aria-label"] })`))
}

// If the next match begins between the render of a turn and its effects, the chart of the
// old match does not get columns of the new one.
func TestNextMatchDuringRender(t *testing.T) {
	t.Parallel()
	one := newShow(t, maps.Default, 12)
	two := newShowIn(t, one.folder, maps.Default, 12)
	b := open(
		t, one.page.URL(),
		call(page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: holdLobby}),
	)
	one.join(seats...)
	one.finish()
	await(b, "turn on the board at the end", boardTurn, 12)
	b.do(chromedp.Evaluate[chromedp.Void](`window.holding = true`))
	one.show(two)
	await(b, "the lobby of the next match is held back", `window.held !== undefined`, true)
	b.afterRender(`window.held()`)
	b.press(kb.ArrowLeft)
	await(b, "the lobby of the next match", shows(lobby, "seats free"), true)
}

// A click on a curve uses the curve of the turn on the board, however soon it comes.
func TestClickDuringRender(t *testing.T) {
	t.Parallel()
	s := talked(t)
	s.finish()
	b := open(t, s.recordingURL("#t=20"))
	await(b, "turn on the board", boardTurn, 20)
	b.do(chromedp.Click(chromedp.CSS(openMyBot)))
	const curve = ".spark .u-over"
	await(b, "there is a curve", `document.querySelector("`+curve+`") !== null`, true)
	b.settle()
	b.afterRender(`setTimeout(() => {
		const curve = document.querySelector("` + curve + `");
		const { left, width } = curve.getBoundingClientRect();
		curve.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: left + width / 2 }));
	})`)
	b.do(chromedp.Click(chromedp.CSS(curve)))
	await(b, "turn in the middle of the middle", boardTurn, 5)
}
