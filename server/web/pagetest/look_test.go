//go:build browser

package pagetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// hidden returns the elements of a selector that a user cannot use: they are partly outside
// the window or covered.
const hidden = `((...selectors) => selectors.filter((s) => {
	const e = document.querySelector(s);
	if (!e) return true;
	const box = e.getBoundingClientRect();
	const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
	return box.width === 0 || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight ||
		!(e.contains(top) || top?.contains(e));
}).join(", "))`

// touched returns the edges of the canvas that the board reaches; its shadow may reach
// them.
const touched = `(() => {
	const canvas = document.querySelector('[role="img"][aria-label^="Board"] canvas');
	const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(canvas, 0, 0);
	const edges = { left: [0, 0, 1, canvas.height], right: [canvas.width - 1, 0, 1, canvas.height],
		top: [0, 0, canvas.width, 1], bottom: [0, canvas.height - 1, canvas.width, 1] };
	return Object.keys(edges).filter((e) => copy.getImageData(...edges[e]).data.some((v, i) => i % 4 === 3 && v > 200)).join(", ");
})()`

// cut returns the parts of the title that are truncated, shown those that are visible.
const (
	cut = `(() => {
		const box = document.querySelector(".title").getBoundingClientRect();
		return [...document.querySelectorAll(".title > *")].filter((e) => {
			const part = e.getBoundingClientRect();
			return part.top < box.bottom - 1 && (part.right > box.right + 1 || part.bottom > box.bottom + 1);
		}).map((e) => e.textContent).join(", ");
	})()`
	shown = `[...document.querySelectorAll(".title > *")].filter((e) =>
		e.getBoundingClientRect().top < document.querySelector(".title").getBoundingClientRect().bottom - 1)
		.map((e) => e.textContent).join(", ")`
)

// The title has room for the map's name, and drops whole parts if it has less space.
func TestTitle(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(3)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 3)
	b.press(kb.ArrowLeft)
	await(b, "turn on the board", boardTurn, 2)
	for _, width := range []int64{1920, 1440, 1280, 1181, 1000, 800, 390, 320} {
		b.do(size(width, 800))
		await(b, fmt.Sprintf("words of the title that are cut at %d", width), cut, "")
		if width > 1180 {
			await(b, fmt.Sprintf("the map is named at %d", width),
				shows(shown, "hexabomb", "classical", "map "+maps.Default), true)
		}
		if width >= 1440 {
			await(b, fmt.Sprintf("the seed is named at %d", width), shows(shown, "seed 12"), true)
		}
	}
}

// While a player is followed, the heading of the events has room for its name and for the filters.
func TestHeadingOfEvents(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(30)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 30)
	b.press("1")
	await(b, "the frame of the followed row has the player's "+
		"colour", `((row) => getComputedStyle(row).boxShadow.startsWith(getComputedStyle(row, "::before").backgroundColor))(document.querySelector(".row.followed"))`, true)
	for _, width := range []int64{1920, 1440, 1180} {
		b.do(size(width, 900))
		await(b, fmt.Sprintf("filters that are cut at %d", width), `document.querySelector(".events .only") === null ? "no name" :
			[...document.querySelectorAll(".events .section button")].filter((e) => e.getBoundingClientRect().right > innerWidth - 4).map((e) => e.textContent).join()`, "")
	}
}

// A notice does not cover the heading of the editor.
func TestNoticeBesideTheEditor(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	b := openEditor(t, s)
	for name, window := range map[string]void{"desktop": size(1440, 900), "small": size(1180, 800), "phone": phone} {
		b.do(window)
		b.button("Reset to starter")
		await(b, name+": what the notice covers of the heading", `((n, h) => n === undefined ? "no notice" :
			n.left < h.right && n.right > h.left && n.top < h.bottom && n.bottom > h.top ? "some" : "nothing")(
			...[".notice", ".edit .section"].map((s) => document.querySelector(s)?.getBoundingClientRect()))`, "nothing")
	}
	b.do(chromedp.Evaluate[chromedp.Void](codeField + `.focus()`))
	await(b, "the frame of the code while one types", `getComputedStyle(`+codeField+`).outlineWidth`,
		"1px")
}

// The panel stands beside the board down to 1180 pixels.
func TestPanelBeside(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(3)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 3)
	for width, beside := range map[int64]bool{1180: true, 1179: false} {
		b.do(size(width, 800))
		await(b, fmt.Sprintf("the panel is beside the board at %d", width), `document.querySelector(".panel").getBoundingClientRect().left >=
			document.querySelector(".stage").getBoundingClientRect().right`, beside)
	}
}

// Without scripts the page says that it needs them, in sight.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	b := openEmpty(t)
	b.do(
		call(emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true}),
		chromedp.Navigate(s.page.URL()),
	)
	await(b, "the notice is in sight", `((p) => p !== null && p.checkVisibility() && p.getBoundingClientRect().bottom < innerHeight)(document.querySelector("noscript p"))`, true)
	b.shoot("without scripts")
}

// cramped returns the buttons that are hard to touch: smaller than 44 pixels, or in a row
// without room for them and for the focus ring.
const cramped = `(() => {
	const row = document.querySelector(".controls").getBoundingClientRect();
	return [...document.querySelectorAll(".controls button, .options button, .events li button, nav.bottom button")].filter((e) => {
		const box = e.getBoundingClientRect();
		if (box.width === 0) return false;
		const out = box.left < row.left || box.right > row.right || box.top - 5 < row.top || box.bottom + 5 > row.bottom;
		return box.width < 44 || box.height < 44 || (e.closest(".controls") && out);
	}).map((e) => e.ariaLabel ?? e.textContent).join(", ");
})()`

func TestPhone(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 3000)
	b := open(t, s.page.URL(), phone)
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	await(b, "words of the lobby's title that are cut", cut, "")
	b.shoot("phone lobby")
	s.join(seats...)
	s.play(60)
	await(b, "turn on the board", boardTurn, 60)
	await(b, "the board is drawn", drawn, true)
	controls := []string{
		`[role="img"][aria-label^="Board"]`, `section[aria-label="Players"] button`,
		`button[aria-label="Pause"]`, `button[aria-label="Back one turn"]`,
		`button[aria-label="Forward one turn"]`,
		`input[aria-label="Turn"]`, `button.live`, `nav.bottom button:first-child`,
		`nav.bottom button:last-child`,
	}
	await(b, "controls that cannot be used", hidden+"(`"+strings.Join(controls, "`, `")+"`)", "")
	const wide = `document.scrollingElement.scrollWidth - 390`
	await(b, "what the page is too wide by", wide, 0)
	await(b, "edges of its canvas that the board touches", touched, "")
	await(b, "words of the title that are cut", cut, "")
	await(b, "buttons that a thumb may miss", cramped, "")
	b.shoot("phone")
	b.button("Back one turn")
	for _, width := range []int64{320, 360, 390} {
		b.do(
			size(width, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch,
				chromedp.EmulatePortrait),
		)
		await(b, fmt.Sprintf("buttons that a thumb may miss at %d", width),
			button("Go live")+" ? "+cramped+` : "no Go live"`, "")
		b.shoot(fmt.Sprintf("phone behind %d", width))
	}
	b.button("Go live")
	await(b, "turn on the board, live again", boardTurn, 60)
	for i, name := range []string{"match", "ranking", "my bot", "recordings", "rules"} {
		b.do(
			chromedp.Evaluate[chromedp.Void](
				fmt.Sprintf(`document.querySelectorAll("nav.bottom button")[%d].click()`, i)),
		)
		await(b, name+" is open",
			fmt.Sprintf(`document.querySelectorAll("nav.bottom button")[%d].ariaCurrent`, i), "page")
		await(b, "what "+name+" is too wide by", wide, 0)
		await(b, "buttons that a thumb may miss in "+name, cramped, "")
		b.shoot("phone " + name)
	}
}

// A phone in landscape and a window at 200 % zoom show everything.
func TestSmallAndWide(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(40)
	b := open(t, s.page.URL())
	for name, window := range map[string][2]int64{"landscape": {844, 390}, "magnified": {720, 450}} {
		b.do(size(window[0], window[1], chromedp.EmulateScale(2)))
		await(b, name+": controls that cannot be used", hidden+`('[role="img"][aria-label^="Board"]', '.chip', 'button[aria-label="Pause"]',
			'button[aria-label="Next event"]', 'input[aria-label="Turn"]', 'button.live', 'nav.bottom button:first-child', 'nav.bottom button:last-child')`, "")
		await(b, name+": edges of its canvas that the board touches", touched, "")
		await(b, name+": words of the title that are cut", cut, "")
		b.button("Back one turn")
		await(b, name+": buttons that a thumb may miss",
			button("Go live")+" ? "+cramped+` : "no Go live"`, "")
		b.shoot(name)
		b.button("Go live")
		b.do(
			chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("nav.bottom button")[1].click()`))
		await(b, name+": the ranking",
			hidden+`('section[aria-label="Ranking"] li.leader', '[role="img"][aria-label^="Board"]')`, "")
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("nav.bottom button").click()`))
	}
}

// The projector view shows recent events for a short time.
func TestProjectorNews(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.finish()
	b := open(t, s.recordingURL(""))
	await(b, "a recording opens at its start", boardTurn, 0)
	b.press(kb.End, "p")
	const news = `(() => {
		const line = document.querySelector(".news");
		return line ? getComputedStyle(line).visibility + ": " + line.textContent : "";
	})()`
	await(b, "news of the end", shows(news, "visible: ", "match"), true)
	for turn := value[int](b, boardTurn); turn > 0; turn-- {
		if value[bool](b, `document.querySelector(".news.old") !== null`) {
			break
		}
		b.press(kb.ArrowLeft)
		await(b, "turn on the board", boardTurn, turn-1)
	}
	await(b, "old news", shows(news, "hidden: "), true)
	b.shoot("projector without news")
}

// isLight reports whether the page's background is light.
const isLight = `(() => {
	const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
	return (r + g + b) / 3 > 128;
})()`

func TestLightAndDark(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(80)
	b := open(t, s.page.URL(), prefers("light"))
	await(b, "turn on the board", boardTurn, 80)
	await(b, "light where the system is", isLight, true)
	b.shoot("light")
	b.do(prefers("dark"))
	await(b, "light where the system has become dark", isLight, false)
	b.shoot("dark")
	b.press("d")
	await(b, "light after D", isLight, true)
	b.press("d")
	await(b, "light after D twice", isLight, false)
	b.do(prefers("light"), chromedp.Reload())
	await(b, "turn on the board after it is loaded again", boardTurn, 80)
	await(b, "light although dark was chosen", isLight, false)
}

// All controls have accessible names.
func TestNames(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	b := open(t, s.page.URL())
	check := func(where string, wanted ...control) {
		t.Helper()
		list := b.controls()
		found := map[control]bool{}
		for _, c := range list {
			found[c] = true
			if c.name == "" {
				t.Errorf("%s: a %s has no name", where, c.role)
			}
		}
		for _, c := range wanted {
			if !found[c] {
				t.Errorf("%s: there is no %s %q among %q", where, c.role, c.name, list)
			}
		}
	}
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	check("lobby", control{"button", "Copy " + s.server.Addr().String()}, control{"button", "Keys"})
	s.join(seats...)
	s.play(40)
	await(b, "turn on the board", boardTurn, 40)
	check("live", control{"button", "Pause"}, control{"slider", "Turn"}, control{"button", "Next event"}, control{"button", "Previous event"},
		control{"button", "Follow " + seats[0]}, control{"button", "Live"})
	b.press("?")
	await(b, "the keys are shown",
		`document.querySelector('dialog[open][aria-label="Keys"]') !== null`, true)
	check("keys", control{"dialog", "Keys"}, control{"button", "Close"})
	b.shoot("keys")
	b.press(kb.Escape)
	await(b, "the keys are there", `document.querySelector("dialog") !== null`, false)
	b.press("p")
	await(b, "it looks as for a projector", `document.documentElement.classList.contains("projector")`,
		true)
	check("projector")
	b.shoot("projector")
	b.press("p")
	for _, name := range []string{"Recordings", "Rules"} {
		b.presses(name)
		await(b, name+" are shown", `document.querySelector("main.`+strings.ToLower(name)+`") !== null`,
			true)
		check(name)
		b.shoot(name)
	}
	await(b, "drawn examples",
		`document.querySelectorAll('.examples [role="img"][aria-label]').length`, 3)
	b.press("d")
	b.shoot("rules after D")
}

// The other tests rely on this: a tab notices every error in its page.
func TestProblemsAreNoticed(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	b := openEmpty(t)
	b.do(chromedp.Navigate(s.page.URL()))
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	if problems := b.taken(); len(problems) > 0 {
		t.Errorf("before anything is wrong: %q", problems)
	}
	for expression, want := range map[string]string{
		`console.error("one")`:                                                `one`,
		`console.warn("two")`:                                                 `two`,
		`setTimeout(() => { throw new Error("3") })`:                          `Error: 3`,
		`void Promise.reject(new Error("4"))`:                                 `Error: 4`,
		`document.body.setAttribute("style", "color: red")`:                   `forbidden by style-src`,
		`document.body.append(Object.assign(new Image(), {src: "/nowhere"}))`: `404`,
	} {
		b.do(chromedp.Evaluate[chromedp.Void](expression))
		for deadline := time.Now().Add(patience); !strings.Contains(strings.Join(b.taken(), "\n"), want); {
			if time.Now().After(deadline) {
				t.Fatalf("after %s: %q, want %q", expression, b.taken(), want)
			}
			value[bool](b, `new Promise((r) => requestAnimationFrame(() => r(true)))`,
				chromedp.EvalAwaitPromise)
		}
	}
}
