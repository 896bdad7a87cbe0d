//go:build browser

package pagetest

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
)

// picture is what the board shows.
const picture = `document.querySelector(".board canvas").toDataURL()`

// lattice returns points of the board, about as close as its cells.
func lattice(b *tab) (points [][2]float64) {
	box := value[[4]float64](b, `(({left, top, right, bottom}) => [left, top, right, bottom])(document.querySelector(".board").getBoundingClientRect())`)
	const step = 31
	for y := box[1] + step; y < box[3]-step; y += step {
		for x := box[0] + 100; x < box[2]-80; x += step {
			points = append(points, [2]float64{x, y})
		}
	}
	return points
}

// Pointing at something shows its details.
func TestPointing(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	b := open(t, s.page.URL())
	turns := 30
	s.play(turns)
	await(b, "turn on the board", boardTurn, turns)
	wanted := map[string][]string{
		"Cell of ": {"place", "since"},
		"#":        {"cell", "state", "last action"},
		"Bomb of ": {"explodes", "range", "covers", "of these now"},
	}
	for len(wanted) > 0 && turns < 60 {
		b.press(" ") // stops animations
		before := value[string](b, picture)
		for _, at := range lattice(b) {
			if len(wanted) == 0 {
				break
			}
			b.do(chromedp.MouseClickXY(at[0], at[1]))
			told := value[string](b, `new Promise((r) => setTimeout(() => r(`+tooltip+`), 1))`,
				chromedp.EvalAwaitPromise)
			for start, words := range wanted {
				if len(told) < len(start) || told[:len(start)] != start {
					continue
				}
				await(b, fmt.Sprintf("%q tells of %q", told, words), shows(tooltip, words...), true)
				await(b, "the board shows what is pointed at", picture+" !== "+quote(before), true)
				b.shoot("pointing at " + start)
				delete(wanted, start)
			}
		}
		s.play(1)
		turns++
		b.press("l")
		await(b, "turn on the board", boardTurn, turns)
	}
	if len(wanted) > 0 {
		t.Errorf("nothing told of %v", wanted)
	}
	at := value[[2]float64](b, `(({left, top}) => [left + 150, top + 30])(document.querySelector(".ranking .row").getBoundingClientRect())`)
	b.do(
		call(input.DispatchMouseEvent,
			input.DispatchMouseEventParams{Type: "mouseMoved", X: at[0], Y: at[1]}),
	)
	await(b, "the card of a player",
		shows(card, "rank", "score", "alive", "bombs", "deaths", "skipped"), true)
	b.do(chromedp.Click(chromedp.CSS(".chart .u-over")))
	await(b, "a click in the middle of the curves goes back", boardTurn+" < "+strconv.Itoa(turns),
		true)
}

// fingers simulates fingers that touch or leave the screen.
func (b *tab) fingers(what input.DispatchTouchEventType, at ...[2]float64) {
	b.t.Helper()
	points := []*input.TouchPoint{}
	for i, p := range at {
		id := float64(i)
		points = append(points, &input.TouchPoint{X: p[0], Y: p[1], ID: &id})
	}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent,
			input.DispatchTouchEventParams{Type: what, TouchPoints: points})
		return err
	}))
}

func TestFingers(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(40)
	b := open(t, s.page.URL(), phone)
	await(b, "turn on the board", boardTurn, 40)
	b.press(" ")
	middle := value[[2]float64](b, `(({left, top, width, height}) => [left + width / 2, top + height / 2])(document.querySelector(".board").getBoundingClientRect())`)
	x, y := middle[0], middle[1]

	b.fingers("touchStart", [2]float64{x, y - 40}) // the islet
	b.fingers("touchEnd")
	await(b, "a tap tells of a cell", shows(tooltip, "place"), true)
	await(b, "it is a sheet at the bottom", `(({left, right, bottom}) => left >= 0 && right <= innerWidth && right - left > 360 && bottom > innerHeight - 120)(
		document.querySelector(".tooltip").getBoundingClientRect())`, true)
	b.shoot("phone sheet")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".tooltip .close").click()`))
	await(b, "the sheet when it is closed", tooltip, "")

	b.fingers("touchStart", [2]float64{x - 30, y}, [2]float64{x + 30, y})
	for d := 40.0; d <= 150; d += 10 {
		b.fingers("touchMove", [2]float64{x - d, y}, [2]float64{x + d, y})
	}
	b.fingers("touchEnd")
	await(b, "two fingers make it larger", touched+` !== ""`, true)
	b.shoot("phone magnified")
	await(b, "the board fits after two taps", `new Promise((done) => {
		const board = document.querySelector(".board");
		for (let i = 0; i < 2; i++) for (const type of ["pointerdown", "pointerup"]) {
			board.setPointerCapture = () => {};
			board.dispatchEvent(new PointerEvent(type, { pointerId: 9, pointerType: "touch", clientX: 60, clientY: 200, bubbles: true }));
		}
		done(true);
	}) && true`, true)
	await(b, "edges of its canvas that the board touches after two taps", touched, "")
}

// tap touches a point for a moment.
func (b *tab) tap(x, y float64) {
	b.t.Helper()
	b.fingers("touchStart", [2]float64{x, y})
	b.fingers("touchEnd")
}

// On a phone a card is a sheet that takes the taps on it. It is closed by a tap outside, which
// then does nothing else, and by a swipe down, and replaced by the tooltip of a cell.
func TestSheets(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(40)
	b := open(t, s.page.URL()+"#t=33", phone)
	await(b, "turn on the board", boardTurn, 33)
	point := func(selector string) (x, y float64) {
		at := value[[2]float64](b, `(({left, top, width, height}) => [left + width / 2, top + height / 2])(document.querySelector(`+quote(selector)+`).getBoundingClientRect())`)
		return at[0], at[1]
	}
	openCard := func() {
		t.Helper()
		b.tap(point(".chip"))
		await(b, "a chip tells of its player", shows(card, "rank", "cells"), true)
	}
	openCard()
	b.shoot("phone card")
	await(b, "the player that is followed", `document.querySelectorAll(".chip.followed").length`, 0)
	b.tap(195, 700)
	b.tap(point(".card dl"))
	b.settle()
	await(b, "turn on the board after taps on the sheet", boardTurn, 33)
	b.tap(point(".card .button"))
	await(b, "the player that is followed after the button",
		`document.querySelectorAll(".chip.followed").length`, 1)
	await(b, "the sheet, still", shows(card, "Stop following"), true)
	b.tap(point(".topbar .switch.light, .topbar .switch.dark"))
	await(b, "the card after a tap outside", card, "")
	light := value[bool](b, isLight)
	b.settle()
	await(b, "light after a tap outside", isLight, light)

	openCard()
	x, y := point(".card")
	b.fingers("touchStart", [2]float64{x, y})
	for d := 10.0; d <= 80; d += 10 {
		b.fingers("touchMove", [2]float64{x, y + d})
	}
	b.fingers("touchEnd")
	await(b, "the card after a swipe down", card, "")

	b.settle() // the browser takes a tap for the end of the swipe otherwise
	openCard()
	x, y = point(".board")
	b.tap(x, y-40) // the islet
	await(b, "a cell's sheet in place of the card", shows(tooltip, "place")+" && "+card+` === ""`,
		true)
	b.shoot("phone sheet of a cell")
	openCard()
	await(b, "the card in place of the cell's sheet", tooltip, "")
}
