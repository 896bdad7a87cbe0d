//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// middleOfBoard is where a click hits the middle of the room for the board.
const middleOfBoard = `(() => {
	const { left, top, right, bottom } = document.querySelector(".board").getBoundingClientRect();
	return [(left + right + (document.querySelector(".rail")?.offsetWidth > 0 ? 92 : 0)) / 2, (top + bottom) / 2];
})()`

const (
	minimap = `document.querySelector(".minimap")`
	// part is the frame around the part in view, in whole pixels.
	part = `(() => { const { left, top, width, height } = document.querySelector(".minimap .part").getBoundingClientRect(); return [left, top, width, height].map(Math.round).join(" "); })()`
	// pressedPiece is the button of the character in the middle.
	pressedPiece = `document.querySelector('.centre [aria-pressed="true"]')?.textContent ?? ""`
)

// A character of the followed player stays in the middle turn by turn, with and without motion,
// until the viewer moves the board.
func TestCharacterInTheMiddle(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 60)
	s.join(seats...)
	s.finish()
	for name, motion := range map[string]void{"smoothly": prefers("dark"), "at once": still("dark")} {
		b := open(t, s.recordingURL("#t=4"), motion)
		await(b, "turn on the board", boardTurn, 4)
		b.press("h")
		await(b, "a hint while no player is followed",
			`document.body.innerText.includes("Follow a player first")`, true)
		b.press("1")
		await(b, "buttons of the characters", `document.querySelectorAll(".centre button").length > 0`,
			true)
		await(b, "a map while the whole board is in view", minimap+` === null`, true)
		first := value[string](b, `document.querySelector(".centre button").textContent`)
		b.press("h")
		await(b, "which character is in the middle", pressedPiece, first)
		for turn := 4; turn < 12; turn++ {
			await(b, "turn on the board", boardTurn, turn)
			b.settle()
			at := value[[]float64](b, middleOfBoard)
			b.do(chromedp.MouseClickXY(at[0], at[1]))
			await(b, "what is in the middle", tooltip+`.includes(`+quote(first+" of ")+`)`, true)
			b.press(kb.Escape, kb.ArrowRight)
		}
		await(b, "the map", minimap+` !== null`, true)
		if name == "smoothly" {
			b.looks("character in the middle")
		}
		before := value[string](b, part)
		b.do(chromedp.Focus(".minimap"), chromedp.KeyEvent(kb.ArrowLeft))
		await(b, "the part in view has moved", part+` !== `+quote(before), true)
		await(b, "the turn after an arrow on the map", boardTurn, 12)
		await(b, "no character is kept in the middle", pressedPiece, "")
		b.press("z")
		await(b, "no map of a board that is in view", minimap+` === null`, true)
	}
}

// A click on the map of a large board shows that part of it.
func TestMinimap(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 20)
	s.join(seats...)
	s.finish()
	b := open(t, s.recordingURL("#t=9"))
	await(b, "turn on the board", boardTurn, 9)
	b.press("+", "+", "+", "+")
	await(b, "the map", `document.querySelector(".minimap canvas") !== null`, true)
	middle := value[string](b, part)
	at := value[[]float64](b,
		`(({ left, top }) => [left + 30, top + 30])(`+minimap+`.getBoundingClientRect())`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	await(b, "the part in view has moved", part+` !== `+quote(middle), true)
	await(b, "what the click says about the board", tooltip, "")
	auditor(t)(b, "map of a large board")
	b.looks("map of a large board")
}

// The board of tic-tac-toe, which has no end, has a map of its pieces while some of them are out of
// sight, and the card of a turn shows them.
func TestTictactoeIsSmall(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	s.begin(botsOnly)
	b := open(t, s.recorded(), prefers("dark"))
	await(b, "a recording begins before the first move", boardMove, 0)
	b.press(kb.End)
	await(b, "the end is shown", shows(boardState, "has won"), true)
	await(b, "a map while all pieces are in view", minimap+` === null`, true)
	b.press("+", "+", "+", "+", "+", "+")
	await(b, "the map", `document.querySelector(".minimap canvas") !== null`, true)
	await(b, "maps that are not drawn", blank(".minimap"), 0)
	before := value[string](b, part)
	b.do(chromedp.Focus(".minimap"), chromedp.KeyEvent(kb.ArrowLeft))
	await(b, "the part in view has moved", part+` !== `+quote(before), true)
	b.looks("map of tic-tac-toe")
	b.do(size(390, 844))
	await(b, "the map on a phone is not covered", `(({ left, top, width, height }) => document.elementFromPoint(left + width / 2, top + 9)?.closest(".minimap") !== null)(`+minimap+`.getBoundingClientRect())`, true)
	b.shoot("view map of tic-tac-toe phone")
	b.do(size(1440, 900))
	b.hasTurnCard("view card of a move")
	b.press("z")
	await(b, "no map of a board that is in view", minimap+` === null`, true)
}

// hasTurnCard awaits the small board of a turn below the pointer, and takes a picture with a name.
func (b *tab) hasTurnCard(name string) {
	b.t.Helper()
	track := value[[]float64](b, `(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector(".track").getBoundingClientRect())`)
	b.do(chromedp.MouseEvent("mouseMoved", track[0], track[1]))
	await(b, "the board on the card of a turn", `document.querySelectorAll(".turncard canvas").length`,
		1)
	await(b, "boards that are not drawn", blank(".turncard"), 0)
	await(b, "the card is above the timeline", `document.querySelector(".turncard").getBoundingClientRect().bottom <= document.querySelector(".track").getBoundingClientRect().top`, true)
	b.shoot(name)
	b.do(chromedp.MouseEvent("mouseMoved", 300, 300))
}
