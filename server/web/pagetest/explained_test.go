//go:build browser

package pagetest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// blank counts the canvases below a selector on which nothing is drawn.
func blank(selector string) string {
	return `[...document.querySelectorAll(` + quote(selector+" canvas") + `)].filter((c) => {
		const copy = new OffscreenCanvas(c.width, c.height).getContext("2d");
		copy.drawImage(c, 0, 0);
		return copy.getImageData(0, 0, c.width, c.height).data.every((v) => v === 0);
	}).length`
}

// The help shows what each sign means, also in an exported file.
func TestSigns(t *testing.T) {
	t.Parallel()
	eachKept(t, func(t *testing.T, _ *show, open kept) {
		b := open(t, "#t=43")
		await(b, "turn on the board", boardTurn, 43)
		b.press("?")
		await(b, "the keys are shown",
			`document.querySelector('dialog[open][aria-label="Keys"]') !== null`, true)
		b.button("Signs")
		await(b, "signs", `document.querySelectorAll(".signs li canvas").length`, 13+6)
		await(b, "signs that are not drawn", blank(".signs"), 0)
		await(
			b, "what they mean",
			shows(`document.querySelector("dialog").innerText`, "explodes in 3 turns", "may revive now",
				"takes the lead"),
			true,
		)
		b.looks("signs")
		b.press(kb.Escape)
	})
}

// A card tells what happened in the turn below the pointer, on the timeline and on the chart.
func TestTurnCard(t *testing.T) {
	t.Parallel()
	eachKept(t, func(t *testing.T, s *show, open kept) {
		b := open(t, "#t=90")
		await(b, "turn on the board", boardTurn, recordedTurns)
		const card = `(document.querySelector(".turncard")?.innerText ?? "")`
		hover := func(selector string, share float64) {
			t.Helper()
			box := value[[]float64](b, `(({ left, top, width, height }) => [left + width * `+fmt.Sprint(share)+`, top + height / 2])(document.querySelector(`+quote(selector)+`).getBoundingClientRect())`)
			b.do(chromedp.MouseEvent("mouseMoved", box[0], box[1]))
		}
		end := value[int](b, eventTurns+`.at(-2)`)
		hover(".track", float64(end)/recordedTurns)
		await(
			b, "the card of a turn with an event",
			shows(card,
				fmt.Sprintf("Turn %d", end-1))+` && document.querySelectorAll(".turncard p svg").length > 0`,
			true,
		)
		await(b, "its small board", `document.querySelectorAll(".turncard canvas").length`, 1)
		await(b, "boards that are not drawn", blank(".turncard"), 0)
		await(b, "the small board is above the text of the card", `document.querySelector(".turncard canvas").getBoundingClientRect().bottom <= document.querySelector(".turncard > b").getBoundingClientRect().top`, true)
		b.shoot("view card timeline dark")
		b.do(prefers("light"))
		b.settle()
		b.shoot("view card timeline light")
		hover(".u-over", 0.5)
		await(b, "the card on the chart", shows(card, "Turn 44", seats[0], seats[3]), true)
		b.shoot("view card chart light")
		b.do(chromedp.MouseEvent("mouseMoved", 300, 300))
		await(b, "no card", card, "")
	})
}
