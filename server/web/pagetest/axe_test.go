//go:build browser

package pagetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/maps"
)

// axe is the accessibility checker, which npm ci installs for tests only.
var axe = filepath.Join("..", "page", "node_modules", "axe-core", "axe.min.js")

// violations are the rules of axe that the page breaks and that are more than minor, each
// with the elements concerned.
const violations = `((options) => axe.run(document, { resultTypes: ["violations"], ...options }).then(({ violations }) => violations
	.filter((v) => v.impact !== "minor")
	.map((v) => v.impact + " " + v.id + ": " + v.nodes.map((n) => n.target.join(" ") + " " +
		[...n.any, ...n.all, ...n.none].map((c) => c.message).join("; ")).join("\n    "))
	.join("\n")))`

// still is prefers without motion: axe measures contrast, which transitions change.
func still(scheme string) void {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// auditor returns a function that checks what a tab shows, in both themes.
func auditor(t *testing.T) func(b *tab, view string) {
	t.Helper()
	code, err := os.ReadFile(axe)
	if err != nil {
		thorough.Lack(t, err)
	}
	return func(b *tab, view string) {
		t.Helper()
		await(b, view+" has been loaded", `document.querySelector('main, [role="main"]') !== null && document.querySelector("h1") !== null`, true)
		b.do(chromedp.Evaluate[chromedp.Void](`if (!window.axe) { ` + string(code) + ` }`))
		// The themes differ in colours only.
		for theme, options := range map[string]string{
			"dark": `({})`, "light": `({ runOnly: ["color-contrast"] })`,
		} {
			b.do(still(theme))
			await(b, "the theme", `document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark")`, theme)
			if found := value[string](b, violations+options, chromedp.EvalAwaitPromise); found != "" {
				t.Errorf("%s, %s:\n%s", view, theme, found)
				b.shoot("axe " + view + " " + theme)
			}
		}
	}
}

// The page of a match breaks no rule of accessibility, whatever it shows.
func TestAccessible(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	s := newShow(t, maps.Default, 300)
	s.feed.SetAddresses([]string{"127.0.0.1:4242", "192.168.1.5:4242"})
	b := open(t, s.page.URL())
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	audit(b, "lobby")
	s.join(seats[:2]...)
	await(b, "two seats are taken", shows(lobby, "2 seats free"), true)
	audit(b, "lobby with two")
	b.press("p")
	audit(b, "lobby on a projector")
	b.press("p")
	b.do(phone)
	audit(b, "lobby on a phone")
	b.button("Speed and looks")
	await(b, "the dialog", more+` !== null`, true)
	audit(b, "dialog of a phone")
	b.press(kb.Escape)
	await(b, "the dialog is closed", more+` === null`, true)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("nav.bottom button")].find((e) => e.textContent.trim() === "Write").click()`))
	await(b, "the editor", `document.querySelector('main[aria-label="Write a bot"]') !== null`, true)
	audit(b, "editor on a phone")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("nav.bottom button").click()`))
	b.do(size(1440, 900))
	s.join(seats[2:]...)
	s.play(60)
	await(b, "turn on the board", boardTurn, 60)
	audit(b, "match")
	b.presses("Thinking")
	b.press("2", kb.ArrowLeft)
	await(b, "turn on the board", boardTurn, 59)
	audit(b, "match of a followed player, behind")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".whole").focus()`))
	await(b, "a player's card", shows(card, "rank"), true)
	audit(b, "player's card")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".board").focus()`))
	b.press(kb.Enter)
	await(b, "a cell's tooltip", tooltip+` !== ""`, true)
	audit(b, "cell's tooltip")
	b.press(kb.Escape, "?")
	await(b, "the keys are shown", `document.querySelector("dialog[open]") !== null`, true)
	audit(b, "keys")
	b.button("Signs")
	await(b, "signs", `document.querySelectorAll(".signs li canvas").length > 0`, true)
	audit(b, "signs")
	b.press(kb.Escape)
	await(b, "the keys are there", `document.querySelector("dialog") !== null`, false)
	b.press("p")
	await(b, "it looks as for a projector", `document.documentElement.classList.contains("projector")`,
		true)
	audit(b, "projector")
	b.press("p")
	for _, name := range []string{"My bot", "Report", "Recordings", "Rules", "Write a bot"} {
		b.button(name)
		audit(b, name)
	}
	b.button("Match")
	b.do(phone)
	for _, name := range []string{"Match", "Ranking", "Report", "My bot", "Recordings", "Rules"} {
		b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("nav.bottom button")].find((e) => e.textContent.trim() === ` + quote(name) + `).click()`))
		audit(b, name+" on a phone")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("nav.bottom button").click()`))
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".chip").click()`))
	await(b, "a player's sheet", shows(card, "rank"), true)
	audit(b, "player's sheet on a phone")
	b.press(kb.Escape, "l")
	s.finish()
	await(b, "turn on the board at the end", boardTurn, 300)
	b.do(size(1440, 900))
	await(b, "the winner", shows(winner, "wins"), true)
	audit(b, "end")
}

// The same holds of a bot that crashed, of recordings, and of a page without a match.
func TestAccessibleRecordings(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	s := talked(t)
	s.finish()
	b := open(t, s.recordingURL("#t=20"))
	await(b, "turn on the board", boardTurn, 20)
	audit(b, "replay")
	b.button("My bot")
	audit(b, "bot that prints")
	b.press(kb.End)
	await(b, "the crash", shows(myBot, "IndexError"), true)
	audit(b, "bot that crashed")
	b.press("s")
	await(b, "the sheet", shows(sheet, "Share turn"), true)
	audit(b, "sheet")
	b.press(kb.Escape)
	b.button("Recordings")
	await(b, "the recording is listed",
		`document.querySelectorAll('main a[href*="recording="]').length`, 1)
	audit(b, "list of recordings")
	b.button("Match")
	b.do(phone)
	audit(b, "replay on a phone")

	none := open(t, newPage(s).URL())
	await(none, "ways on", shows(`document.querySelector(".empty")?.innerText ?? ""`, "No match yet."),
		true)
	audit(none, "no match yet")
}

// The same holds of hexagonal tic-tac-toe and of games that the page does not know.
func TestAccessibleGames(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	salon := newSalon(t)
	b := open(t, salon.page.URL())
	b.button("Play hexagonal tic-tac-toe")
	await(b, "the dialog", `document.querySelector("dialog[open]") !== null`, true)
	audit(b, "new game")
	b.button("Circle, moves first")
	b.button("Begin")
	await(b, "it is the person's move", shows(hand, "choose two pieces"), true)
	audit(b, "person's move")

	address, file := judgedServer(t)
	judged := open(t, address+"?recording="+file+"#t=12")
	await(judged, "move on the board", boardMove+" > 0", true)
	audit(judged, "recorded game")
	judged.button("Rules")
	audit(judged, "rules of the game")
	judged.button("Analysis")
	await(judged, "judges", `document.querySelectorAll('[aria-label="Judge"] option').length > 1`,
		true)
	judged.do(
		chromedp.Evaluate[chromedp.Void](`document.querySelector('.order form').requestSubmit()`))
	await(judged, "all is judged", shows(standing, "moves judged"), true)
	audit(judged, "analysis")
	judged.press("p")
	audit(judged, "projector of the game")
	judged.press("p")
	judged.do(phone)
	audit(judged, "analysis on a phone")
	lobby := open(t, address)
	await(lobby, "the page is there", `document.querySelector(".topbar .brand") !== null`, true)
	audit(lobby, "lobby of the game")
}

// Rows, tabs and titles are what they seem to those who do not see them.
func TestReadOut(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(60)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 60)
	const inOrder = `[...document.querySelectorAll('section[aria-label="Ranking"] li')].map((row) => row.querySelector(".name b").textContent).join()`
	names := func(turn int) string {
		var list []string
		for row := range strings.SplitSeq(s.ranking(turn), ", ") {
			list = append(list, strings.Fields(row)[0])
		}
		return strings.Join(list, ",")
	}
	for _, turn := range []int{60, 12, 30} {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("location.hash = `#t=%d`", turn)))
		await(b, "turn on the board", boardTurn, turn)
		await(b, "rows in the order in which they are read", inOrder, names(turn))
	}
	leader, _, _ := strings.Cut(names(30), ",")
	await(b, "the page's title", `document.title`, "29 · "+leader+" leads · "+maps.Default)
	const stops = `[...document.querySelectorAll(".events li button")].filter((e) => e.tabIndex === 0).length`
	await(b, "events that Tab stops at", stops, 1)
	b.do(chromedp.Focus(`.events li button[tabindex="0"]`))
	b.press(kb.ArrowDown, kb.ArrowDown)
	await(b, "the event that has the focus",
		`[...document.querySelectorAll(".events li button")].indexOf(document.activeElement)`, 2)
	await(b, "a long event that has the focus is whole",
		`getComputedStyle(document.activeElement.querySelector(".line")).whiteSpace`, "normal")
	await(b, "turn on the board, which arrows do not change in the list", boardTurn, 30)
	await(b, "events that Tab stops at", stops, 1)
	b.press(kb.Enter)
	await(b, "the event that is pressed leads to its turn", boardTurn+` < 30`, true)
}
