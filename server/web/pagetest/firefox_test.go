//go:build browser

package pagetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/tools/browser/firefox"
)

// fox is the Firefox of all walks, which start it when it is first needed.
var fox struct {
	start   sync.Once
	browser *firefox.Browser
	err     error
}

// stopFirefox ends the Firefox of the walks.
func stopFirefox() error {
	if fox.browser == nil {
		return nil
	}
	return fox.browser.Stop()
}

// walk is a tab of Firefox.
type walk struct {
	t *testing.T
	*firefox.Tab
}

// walkTo opens an address in Firefox.
func walkTo(t *testing.T, url string) *walk {
	t.Helper()
	fox.start.Do(func() { fox.browser, fox.err = firefox.Start(context.Background()) })
	if errors.Is(fox.err, firefox.ErrNone) {
		thorough.Lack(t, fox.err)
	}
	if fox.err != nil {
		t.Fatal(fox.err)
	}
	tab, err := fox.browser.Open(url)
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{t, tab}
	t.Cleanup(func() {
		w.shoot(t.Name())
		problems := slices.DeleteFunc(tab.Problems, func(p string) bool {
			return strings.Contains(p, "Cross-Origin-Opener-Policy") ||
				strings.Contains(p, "willReadFrequently")
		})
		if err := errors.Join(tab.Close(), complaint(problems)); err != nil {
			t.Error(err)
		}
	})
	w.must(tab.Size(1440, 900))
	return w
}

func complaint(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return errors.New("Firefox complains:\n" + strings.Join(problems, "\n"))
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// sees waits until an expression is true in the page.
func (w *walk) sees(what, expression string) {
	w.t.Helper()
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(pollInterval) {
		seen := false
		if err = w.Evaluate("Boolean("+expression+")", &seen); err == nil && seen {
			return
		}
	}
	w.shoot("failed " + w.t.Name())
	var text string
	err = errors.Join(err, w.Evaluate("document.body.innerText", &text))
	w.t.Fatalf("%s: it is not seen: %v; the page says:\n%s", what, err, text)
}

// clicks clicks on the middle of the element that an expression gives.
func (w *walk) clicks(what, expression string) {
	w.t.Helper()
	w.sees(what, "("+expression+")?.checkVisibility() && !("+expression+").disabled")
	var at [2]int
	w.must(w.Evaluate(`((e) => {
		e.scrollIntoView({ block: "nearest" });
		const { x, y, width, height } = e.getBoundingClientRect();
		return [Math.round(x + width / 2), Math.round(y + height / 2)];
	})(`+expression+`)`, &at))
	w.must(w.Click(at[0], at[1]))
}

// presses clicks on the button or the link with a text.
func (w *walk) presses(text string) {
	w.t.Helper()
	w.clicks(text, `[...document.querySelectorAll("button, a")].find((e) => e.textContent.trim() === `+quote(text)+` && e.checkVisibility())`)
}

// shoot writes a picture of the tab if pictures are enabled.
func (w *walk) shoot(name string) {
	if screenshots == "" {
		return
	}
	picture, err := w.Picture()
	if err == nil {
		err = os.WriteFile(
			filepath.Join(screenshots, "firefox "+strings.ReplaceAll(name, "/", " ")+".png"), picture, 0o600)
	}
	if err != nil {
		w.t.Errorf("picture %s: %v", name, err)
	}
}

func isTurn(turn string) string { return boardTurn + " === " + turn }

// The usual steps of a class work in Firefox as well.
func TestFirefox(t *testing.T) {
	for _, tt := range []struct {
		name string
		walk func(t *testing.T)
	}{
		{"the match is started in the lobby", foxLobby},
		{"a live match is watched, paused and rewound", foxLive},
		{"a player is followed", foxFollow},
		{"a bot is written and played", foxEditor},
		{"proposals of the editor, which is left by keyboard", foxProposals},
		{"the match is run again", foxRunAgain},
		{"a recording is opened", foxRecording},
		{"an exported match is opened", foxExported},
		{"a phone and a projector", foxSizes},
		{"a person plays", foxPerson},
	} {
		t.Run(tt.name, tt.walk)
	}
}

func foxLobby(t *testing.T) {
	s := newShow(t, maps.Default, 20)
	w := walkTo(t, s.page.URL())
	w.sees("the seats", shows(lobby, "4 seats free", "Take the starter"))
	s.join(seats[:2]...)
	w.sees("who has joined", shows(lobby, seats[0], seats[1], "2 seats free"))
	w.presses("Start with 2")
	w.sees("the board", isTurn("0"))
	s.finish()
	w.sees("the end", isTurn("20"))
}

func foxLive(t *testing.T) {
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.play(30)
	w := walkTo(t, s.page.URL())
	w.sees("the newest turn", isTurn("30"))
	w.must(w.Keys("ArrowLeft", "ArrowLeft"))
	w.sees("an earlier turn", isTurn("28"))
	s.play(5)
	w.sees("it stays there", isTurn("28"))
	w.sees("the ranking of that turn", ranking+" === "+quote(s.ranking(28)))
	w.must(w.Keys("l"))
	w.sees("the newest turn again", isTurn("35"))
}

func foxFollow(t *testing.T) {
	s := newShow(t, maps.Default, 60)
	s.join(seats...)
	s.play(40)
	w := walkTo(t, s.page.URL())
	w.sees("the board", isTurn("40"))
	w.must(w.Keys("1"))
	w.sees("only the events of a player", `document.querySelector(".events .only")`)
	w.must(w.Keys("n"))
	w.must(w.Keys("0"))
	w.sees("the events of all", `!document.querySelector(".events .only")`)
}

func foxEditor(t *testing.T) {
	s := newShow(t, maps.Default, 40)
	w := walkTo(t, s.page.URL())
	// its title has moved the tabs to where they stay
	w.sees("the seats", shows(lobby, "4 seats free"))
	w.presses("Write a bot")
	w.sees("the starter", shows(editedCode, "class Bot {"))
	w.presses("Run")
	w.sees("it waits", botStatus+` === "waiting for the start"`)
	s.join(opponents...)
	s.finish()
	w.sees("what it prints", shows(botPrinted, "The match is over: my_bot", "The scores: {"))
	if mine := s.score("my_bot"); mine <= 40*len(s.board.Starts[0]) {
		t.Errorf("my_bot has %d points: it has painted nothing", mine)
	}
}

func foxProposals(t *testing.T) {
	s := newShow(t, maps.Default, 40)
	w := walkTo(t, s.page.URL()+"#edit")
	w.sees("the starter", shows(editedCode, "class Bot {"))
	w.clicks("the code", `document.querySelector(".codearea")`)
	w.must(w.Keys("Control+a"))
	for _, key := range "class Bot { turn(state) { state.cha" {
		w.must(w.Keys(string(key)))
	}
	w.sees("a proposal", shows(inCode(".cm-tooltip-autocomplete"), "characters"))
	w.must(w.Keys("Escape", "Control+Enter"))
	w.sees("what is missing", shows(botPrinted, "The code does not call run(Bot)."))
	w.must(w.Keys("Escape", "Tab"))
	w.sees("the next control", `document.activeElement.textContent === "Run"`)
}

func foxRunAgain(t *testing.T) {
	w := walkTo(t, startEditor(t))
	w.sees("the starter", shows(editedCode, "class Bot {"))
	w.clicks("the code", `document.querySelector(".codearea")`)
	w.must(w.Keys("Control+Enter"))
	w.sees("who plays", mine+`.startsWith("you ")`)
	w.clicks("the code", `document.querySelector(".codearea")`)
	w.must(w.Keys("Control+End", "Enter", "/", "/", "Control+Enter"))
	w.sees("the other version", `document.body.innerText.includes("Versions (2)")`)
	w.sees("its end", shows(botPrinted, "The match is over: my_bot"))
}

func foxRecording(t *testing.T) {
	s := newShow(t, maps.Default, 50)
	s.join(seats...)
	s.finish()
	w := walkTo(t, s.recordingURL("#t=43"))
	w.sees("the turn of the link", isTurn("43"))
	w.must(w.Keys("Home", "ArrowRight"))
	w.sees("the first turn", isTurn("1"))
	w.presses("Recordings")
	w.sees("the list", `document.querySelector('a[href*="recording="]')`)
	w.clicks("a recording", `document.querySelector('a[href*="recording="]')`)
	w.sees("the recording", `location.search.includes("recording=") && `+boardTurn+" >= 0")
}

func foxExported(t *testing.T) {
	s := newShow(t, maps.Default, 50)
	s.join(seats...)
	s.finish()
	w := walkTo(t, s.single(t)+"#t=21")
	w.sees("the turn of the link", isTurn("21"))
	w.must(w.Keys("ArrowRight"))
	w.sees("the next turn", isTurn("22"))
}

func foxSizes(t *testing.T) {
	s := newShow(t, maps.Default, 50)
	s.join(seats...)
	s.play(20)
	w := walkTo(t, s.page.URL())
	w.must(w.Size(390, 844))
	w.sees("the board", isTurn("20"))
	w.presses("Ranking")
	w.sees("the ranking", ranking+" === "+quote(s.ranking(20)))
	w.sees("nothing is wider than the phone", "document.documentElement.scrollWidth <= 390")
	w.must(w.Size(1920, 1080))
	w.presses("Match")
	w.must(w.Keys("p"))
	w.sees("the projector", `document.querySelector(".projector")`)
}

func foxPerson(t *testing.T) {
	w := walkTo(t, newSalon(t).page.URL())
	w.presses("Play hexagonal tic-tac-toe")
	w.presses("Begin")
	w.sees("the viewer is to move", shows(hand, "choose two pieces"))
	w.must(w.Evaluate(`document.querySelector(".board").focus()`, new(any)))
	w.must(w.Keys("Enter", "ArrowRight", "Enter", "ArrowRight", "Enter"))
	w.sees("two pieces", shows(hand, "Two pieces chosen."))
	w.presses("Send")
	w.sees("both sides have moved", boardMove+" >= 2")
}
