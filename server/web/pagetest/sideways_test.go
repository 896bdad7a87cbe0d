//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// sideways sets the window size of a phone on its side.
var sideways = size(844, 390, chromedp.EmulateScale(2), chromedp.EmulateMobile,
	chromedp.EmulateTouch)

// outside returns the elements of a selector that are partly outside the window.
const outside = `((s) => [...document.querySelectorAll(s)].filter((e) => {
	const { left, top, right, bottom } = e.getBoundingClientRect();
	return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).map((e) => e.textContent).join(", "))`

// choose opens a page by its button at the bottom of a phone.
func (b *tab) choose(name string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("nav.bottom button")].find((e) => e.textContent.trim() === ` + quote(name) + `).click()`))
}

// A phone on its side shows whole pages and sheets, with their buttons in sight.
func TestOnItsSide(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	none := open(t, newPage(s).URL(), sideways)
	await(none, "ways on", `document.querySelectorAll(".ways article").length`, 3)
	await(none, "ways that are out of sight", outside+`(".ways article h2")`, "")
	await(none, "switches of a board that is not there",
		`document.querySelectorAll(".switch.share, .switch.marks").length`, 0)

	b := open(t, s.page.URL(), sideways)
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	b.choose("Write")
	b.shoot("editor on its side")
	await(b, "parts of the editor that cannot be used",
		hidden+`('.tools .first', '.tools a', '.printed', '.codearea')`, "")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".tools .first").click()`))
	await(b, "the start is offered", `document.querySelector(".starts .button") !== null`, true)
	b.shoot("editor on its side before the start")
	await(b, "parts of the editor that cannot be used before the start",
		hidden+`('.tools .first', '.starts .button', '.printed', '.codearea')`, "")
	await(b, "how much of the output is in sight",
		`document.querySelector(".printed").getBoundingClientRect().height >= 60`, true)
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`[...document.querySelectorAll(".tools .button")].find((e) => e.textContent === "Stop").click()`,
		),
	)
	b.choose("Match")
	await(b, "the seat is free again", shows(lobby, "4 seats free"), true)
	s.join(seats...)
	s.play(30)
	await(b, "turn on the board", boardTurn, 30)
	for _, name := range []string{"Recordings", "Rules"} {
		b.choose(name)
		await(b, "what is at the lower left of "+name, `document.elementFromPoint(20, 335)?.closest(".page") !== null && document.elementFromPoint(20, 370)?.closest("nav.bottom") !== null`, true)
	}
	b.choose("Match")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".chip").click()`))
	await(b, "a player's sheet", shows(card, "rank"), true)
	await(b, "parts of the sheet that are out of sight", outside+`(".card, .card .button")`, "")
	await(b, "the board is beside the sheet", `document.querySelector(".card").getBoundingClientRect().left >= document.querySelector(".stage").getBoundingClientRect().right`, true)
	b.press(kb.Escape)
	b.button("Speed and looks")
	await(b, "settings that are out of sight", outside+`("dialog dd")`, "")
}

// The button that starts the match is in sight in every window, however long the lobby is.
func TestStartInSight(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	b := open(t, s.page.URL())
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	for name, window := range map[string]void{"desktop": size(1440, 900), "phone": phone, "on its side": sideways} {
		b.do(window)
		await(b, name+": the button out of sight", outside+`(".acts .first")`, "")
	}
}
