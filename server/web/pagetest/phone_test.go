//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// more opens or reads the dialog with what a phone's bar has no room for.
const more = `document.querySelector("dialog[open].more")`

// On a phone, speed, marks, coordinates and theme are in a dialog, and players have names.
func TestPhoneHasAll(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.finish()
	b := open(t, s.recordingURL("#t=20"), phone, prefers("dark"))
	await(b, "turn on the board", boardTurn, 20)
	b.button("Speed and looks")
	await(b, "the dialog is within the window", more+`?.getBoundingClientRect().right <= 390`, true)
	await(b, "options that do not fit", `[...document.querySelectorAll("dialog .options")].filter((o) => o.getBoundingClientRect().right > 390 - 16).length`, 0)
	chosen := func(group string) string {
		return more + `?.querySelector('[aria-label="` + group + `"] [aria-pressed="true"]')?.textContent ?? ""`
	}
	for group, option := range map[string]string{
		"Speed": "2×", "Marks": "Letters", "Coordinates": "Where there is room", "Theme": "Light",
	} {
		b.button(option)
		await(b, group, chosen(group), option)
	}
	await(b, "the page is light", isLight, true)
	b.shoot("phone looks")
	b.press(kb.Escape)
	await(b, "the dialog is closed", more+" === null", true)

	await(b, "icons of pages that look alike", `((icons) => icons.length - new Set(icons).size)([...document.querySelectorAll("nav.bottom svg")].map((e) => e.innerHTML))`, 0)
	b.button("My bot")
	await(b, "hints at a keyboard",
		`[...document.querySelectorAll(".keyboard")].filter((e) => e.checkVisibility()).length`, 0)
	await(b, "names of the players",
		`[...document.querySelectorAll(".choice button")].map((e) => e.innerText.trim()).sort().join()`,
		"hunter,painter,painter2,random")
	b.shoot("phone players")
	b.button("Recordings")
	await(b, "what the gallery says of a match",
		shows(`document.querySelector(".recordings .tile")?.innerText ?? ""`, "hunter", maps.Default),
		true)
	await(b, "what the page is too wide by", `document.scrollingElement.scrollWidth - 390`, 0)
	b.shoot("phone recordings")
}

// A phone scrolls to the player that is followed.
func TestPhoneFollows(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.play(20)
	b := open(t, s.page.URL(), phone)
	await(b, "turn on the board", boardTurn, 20)
	for _, key := range []string{"1", "2", "3", "4"} {
		b.press(key)
		await(b, "the followed player is in sight", `((chip) => chip !== null && chip.left >= 0 && chip.right <= 390)(document.querySelector(".chip.followed")?.getBoundingClientRect() ?? null)`, true)
	}
}

// A tablet shows the players above the board.
func TestTablet(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.play(20)
	b := open(t, s.page.URL(), size(1024, 768))
	await(b, "turn on the board", boardTurn, 20)
	await(b, "players that are out of sight", hidden+`('.chip:nth-child(1)', '.chip:nth-child(4)', '[role="img"][aria-label^="Board"]', 'button[aria-label="Pause"]', 'input[aria-label="Turn"]')`, "")
	await(b, "names of the players", `document.querySelectorAll(".chip small").length`, 4)
	b.shoot("tablet")
	b.do(chromedp.Click(chromedp.CSS(".chip")))
	await(b, "a player's card", shows(card, "rank"), true)
}

// When the tab was hidden, it shows the newest turn at once, without transitions.
func TestTabComesBack(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.play(10)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 10)
	b.settle()
	hide := func(hidden string) void {
		return chromedp.Evaluate[chromedp.Void](`Object.defineProperty(document, "hidden", { value: ` + hidden + `, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"))`)
	}
	b.do(hide("true"))
	s.finish()
	await(b, "the page has all turns",
		`document.querySelector('input[aria-label="Turn"]').ariaValueText.startsWith("99 of")`, true)
	const back = `(() => {
		Object.defineProperty(document, "hidden", { value: false, configurable: true });
		document.dispatchEvent(new Event("visibilitychange"));
		const moving = document.getAnimations().length;
		return [` + boardTurn + `, moving, ` + ranking + `].join("; ");
	})()`
	await(b, "what the tab shows at once", back, "100; 0; "+s.ranking(100))
	await(b, "transitions are back", `document.documentElement.classList.contains("still")`, false)
}

// boardPixels are what the board shows.
const boardPixels = `(() => {
	const canvas = document.querySelector(".board canvas:not([hidden])");
	const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(canvas, 0, 0);
	return copy.getImageData(0, 0, canvas.width, canvas.height);
})()`

// sinceKept says how the board differs from window.kept, "" if it looks the same. The edges of
// cells that a turn has drawn again are smoothed a little differently from those of a whole board:
// of one pixel in ten by less than 40 of 255, and of a few by more.
const sinceKept = `(() => {
	const was = window.kept, is = ` + boardPixels + `;
	if (was.width !== is.width || was.height !== is.height) return was.width + " by " + was.height + " are " + is.width + " by " + is.height;
	let differ = 0;
	for (let i = 0; i < is.data.length; i += 4)
		if ([0, 1, 2, 3].some((j) => Math.abs(was.data[i + j] - is.data[i + j]) > 40)) differ++;
	return differ > is.width * is.height / 1000 ? differ + " pixels differ" : "";
})()`

// On a board whose cells are small on a phone, marks tell whose a cell is, not the colour alone.
func TestMarksOnAPhone(t *testing.T) {
	t.Parallel()
	s := newShow(t, "honeycomb", 100)
	s.join(seats...)
	s.play(40)
	b := open(t, s.page.URL(), phone, prefers("dark"))
	await(b, "turn on the board", boardTurn, 40)
	await(b, "the board is drawn", drawn, true)
	await(b, "events that are cut", `[...document.querySelectorAll(".events .line")].filter((e) => e.scrollWidth > e.clientWidth + 1).length`, 0)
	b.settle()
	value[bool](b, `(window.kept = `+boardPixels+`).width > 0`)
	b.press("m", "m", "m") // letters, strong, off
	b.settle()
	if value[string](b, sinceKept) == "" {
		t.Error("the board looks the same without marks")
	}
	b.press("m")
	b.settle()
	await(b, "what is not back as it was", sinceKept, "")
	b.shoot("marks on a phone")
}
