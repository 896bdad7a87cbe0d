//go:build browser

package pagetest

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/maps"
)

// Expressions for what the tests read, found by their accessible names.
const (
	// boardTurn is the step that led to the board, by the number of its turn.
	boardTurn = `(([, turn, start]) => start ? 0 : Number(turn ?? -2) + 1)(` +
		`/at (?:turn (\d+)|the (start))/.exec(document.querySelector('[role="img"][aria-label^="Board"]')?.ariaLabel) ?? [])`
	newestTurn = `(([, turn, start]) => start ? 0 : Number(turn ?? -2) + 1)(` +
		`/live at (?:(\d+)|(start))/.exec(document.querySelector('input[type="range"]')?.ariaValueText) ?? [])`
	rangeTurn = `Number(document.querySelector('input[type="range"][aria-label="Turn"]')?.value ?? -1)`
	ranking   = `[...document.querySelectorAll('section[aria-label="Ranking"] li')]
		.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
		.map((row) => row.querySelector(".name b").textContent + " " + row.querySelector(".score").textContent.replace(/\u2009/g, ""))
		.join(", ")`
	lobby = `document.querySelector('section[aria-label="Lobby"]')?.innerText ?? ""`
)

// shows returns an expression that is true if a text of the page contains all words.
func shows(text string, words ...string) string {
	var all []string
	for _, word := range words {
		all = append(all, "("+text+").includes("+quote(word)+")")
	}
	return strings.Join(all, " && ")
}

func quote(s string) string { return "`" + s + "`" }

func TestLobby(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	b := open(t, s.page.URL())
	await(b, "an empty lobby is shown",
		shows(lobby, "4 seats free", s.server.Addr().String(), "begins when every seat is taken"), true)
	s.join(seats[:2]...)
	await(b, "two bots and two free seats are shown", shows(lobby, seats[0], seats[1], "2 seats free")+
		` && document.querySelectorAll('section[aria-label="Lobby"] li.vacant').length === 2`, true)
	await(b, "the map is drawn", drawn, true)
	await(b, "viewers that are told of, when this is the only one",
		`document.querySelectorAll(".viewers").length`, 0)
	await(b, "seats that can be taken in the page", `[...document.querySelectorAll('section[aria-label="Lobby"] li.vacant a[href="#edit"]')].map((a) => a.textContent).join()`, "write a bot here")
	b.shoot("lobby")
	s.join(seats[2:]...)
	await(b, "turn on the board", boardTurn, 0)
	s.play(3)
	await(b, "turn on the board", boardTurn, 3)
}

// The lobby says of a started bot which file it is, and which bot is the page's own.
func TestWhoIsInTheLobby(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 10)
	strategy, err := bots.New("painter", 5)
	if err != nil {
		t.Fatal(err)
	}
	s.start("my_bot.py", bots.ForClient(strategy))
	b := openEditor(t, s)
	b.presses("Run")
	await(b, "status", botStatus, "waiting for the start")
	b.button("Match")
	await(b, "what the lobby says",
		shows(lobby, "talker", "my_bot.py", "my_bot", "JavaScript · in this browser", "2 seats free"),
		true)
	await(b, "rows without a note",
		`document.querySelectorAll('section[aria-label="Lobby"] li:not(:has(small, code))').length`, 0)
	b.shoot("lobby who")
}

// drawn reports whether anything is on the board. It reads a small copy, since browsers
// warn about canvases that are read often.
const drawn = `[...document.querySelectorAll('[role="img"][aria-label^="Board"] canvas')].some((c) => {
	const copy = new OffscreenCanvas(64, 64).getContext("2d", { willReadFrequently: true });
	if (c.width > 0 && c.height > 0) copy.drawImage(c, 0, 0, 64, 64);
	return copy.getImageData(0, 0, 64, 64).data.some((v) => v > 0);
})`

func TestLiveMatch(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	b := open(t, s.page.URL())
	s.join(seats...)
	turn := 0
	for _, more := range []int{1, 4, 55} {
		s.play(more)
		turn += more
		await(b, "turn on the board", boardTurn, turn)
		await(b, "ranking", ranking, s.ranking(turn))
		await(b, "turn of the timeline", rangeTurn, turn)
	}
	await(b, "the board is drawn", drawn, true)
	b.shoot("live")

	late := open(t, s.page.URL())
	await(late, "turn on the board of a late viewer", boardTurn, turn)
	await(late, "ranking of a late viewer", ranking, s.ranking(turn))

	s.finish()
	await(b, "turn on the board at the end", boardTurn, 300)
	await(b, "ranking at the end", ranking, s.ranking(300))
	b.shoot("finished")
}

// A viewer looks back while turns still arrive.
func TestScrubWhileLive(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(120)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 120)
	for _, live := range []string{"l", kb.End} {
		_, newest := s.feed.Status()
		b.press(kb.Home)
		await(b, "turn on the board after Home", boardTurn, 0)
		await(b, "ranking of the start", ranking, s.ranking(0))
		s.play(5)
		await(b, "newest turn", newestTurn, newest+5)
		await(b, "turn on the board while turns arrive", boardTurn, 0)
		b.press(kb.ArrowRight)
		await(b, "turn on the board after an arrow", boardTurn, 1)
		await(b, "ranking of turn 1", ranking, s.ranking(1))
		b.shoot("looking back")
		b.press(live)
		await(b, "turn on the board, live again", boardTurn, newest+5)
		s.play(1)
		await(b, "the turn that follows", boardTurn, newest+6)
		await(b, "ranking, live again", ranking, s.ranking(newest+6))
	}
}

// sketch is a checksum of what the board shows.
const sketch = `(() => {
	const canvas = document.querySelector('[role="img"][aria-label^="Board"] canvas');
	const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(canvas, 0, 0);
	return new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer).reduce((sum, v) => (Math.imul(sum, 31) + v) | 0, 0);
})()`

// A viewer that opens a match after 500 turns sees its first turn as early viewers saw it,
// while more turns arrive.
func TestLateViewerLooksBack(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 60_000)
	early := open(t, s.page.URL())
	s.join(seats...)
	s.play(1)
	await(early, "turn on the board", boardTurn, 1)
	early.press(" ") // stops animations
	early.settle()
	first := value[int](early, sketch)
	s.play(499)
	s.stroll()
	b := open(t, s.page.URL())
	await(b, "the board is at turn 500 or later", boardTurn+" >= 500", true)
	b.press(kb.Home, kb.ArrowRight)
	await(b, "turn on the board", boardTurn, 1)
	await(b, "ranking of turn 1", ranking, s.ranking(1))
	await(b, "the picture of turn 1", sketch, first)
	newest := value[int](b, newestTurn)
	await(b, "more turns arrive", newestTurn+" > "+strconv.Itoa(newest+3), true)
	await(b, "turn on the board while turns arrive", boardTurn, 1)
	await(b, "the picture of turn 1 while turns arrive", sketch, first)
	b.press("l")
	await(b, "the board is live again", boardTurn+" > "+strconv.Itoa(newest), true)
}

// stroll plays a turn from time to time until the end of the test.
func (s *show) stroll() {
	s.running.Go(func() {
		next := time.NewTicker(interval)
		defer next.Stop()
		for {
			select {
			case <-next.C:
			case <-s.ctx.Done():
				return
			}
			select {
			case s.gate.allow <- struct{}{}:
			case <-s.ctx.Done():
				return
			}
			select {
			case <-s.gate.played:
			case <-s.ctx.Done():
				return
			}
		}
	})
}
