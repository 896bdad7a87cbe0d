//go:build browser

package pagetest

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Expressions for what the tests of hexagonal tic-tac-toe read.
const (
	boardMove  = `Number(/move (\d+):/.exec(document.querySelector('[role="img"][aria-label^="Board"]')?.ariaLabel)?.[1] ?? -1)`
	boardState = `document.querySelector('[role="img"][aria-label^="Board"]')?.ariaLabel ?? ""`
	hand       = `(document.querySelector('.hand [role="status"]')?.textContent ?? "")`
)

const botsOnly = `{"player_x":{"type":"built-in","name":"threat"},"player_o":{"type":"built-in","name":"nearest"},
	"match_config":{"clock_type":"incremental","clock":60,"clock_increment":0.5}}`

// button presses the button with a name.
func (b *tab) button(name string) {
	b.t.Helper()
	find := `[...document.querySelectorAll("button")].find((e) => (e.ariaLabel ?? e.textContent).trim() === ` + quote(name) + ` && e.checkVisibility() && !e.disabled)`
	await(b, "the button "+name, find+` !== undefined`, true)
	b.do(chromedp.Evaluate[chromedp.Void](find + `.click()`))
}

func TestTictactoeLooks(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	live := open(t, s.page.URL(), prefers("dark"))
	await(live, "the page is there", `document.querySelector(".topbar .brand") !== null`, true)
	s.begin(botsOnly)
	recording := s.recorded()
	await(live, "cross wins before a viewer", shows(boardState, "threat", "has won", "row complete"),
		true)
	await(live, "the board is drawn", drawn, true)
	live.shoot("tictactoe live")
	const link = `document.querySelector('a[href$="#analysis"]')`
	await(live, "the link at the end of a live game", link+`?.textContent.trim() ?? ""`,
		"Analyse this game")
	live.do(chromedp.Evaluate[chromedp.Void](link + `.click()`))
	await(live, "the analysis is open",
		`document.querySelector('nav[aria-label="Pages"] [aria-current="page"]')?.innerText ?? ""`,
		"Analysis")
	await(live, "the judge can be asked",
		`document.querySelectorAll('[aria-label="Judge"] option').length > 1`, true)

	await(live, "that the judge has begun by itself",
		`document.querySelector('progress[aria-label="Moves judged"]') !== null || `+
			shows(standing, "moves judged"), true)

	b := open(t, recording, prefers("dark"))
	await(b, "a recording begins before the first move", boardMove, 0)
	b.press(kb.ArrowRight, kb.ArrowRight)
	await(b, "move on the board", boardMove, 2)
	b.press(kb.End)
	await(b, "the end is shown", shows(boardState, "has won"), true)
	last := value[int](b, boardMove)
	await(b, "moves of the list", `document.querySelectorAll('[aria-label="Moves"] li button').length`,
		last)
	await(b, "the evaluation of the end", `document.querySelector(".rail").ariaLabel.includes("wins")`,
		true)
	b.shoot("tictactoe end")
	b.press(kb.ArrowLeft, kb.ArrowLeft, "g", "c")
	await(b, "move on the board", boardMove, last-2)
	b.shoot("tictactoe considered")
	const shot = `document.querySelector(".board canvas:not([hidden])").toDataURL()`
	b.settle()
	before := value[string](b, shot)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[aria-label="Moves"] li button').dispatchEvent(new PointerEvent("pointerenter"))`))
	await(b, "the move that is pointed at in the list is outlined on the board",
		shot+" === "+quote(before), false)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[aria-label="Moves"] li button').dispatchEvent(new PointerEvent("pointerleave"))`))
	await(b, "the board without the outline", shot+" === "+quote(before), true)
	b.do(chromedp.Focus(".board"))
	b.press(kb.Enter)
	await(b, "the move of the piece under the cursor is marked in the list",
		`document.querySelectorAll('[aria-label="Moves"] .pointed').length`, 1)
	b.press(kb.Escape)
	b.button("Notation")
	await(
		b, "the notation",
		shows(`document.querySelector(".moves pre")?.textContent ?? ""`, "version[1]",
			"playercross[threat]", "winner[cross];", "\n1. ["),
		true,
	)
	b.button("List")
	b.press("c", "g", "d", kb.End)
	b.shoot("tictactoe light")
	b.do(size(390, 844))
	b.shoot("tictactoe phone")
	b.do(size(1440, 900))
	b.press("d")
	b.button("Rules")
	await(b, "the rules of this game",
		shows(`document.querySelector("main.rules")?.innerText ?? ""`, "Six in a row"), true)
	b.shoot("tictactoe rules")
}

// The page shows the rules of the match.
func TestTictactoeRules(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	s.begin(`{"player_x":{"type":"built-in","name":"nearest"},"player_o":{"type":"built-in","name":"random"},
		"match_config":{"view_distance":3,"win_distance":5,"turn_limit":40}}`)
	b := open(t, s.recorded(), prefers("dark"))
	await(b, "a recording begins before the first move", boardMove, 0)
	b.button("Rules")
	await(b, "its rules", shows(`document.querySelector("main.rules")?.innerText ?? ""`,
		"Five in a row win.", "at most 3 cells from", "Five or more", "After 40 moves without a row.", "Three in a row with both ends open"), true)
	await(b, "how far the picture is from the middle of the text", `((picture, text) =>
		Math.round(Math.abs(picture.left + picture.right - text.left - text.right)))(...["svg.example", "main.rules dl"].map((s) => document.querySelector(s).getBoundingClientRect()))`, 0)
	const ground = `getComputedStyle(document.querySelector("svg.example")).backgroundColor`
	await(b, "the ground of the picture", ground, "rgb(15, 19, 27)")
	b.shoot("tictactoe rules of five")
	b.press("d")
	await(b, "the ground of the picture in the light theme", ground, "rgb(241, 243, 247)")
	b.shoot("tictactoe rules of five light")
}

// A person plays a whole game with the mouse against the built-in bot, and plays it again.
func TestPersonPlays(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	b := open(t, s.page.URL(), prefers("dark"))
	b.button("Play hexagonal tic-tac-toe")
	b.do(phone)
	await(b, "options that are cut on a phone", `[...document.querySelectorAll(".newgame .options button")].filter((e) => e.getBoundingClientRect().right > innerWidth - 12).length`, 0)
	b.do(size(1440, 900))
	b.shoot("tictactoe new game")
	b.button("Circle, moves first")
	b.button("Begin")
	await(b, "it is the person's move", shows(hand, "choose two pieces"), true)
	const spoilers = `document.querySelectorAll(".evaluation, .considered, .moves .jump").length`
	await(b, "the ground of the rail, which hides the board",
		`getComputedStyle(document.querySelector(".rail")).backgroundColor`, "rgb(15, 19, 27)")
	await(b, "what tells of the other side's thoughts",
		spoilers+` + " " + document.querySelector(".rail").ariaLabel`, "0 No evaluation yet")
	b.shoot("tictactoe my move")
	b.press("d")
	const contrast = `(() => {
		const c = document.querySelector(".board canvas:not([hidden])");
		const ratio = c.width / c.clientWidth;
		const cell = 37 * Math.sqrt(3) * ratio; // at first, the middle piece stands in the middle of what the rail and the controls leave free
		const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(c, 0, 0);
		const [r, g, b, a] = copy.getImageData((c.width + 92 * ratio) / 2 + cell, (c.height - 80 * ratio) / 2, 1, 1).data;
		const stage = /(\d+), (\d+), (\d+)/.exec(getComputedStyle(document.querySelector(".stage")).backgroundColor).slice(1).map(Number);
		return a === 255 ? Math.max(...stage.map((v, i) => Math.abs(v - [r, g, b][i]))) : 0;
	})()`
	await(b, "allowed cells stand out in the light theme", contrast+" >= 24", true)
	b.press("d")
	moves := playBlindly(b, func(x, y float64) { b.do(chromedp.MouseClickXY(x, y)) })
	if moves < 2 {
		t.Errorf("the game was over after %d moves of the person", moves)
	}
	await(b, "the page says who has won", hand+` === "You have lost." || `+hand+` === "You have won."`,
		true)
	b.shoot("tictactoe lost")
	await(b, "the evaluation after the game", `document.querySelectorAll(".evaluation").length`, 1)
	// The page learns of the end from the seat, and from the match a little later.
	await(b, "the board shows the end", shows(boardState, "has won"), true)
	all := value[int](b, boardMove)
	// The last click may have been on a button, which then receives the keys.
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement?.blur()`))
	b.press(kb.Home)
	await(b, "the start, again", boardMove, 0)
	b.press("]", "]", " ")
	await(b, "it plays to the end", boardMove, all)
	again := open(t, s.recorded())
	await(again, "the recording is there",
		`Number(document.querySelector('input[type="range"]')?.max ?? 0) >= `+strconv.Itoa(all), true)
	await(again, "the recording's start", boardMove, 0)
	again.press(kb.End)
	await(again, "the recording's end", boardMove, all)
}

// playBlindly presses cells until the game is over, and returns the number of moves.
func playBlindly(b *tab, press func(x, y float64)) (moves int) {
	b.t.Helper()
	const always = 1000
	return moveBlindly(b, press, always)
}

// moveBlindly presses cells until a number of moves is sent or the game is over, and returns how
// many were sent.
func moveBlindly(b *tab, press func(x, y float64), most int) (moves int) {
	b.t.Helper()
	dice := rand.New(rand.NewPCG(1, 2))
	box := value[map[string]float64](b,
		`document.querySelector(".board").getBoundingClientRect().toJSON()`)
	for range 1000 {
		if moves == most {
			return moves
		}
		await(b, "something can be done", `/hoose|chosen|wins|You have/.test(`+hand+`)`, true)
		switch status := value[string](b, hand); {
		case strings.HasPrefix(status, "You have"):
			return moves
		case strings.Contains(status, "Two pieces chosen"), strings.Contains(status, "This piece wins"):
			b.button("Send")
			moves++
			await(b, "the move is sent", hand+` !== "Two pieces chosen."`, true)
		case strings.Contains(status, "hoose"):
			press(box["x"]+box["width"]*(0.3+0.4*dice.Float64()),
				box["y"]+box["height"]*(0.25+0.45*dice.Float64()))
		}
	}
	b.t.Fatal("the game does not end")
	return moves
}

// Two people play on two pages, one by keyboard and one by touch on a phone.
func TestTwoPeoplePlay(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	ann, address := s.invite(t)
	ann.shoot("tictactoe link")
	ann.button("To the board")
	await(ann, "ann waits", shows(hand, "Waiting"), true)

	bob := open(t, address, size(390, 844, chromedp.EmulateTouch))
	await(bob, "it is bob's move", shows(hand, "choose two pieces"), true)
	tap := func(x, y float64) {
		touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) void {
			return call(input.DispatchTouchEvent,
				input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		}
		bob.do(touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y}),
			touch(input.DispatchTouchEventTypeTouchEnd))
	}
	box := value[map[string]float64](bob,
		`document.querySelector(".board").getBoundingClientRect().toJSON()`)
	// above the line below the board and the controls of a person
	x, y := box["x"]+box["width"]/2, box["y"]+(box["height"]-34-80)/2
	tap(x, y)
	await(bob, "the middle is taken",
		shows(`document.querySelector(".notice")?.textContent ?? ""`, "taken"), true)
	tap(x+64, y)
	await(bob, "one piece is chosen", shows(hand, "second"), true)
	tap(x+64, y)
	await(bob, "it is taken back", shows(hand, "choose two"), true)
	tap(x+64, y)
	tap(x+32, y-55)
	await(bob, "two pieces are chosen", shows(hand, "Two pieces"), true)
	bob.shoot("tictactoe phone chosen")
	bob.button("Send")
	await(bob, "the first move", boardMove, 1)

	await(ann, "it is ann's move", shows(hand, "choose two pieces"), true)
	ann.do(chromedp.Focus(".board"))
	ann.press(kb.Enter)
	await(ann, "the cursor speaks",
		shows(`document.querySelector('[aria-live="polite"]').textContent`, "q"), true)
	ann.press(kb.Enter)
	await(ann, "a taken cell is explained",
		shows(`document.querySelector(".notice")?.textContent ?? ""`, "taken"), true)
	for _, keys := range []string{kb.ArrowUp, kb.ArrowUp} {
		ann.press(keys, kb.Enter)
	}
	await(ann, "two pieces are chosen", shows(hand, "Two pieces"), true)
	ann.shoot("tictactoe chosen")
	ann.press(kb.Enter)
	await(ann, "the second move", boardMove, 2)
	await(bob, "bob sees it", boardMove, 2)
}

// invite opens the page of ann, who asks for a game as cross. address is that of the other side.
func (s *salon) invite(t *testing.T) (ann *tab, address string) {
	t.Helper()
	ann = open(t, s.page.URL())
	ann.button("Play hexagonal tic-tac-toe")
	ann.button("Cross")
	ann.button("Another person")
	ann.button("Begin")
	const link = `document.querySelector(".newgame code")?.textContent ?? ""`
	await(ann, "there is a link", shows(link, "#play="), true)
	return ann, value[string](ann, link)
}

// meet opens the pages of ann and of bob, whom she has invited and whose move it is.
func (s *salon) meet(t *testing.T) (ann, bob *tab, address string) {
	t.Helper()
	ann, address = s.invite(t)
	ann.button("To the board")
	bob = open(t, address)
	await(bob, "it is bob's move", shows(hand, "choose two pieces"), true)
	return ann, bob, address
}

// A page with a link to a seat that another page plays or has played is a spectator's, and says
// so. A player who resigns has lost at once, and the other side is told.
func TestUsedLinkAndResigning(t *testing.T) {
	t.Parallel()
	s := newSalonWith(t, 0) // a token works once
	ann, bob, address := s.meet(t)

	late := open(t, address)
	const names = `[...document.querySelectorAll(".cards .name b")].map((e) => e.textContent.trim()).join()`
	await(late, "the page with a used link", hand, "The game is over, or this seat is not yours.")
	await(late, "the names on it", names, "person (o),person (x)")

	bob.button("Resign")
	await(bob, "one press asks", shows(hand, "choose two pieces"), true)
	bob.button("Resign now")
	await(bob, "bob's page", hand, "You have resigned.")
	await(ann, "ann's page", hand, "You have won by forfeit (left the game).")
	await(ann, "how the game ended", `document.querySelector(".verdict")?.textContent ?? ""`,
		"forfeit: left the game · move 0")

	s.recorded()
	list := open(t, s.page.URL())
	list.presses("Recordings")
	await(list, "who played, in the gallery",
		`[...document.querySelectorAll(".recordings .tile bdi")].map((e) => e.innerText).sort().join()`,
		"person (o),person (x)")
}

// A page asks before it is closed during a game and gets its seat back when it is reloaded;
// meanwhile the other side is told.
func TestSeatIsKept(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	ann, bob, _ := s.meet(t)

	const asks = `!dispatchEvent(new Event("beforeunload", { cancelable: true }))`
	await(bob, "bob's page asks before it is closed", asks, true)
	// a dialog would wait for a user
	letGo := chromedp.Evaluate[chromedp.Void](`BeforeUnloadEvent.prototype.preventDefault = () => {}`)
	bob.do(letGo, chromedp.Navigate("about:blank"))
	await(ann, "ann is told that bob is gone", shows(hand, "connection is lost"), true)
	bob.do(chromedp.Navigate(s.page.URL()))
	await(bob, "bob is back, and it is bob's move", shows(hand, "choose two pieces"), true)
	await(ann, "ann is told that bob is back", shows(hand, "connection is lost"), false)

	bob.do(letGo, chromedp.Reload())
	await(bob, "bob is back again", shows(hand, "choose two pieces"), true)
	bob.do(chromedp.Focus(".board"))
	bob.press(kb.Enter, kb.ArrowUp, kb.Enter, kb.ArrowUp, kb.Enter)
	await(bob, "two pieces are chosen", shows(hand, "Two pieces"), true)
	bob.press(kb.Enter)
	await(ann, "it is ann's move", shows(hand, "choose two pieces"), true)
	await(ann, "ann sees bob's", boardMove, 1)
}

// holdTurns holds back the turns of the live feed, which window.held counts, until window.release
// delivers them.
const holdTurns = `{
	const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	let late = [];
	window.held = 0;
	window.release = () => { late.forEach((deliver) => deliver()); late = null; };
	Object.defineProperty(WebSocket.prototype, "onmessage", {
		set(handle) {
			set.call(this, (m) => late && m.data.startsWith('{"type":"turn"') ? window.held = late.push(() => handle(m)) : handle(m));
		},
	});
}`

// Keys are not lost when a turn arrives between two of them and is not yet on the board.
func TestTurnBetweenKeys(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	ann, address := s.invite(t)
	ann.button("To the board")
	bob := open(
		t, address,
		call(page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: holdTurns}),
	)
	await(bob, "bob is asked before the first turn has arrived", shows(hand, "choose two pieces"),
		true)
	await(bob, "turns are held back", "window.held > 0", true)
	bob.do(chromedp.Focus(".board"), chromedp.Evaluate[chromedp.Void](`{
		const press = (...keys) => keys.forEach((key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
		press("Enter", "ArrowUp", "Enter");
		release();
		setTimeout(() => press("ArrowUp", "Enter"), 0); // after the page has handled the turn, in a task of its own
	}`))
	await(bob, "two pieces are chosen", shows(hand, "Two pieces"), true)
	bob.press(kb.Enter)
	await(ann, "it is ann's move", shows(hand, "choose two pieces"), true)
	await(ann, "ann sees bob's", boardMove, 1)
}
