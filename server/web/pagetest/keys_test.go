//go:build browser

package pagetest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

const (
	tooltip = `(document.querySelector(".tooltip:not(.card)")?.innerText ?? "")`
	card    = `(document.querySelector(".tooltip.card")?.innerText ?? "")`
)

// Each key does what the page's list of keys says.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	b := open(t, s.recordingURL("#t=43"))
	await(b, "turn on the board", boardTurn, 43)
	light := value[bool](b, isLight)
	for _, step := range []struct {
		key, what, expression string
		want                  any
	}{
		{"c", "coordinates", `document.querySelector(".switch.coordinates").ariaPressed`, "true"},
		{"c", "coordinates", `document.querySelector(".switch.coordinates").ariaPressed`, "false"},
		{"m", "marks", `document.querySelector(".switch.marks").ariaLabel`, "Marks: letters"},
		{"m", "marks", `document.querySelector(".switch.marks").ariaLabel`, "Marks: strong"},
		{"m", "marks", `document.querySelector(".switch.marks").ariaLabel`, "Marks: off"},
		{"d", "light", isLight, !light},
		{"]", "speed", `document.querySelector('[aria-label="Speed"] [aria-pressed="true"]').textContent`, "2×"},
		{"[", "speed", `document.querySelector('[aria-label="Speed"] [aria-pressed="true"]').textContent`, "1×"},
		{".", "the turn on the board", boardTurn, 44},
		{kb.ArrowLeft, "the turn on the board", boardTurn, 43},
		{"2", "who is followed", `document.querySelectorAll('.whole[aria-pressed="true"]').length`, 1},
		{"3", "whose events are listed", `document.querySelector(".events .only bdi")?.textContent === document.querySelector('.whole[aria-pressed="true"]').closest("li").querySelector(".name b").textContent`, true},
		{"0", "whose events are listed", `document.querySelectorAll(".events .only").length`, 0},
		{"0", "who is followed", `document.querySelectorAll('.whole[aria-pressed="true"]').length`, 0},
		{"s", "the sheet to share", `document.querySelector("dialog.share") !== null`, true},
		{kb.Escape, "the sheet to share", `document.querySelector("dialog.share") !== null`, false},
		{"+", "edges that the board touches", touched + ` !== ""`, true},
		{"z", "edges that the board touches", touched, ""},
		{"p", "projector", `document.documentElement.classList.contains("projector")`, true},
		{"p", "projector", `document.documentElement.classList.contains("projector")`, false},
		{"f", "full screen", `document.fullscreenElement !== null`, true},
		{"f", "full screen", `document.fullscreenElement !== null`, false},
	} {
		presses := 1
		if step.key == "+" {
			presses = 4
		}
		for range presses {
			b.press(step.key)
		}
		awaitAny(b, step.what+" after "+step.key, step.expression, step.want)
	}
}

// awaitAny is await for a value of any type.
func awaitAny(b *tab, what, expression string, want any) {
	b.t.Helper()
	await(b, what, "String("+expression+")", fmt.Sprint(want))
}

// All controls and cells can be reached by keyboard.
func TestKeyboardGetsEverywhere(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(40)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 40)
	const operable = `[...document.querySelectorAll("button, a[href], input, [tabindex='0']")].filter((e) =>
		e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }))`
	const missed = operable + `.filter((e) => !visited.has(e)).map((e) => e.outerHTML).join("\n")`
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`window.visited = new Set(); document.addEventListener("focusin", (e) => visited.add(e.target))`,
		),
	)
	// Rows and buttons can still appear behind the focus, so twice around is allowed.
	for range 2 * value[int](b, operable+".length") {
		if b.press(kb.Tab); value[string](b, missed) == "" {
			break
		}
	}
	await(b, "what Tab never gets to", missed, "")

	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".whole").focus()`))
	await(b, "the card of the player with the focus",
		shows(card, "rank", "cells", "bombs", "thinking", "refused", "connection"), true)
	b.press(kb.Escape)
	await(b, "the card after Esc", card, "")

	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".board").focus()`))
	b.press(kb.Enter)
	await(b, "the cursor is told something", tooltip+` !== ""`, true)
	at := value[string](b, tooltip)
	b.press(kb.ArrowRight)
	await(b, "the next cell is told of", tooltip+` !== `+quote(at), true)
	await(b, "the turn stays", boardTurn, 40)
	await(b, "it is said aloud", `document.querySelector('[aria-live="polite"]').textContent !== ""`,
		true)
	b.press(kb.Escape)
	await(b, "what the cursor is told after Esc", tooltip, "")
}
