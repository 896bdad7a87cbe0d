//go:build browser

package pagetest

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// eventTurns reads the turns in the page's list of events, and returns the steps that led to their boards.
const eventTurns = `[...document.querySelectorAll('[aria-label="Events, newest first"] li .turn')]
	.map((e) => e.textContent).filter((n) => /^\d+$/.test(n)).map((n) => Number(n) + 1).sort((a, b) => a - b)`

// A recording opens paused at its first turn, and plays after a key is pressed.
func TestRecordingOpens(t *testing.T) {
	t.Parallel()
	eachKept(t, func(t *testing.T, s *show, open kept) {
		b := open(t, "")
		await(b, "turn on the board", boardTurn, 0)
		await(b, "ranking", ranking, s.ranking(0))
		await(b, "the board is drawn", drawn, true)
		await(b, "what has the focus", `document.activeElement?.ariaLabel`, "Play")
		await(b, "what the page says that it is",
			`document.querySelector(".topbar .chipstate").innerText`, "REPLAY")
		await(b, "viewers and the way to what is live",
			`document.querySelectorAll(".viewers, button.live").length`, 0)
		b.press(" ")
		await(b, "it plays", boardTurn+" > 3", true)
	})
}

func TestRecordingByKeyboard(t *testing.T) { eachKept(t, byKeyboard) }

func byKeyboard(t *testing.T, s *show, open kept) {
	b := open(t, "#t=43")
	await(b, "turn on the board", boardTurn, 43)
	await(b, "ranking", ranking, s.ranking(43))
	await(b, "what has the focus", `document.activeElement.ariaLabel`, "Play")
	b.shoot("recording")
	step := func(key string, turn int, options ...chromedp.KeyOption) {
		t.Helper()
		b.do(chromedp.KeyEvent(key, options...))
		await(b, "turn on the board after "+key, boardTurn, turn)
	}
	step(kb.ArrowRight, 44)
	step(kb.ArrowLeft, 43)
	step(kb.ArrowRight, 53, chromedp.KeyModifiers(chromedp.ModifierShift))
	turns := value[[]int](b, eventTurns) // at the end the list does not have the first ones any more
	if len(turns) < 2 {
		t.Fatalf("events in turns %v, want some", turns)
	}
	step(kb.End, recordedTurns)
	await(b, "ranking at the end", ranking, s.ranking(recordedTurns))
	step(kb.Home, 0)
	step("n", turns[0])
	step("n", turns[1])
	step("b", turns[0])
	b.press(" ")
	await(b, "it plays on", boardTurn+" > "+value[string](b, "String("+boardTurn+")"), true)
	b.press(" ")
	await(b, "the button that plays is back",
		`document.querySelector('button[aria-label="Play"]') !== null`, true)
	b.press("]", "]", " ")
	await(b, "it plays to the end", boardTurn, recordedTurns)
}

// The table and the live region are updated also after the last turn.
func TestTableAndVoice(t *testing.T) { eachKept(t, tableAndVoice) }

func tableAndVoice(t *testing.T, _ *show, open kept) {
	b := open(t, "")
	await(b, "turn on the board", boardTurn, 0)
	const caption = `document.querySelector("table.unseen caption").textContent`
	for turn, name := range []string{"the start", "turn 0"} {
		await(b, "the table's caption", caption, "Ranking at "+name)
		b.press(kb.ArrowRight)
		if turn == 0 {
			b.press(kb.ArrowRight, kb.ArrowLeft)
		}
	}
	b.press(kb.End)
	await(b, "the table's caption", caption, fmt.Sprintf("Ranking at turn %d", recordedTurns-1))
	leads := value[[]lead](b, `[...document.querySelectorAll('[aria-label="Events, newest first"] li')].flatMap((li) =>
		[...li.querySelectorAll(".line")].filter((e) => / takes the (first )?lead/.test(e.textContent))
			.map((e) => ({ turn: Number(li.querySelector(".turn").textContent) + 1, said: e.textContent.trim() }))).reverse()`)
	if len(leads) == 0 {
		t.Fatal("no player takes the lead")
	}
	// Both are updated rarely, so a few turns suffice.
	leads = leads[:min(len(leads), 2)]
	b.press(kb.Home)
	await(b, "turn on the board", boardTurn, 0)
	for _, l := range leads {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = "#t=%d"`, l.Turn)))
		await(b, "what is said", `document.querySelector('[aria-live="polite"]').textContent.trim()`,
			l.Said)
	}
}

// lead matches a change of the lead in the list of events.
type lead struct {
	Turn int    `json:"turn"`
	Said string `json:"said"`
}

// A link to another turn of the open recording works.
func TestRecordingLinks(t *testing.T) {
	t.Parallel()
	eachKept(t, func(t *testing.T, s *show, open kept) {
		b := open(t, "#t=17")
		await(b, "turn on the board", boardTurn, 17)
		b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#t=62"`))
		await(b, "turn on the board", boardTurn, 62)
		await(b, "ranking", ranking, s.ranking(62))
		b.press(kb.ArrowRight, "s")
		await(b, "the link to the turn", `location.hash`, "#turn=62")
		b.do(chromedp.Reload())
		await(b, "turn on the board after it is loaded again", boardTurn, 63)
	})
}

func TestRecordingLooks(t *testing.T) {
	t.Parallel()
	eachKept(t, func(t *testing.T, s *show, open kept) {
		b := open(t, "#t=60")
		await(b, "turn on the board", boardTurn, 60)
		for _, c := range b.controls() {
			if c.name == "" {
				t.Errorf("a %s has no name", c.role)
			}
		}
		b.do(prefers("light"))
		await(b, "light where the system is", isLight, true)
		b.do(prefers("dark"))
		await(b, "light where the system is dark", isLight, false)
		b.do(chromedp.Click(chromedp.CSS(`nav[aria-label="Pages"] button:last-child`)))
		await(b, "rules are shown", `document.querySelector("main.rules") !== null`, true)
		b.do(chromedp.Click(chromedp.CSS(`nav[aria-label="Pages"] button:first-child`)))
		b.do(phone)
		await(b, "what the page is too wide by", `document.scrollingElement.scrollWidth - 390`, 0)
		await(b, "the board is drawn", drawn, true)
		b.shoot(t.Name() + " phone")
	})
}

// The list links to the recording and to the file.
func TestRecordingList(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, recordedTurns)
	b.presses("Recordings")
	await(b, "the recording is listed",
		`document.querySelectorAll('main a[href*="recording="]').length`, 1)
	await(b, "its file is there", fetched(`main a[href$="page.html"]`), "200 text/html; charset=utf-8")
	await(b, "a month in figures or seconds in its date",
		`/\d+\/\d+|:\d\d:/.test(document.querySelector("main time").textContent)`, false)
	b.shoot("recordings")
	b.do(chromedp.Click(chromedp.CSS(`main a[href*="recording="]`)))
	await(b, "turn on the board", boardTurn, 0)
	await(b, "it is the recording", `location.search.startsWith("?recording=")`, true)
}

// fetched returns an expression for the status and content type of a link's target, by a
// synchronous request, since await cannot evaluate promises repeatedly.
func fetched(link string) string {
	return `((link) => {
		if (!link) return "no link";
		const request = new XMLHttpRequest();
		request.open("HEAD", link.href, false);
		request.send();
		return request.status + " " + request.getResponseHeader("Content-Type");
	})(document.querySelector(` + quote(link) + `))`
}

// Names of bots are shown as text and have no other effect.
func TestFileOfHostileNames(t *testing.T) {
	t.Parallel()
	const name = `</script><!--<script><b onclick=x>`
	s := recorded(t)
	file := s.single(t, func(events []byte) []byte {
		return bytes.ReplaceAll(events, []byte(`"`+seats[0]+`"`), []byte(`"`+name+`"`))
	})
	b := open(t, file, offline())
	await(b, "turn on the board", boardTurn, 0)
	await(b, "the name in the ranking", shows(ranking, name), true)
	await(b, "what became of the name",
		`document.querySelectorAll("b[onclick]").length + document.scripts.length`, 2)
}

// A name with right-to-left characters does not affect the text around it.
func TestFileOfTurningNames(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	file := s.single(t, func(events []byte) []byte {
		return bytes.ReplaceAll(events, []byte(`"`+seats[0]+`"`), []byte("\"\u202eevil\u2067\""))
	})
	b := open(t, file+"#t=90", offline())
	await(b, "turn on the board", boardTurn, recordedTurns)
	await(b, "the name in the ranking", shows(ranking, "evil "), true)
	await(b, "what turns text, anywhere",
		`/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`, false)
	await(b, "names that are not by themselves", `[...document.querySelectorAll(".name b, .events b, .chip small")].filter((e) => getComputedStyle(e).unicodeBidi !== "isolate").length`, 0)
	b.shoot("turning names")
}

// A name that is written from right to left stands by itself wherever it is shown: numbers
// beside it would change places.
func TestFileOfHebrewNames(t *testing.T) {
	t.Parallel()
	const name = "אבגד"
	s := recorded(t)
	file := s.single(t, func(events []byte) []byte {
		return bytes.ReplaceAll(events, []byte(`"`+seats[0]+`"`), []byte(`"`+name+`"`))
	})
	b := open(t, file+"#t=90", offline())
	await(b, "turn on the board", boardTurn, recordedTurns)
	const mingled = `((name) => {
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (n) => n.data.includes(name) && n.parentElement.localName !== "script" ? 1 : 2);
		const found = [];
		for (let n = texts.nextNode(); n; n = texts.nextNode()) {
			let e = n.parentElement;
			while (e !== document.body && getComputedStyle(e).unicodeBidi !== "isolate") e = e.parentElement;
			if (e.textContent.trim() !== name) found.push(e.outerHTML);
		}
		return found.join("; ");
	})("` + name + `")`
	const counted = `document.body.innerText.split("` + name + `").length - 1`
	await(b, "the name in the ranking and in events", counted+" > 3", true)
	await(b, "where the name is among other text", mingled, "")
	for range 12 { // events, reasons, and what is spoken differ from turn to turn
		b.press("b")
		await(b, "where the name is among other text", mingled, "")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".board").focus()`))
	b.press(kb.Enter)
	b.press("d")
	await(b, "where the name is among other text", mingled, "")
	b.press("p")
	await(b, "where the name is among other text on a projector", mingled, "")
	b.shoot("hebrew names")
	b.press("p")
	b.button("My bot")
	await(b, "where the name is among other text beside a bot", mingled, "")
	b.do(phone)
	await(b, "where the name is among other text on a phone", mingled, "")
}

// A file works without a server: it has no links that need one, and names its match.
func TestFileAlone(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	b := open(t, s.single(t), offline())
	await(b, "turn on the board", boardTurn, 0)
	await(b, "the network", `navigator.onLine`, false)
	await(b, "links that lead elsewhere", `[...document.links].map((a) => a.href).join(" ")`, "")
	await(b, "tabs", `[...document.querySelectorAll('nav[aria-label="Pages"]:not(.bottom) button')].map((b) => b.innerText).join(", ")`, "Match, My bot, Report, Rules")
	await(b, "which match it is",
		shows(`document.querySelector(".topbar .title").innerText`, "seed 12", "2026"), true)
	b.press(kb.End)
	await(b, "turn on the board", boardTurn, recordedTurns)
	b.shoot("file")

	served := openEmpty(t)
	served.do(offline())
	ctx, cancel := context.WithTimeout(served.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(s.page.URL())); err == nil {
		t.Error("a served page opens although the network is off")
	}
}
