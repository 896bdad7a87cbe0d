//go:build browser

package pagetest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
)

// eventTurns are the turns with an event, of the list that the page shows.
const eventTurns = `[...document.querySelectorAll('[aria-label="Events, the newest first"] li .turn')]
	.map((e) => Number(e.textContent)).filter((n) => n > 0).sort((a, b) => a - b)`

func TestRecordingByKeyboard(t *testing.T) {
	s := recorded(t)
	b := open(t, s.recordingURL("#t=43"))
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
	step(kb.End, recordedTurns)
	await(b, "ranking at the end", ranking, s.ranking(recordedTurns))
	turns := value[[]int](b, eventTurns)
	if len(turns) < 2 {
		t.Fatalf("events in turns %v, want some", turns)
	}
	step(kb.Home, 0)
	step("n", turns[0])
	step("n", turns[1])
	step("b", turns[0])
	b.press(" ")
	await(b, "it plays on", boardTurn+" > "+value[string](b, "String("+boardTurn+")"), true)
	b.press(" ")
	await(b, "the button that plays is back", `document.querySelector('button[aria-label="Play"]') !== null`, true)
	b.press("]", "]", " ")
	await(b, "it plays to the end", boardTurn, recordedTurns)
}

// What is out of sight follows also when nothing comes after it.
func TestTableAndVoice(t *testing.T) {
	s := recorded(t)
	b := open(t, s.recordingURL(""))
	await(b, "turn on the board", boardTurn, 0)
	const caption = `document.querySelector("table.unseen caption").textContent`
	for turn := range 5 {
		await(b, "the table's caption", caption, fmt.Sprintf("Ranking at turn %d", turn))
		b.press(kb.ArrowRight)
		if turn == 1 {
			b.press(kb.ArrowRight, kb.ArrowLeft)
		}
	}
	b.press(kb.End)
	await(b, "the table's caption", caption, fmt.Sprintf("Ranking at turn %d", recordedTurns))
	leads := value[[]lead](b, `[...document.querySelectorAll('[aria-label="Events, the newest first"] li')].flatMap((li) =>
		[...li.querySelectorAll(".line")].filter((e) => / takes the (first )?lead/.test(e.textContent))
			.map((e) => ({ turn: Number(li.querySelector(".turn").textContent), said: e.textContent.trim() }))).reverse()`)
	if len(leads) == 0 {
		t.Fatal("nobody takes the lead")
	}
	b.press(kb.Home)
	await(b, "turn on the board", boardTurn, 0)
	for _, l := range leads {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = "#t=%d"`, l.Turn)))
		await(b, "what is said", `document.querySelector('[aria-live="polite"]').textContent.trim()`, l.Said)
	}
}

// lead is a change of the lead as the list of events tells it.
type lead struct {
	Turn int    `json:"turn"`
	Said string `json:"said"`
}

// A link leads to another turn of the recording that is open.
func TestRecordingLinks(t *testing.T) {
	s := recorded(t)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, recordedTurns)
	b.do(chromedp.Click(chromedp.CSS(`nav[aria-label="Pages"] button:nth-child(2)`)))
	await(b, "the recording is listed", `document.querySelectorAll('main a[href*="recording="]').length`, 1)
	b.shoot("recordings")
	b.do(chromedp.Click(chromedp.CSS(`main a[href*="recording="]`)))
	await(b, "turn on the board", boardTurn, 0)
	await(b, "it is the recording", `location.search.startsWith("?recording=")`, true)
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#t=17"`))
	await(b, "turn on the board", boardTurn, 17)
	await(b, "ranking", ranking, s.ranking(17))
}

const recordedTurns = 90

// recorded is a match that is over.
func recorded(t *testing.T) *show {
	s := newShow(t, maps.Default, recordedTurns)
	s.join(seats...)
	s.finish()
	return s
}
