//go:build browser

package pagetest

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/tools/harness"
)

// A viewer takes a free seat of play by the keyboard, and plays with clicks beside a client over
// TCP. The page keeps the seat when it is reloaded.
func TestPersonTakesASeat(t *testing.T) {
	t.Parallel()
	port, page := startPlay(t, "open", "wait:tcp")
	audit := auditor(t)
	b := open(t, page, prefers("dark"))
	await(b, "a free seat is offered", button("Play this seat")+` !== undefined`, true)
	audit(b, "lobby with a free seat")
	b.shoot("person lobby")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".topbar a").focus()`))
	for n := 0; value[string](b, `document.activeElement.textContent.trim()`) != "Play this seat"; n++ {
		if n == 60 {
			t.Fatal("Tab does not lead to the button")
		}
		b.press(kb.Tab)
	}
	b.press(kb.Enter)
	await(b, "the person waits", hand, "You have a seat. The match has not started yet.")
	await(b, "the seat is taken", shows(lobby, "person", "1 seat free"), true)
	await(b, "no second seat is offered", button("Play this seat")+` === undefined`, true)
	audit(b, "lobby with a seat taken")
	b.shoot("person waits")
	b.do(size(390, 844))
	await(b, "the title is level with the state beside it", `((middle) => Math.round(Math.abs(middle(".title b") - middle(".chipstate"))) <= 1)((s) => {
		const { top, bottom } = document.querySelector(s).getBoundingClientRect();
		return (top + bottom) / 2;
	})`, true)
	b.shoot("person waits phone")
	b.do(size(1440, 900))
	b.button("Leave")
	await(b, "the seat is free", shows(lobby, "2 seats free"), true)
	b.button("Play this seat")
	await(b, "the seat is taken again", shows(lobby, "1 seat free"), true)

	c := servertest.Login(t, port, "tcp", "player")
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.PlayPieces(htttx.Circle)
	}()
	await(b, "it is the person's move", shows(hand, "You play cross: choose two pieces"), true)
	click := func(x, y float64) { b.do(chromedp.MouseClickXY(x, y)) }
	moveBlindly(b, click, 1)
	await(b, "both sides have moved", boardMove, 3)
	await(b, "the players",
		`[...document.querySelectorAll(".cards .name b")].map((e) => e.textContent.trim()).join()`,
		"tcp,you")
	// a dialog would wait for a user
	letGo := chromedp.Evaluate[chromedp.Void](`BeforeUnloadEvent.prototype.preventDefault = () => {}`)
	b.do(letGo, chromedp.Reload())
	await(b, "the person has the seat again", shows(hand, "You play cross: choose two pieces"), true)
	moveBlindly(b, click, 1)
	await(b, "the game goes on", boardMove, 5)
	b.do(size(1024, 768))
	b.press(kb.ArrowLeft)
	await(b, "the move before", boardMove, 4)
	b.press("l")
	await(b, "the newest move", boardMove, 5)
	b.settle()
	await(b, "how far the page has scrolled to the list of moves, which is below the board",
		`document.body.scrollTop`, 0)
	await(b, "what the players' chips cut off on a tablet", `[...document.querySelectorAll(".duel .chip *")].filter((e) => e.checkVisibility() &&
		e.getBoundingClientRect().bottom > e.closest(".chip").getBoundingClientRect().bottom).map((e) => e.textContent).join()`, "")
	b.shoot("person plays tablet")
	b.do(size(1440, 900))
	b.shoot("person plays")
	b.button("Resign")
	b.button("Resign now")
	await(b, "the person's page", hand, "You have resigned.")
	<-over
	await(b, "the board shows the end", shows(boardState, "tcp (circle) has won"), true)
	b.presses("Play again")
	b.button("Play this seat")
	await(b, "the seat of the next match is taken", shows(lobby, "1 seat free"), true)
	_ = servertest.Login(t, port, "tcp", "player").Close()
	await(b, "the person is told that the other side has gone",
		shows(hand, "You have won by forfeit ("), true)
}

// serveWithTokens starts a server that requires tokens, of which AAAAAAAAAA is a player's, and
// returns its page.
func serveWithTokens(t *testing.T) (page string) {
	t.Helper()
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("player AAAAAAAAAA ann\noperator a-much-longer-token-for-the-operator\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The server outlives the tab.
	serve, err := harness.Serve(context.Background(), built(t), "--game", "hextictactoe", "--http", "127.0.0.1:0", "--record", "", "--tokens", tokens)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	return serve.Page
}

// A viewer of a server with tokens takes a seat with one for players.
func TestPersonNeedsAToken(t *testing.T) {
	t.Parallel()
	b := open(t, serveWithTokens(t), prefers("dark"))
	b.button("Play this seat")
	const field = `document.querySelector('dialog input[type="password"]')`
	await(b, "the token is asked for, and can be typed",
		field+` !== null && `+field+` === document.activeElement`, true)
	auditor(t)(b, "token of a seat")
	b.shoot("person token")
	for _, tt := range []struct{ token, told string }{
		{"BBBBBBBBBB", "A token is needed here"},
		{"AAAAAAAAAA", "You have a seat."},
	} {
		if tt.token != "BBBBBBBBBB" {
			b.button("Play this seat")
		}
		await(b, "the token is asked for", field+` !== null`, true)
		b.do(chromedp.Evaluate[chromedp.Void](field+`.select()`),
			chromedp.SendKeys(`dialog input`, tt.token+kb.Enter))
		await(b, "what the person is told", shows(hand, tt.told), true)
	}
	await(b, "the person has the token's name", shows(lobby, "ann"), true)
}

// playOpen starts matches with their page, which no browser opens, and returns the standard error.
func playOpen(t *testing.T, args ...string) (stderr io.Reader) {
	t.Helper()
	cmd := exec.Command(built(t), append([]string{"play", "--open", "--http", "127.0.0.1:0", "--port", "0", "--record", ""}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+t.TempDir()) // a folder without a browser
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // after the tab is closed, which would otherwise report an error
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	return stderr
}

// startPlay starts matches with these seats, one of which waits for clients. It returns the port of
// bots and the address of the page.
func startPlay(t *testing.T, seats ...string) (port, page string) {
	t.Helper()
	stderr := playOpen(t, append([]string{"--game", "hextictactoe"}, seats...)...)
	bots, people := regexp.MustCompile(` at ws://(127\.0\.0\.1:\d+)/htttx`), regexp.MustCompile(`take a seat at (\S+)`)
	for lines := bufio.NewScanner(stderr); page == "" && lines.Scan(); {
		if at := bots.FindStringSubmatch(lines.Text()); at != nil {
			port = at[1]
		}
		if at := people.FindStringSubmatch(lines.Text()); at != nil {
			page = at[1]
		}
	}
	return port, page
}

// A person's time counts down from the start, with a warning below ten seconds; without a limit
// there is none, as the page says.
func TestPersonsTime(t *testing.T) {
	t.Parallel()
	const title, clock = `document.querySelector(".title")?.innerText ?? ""`, `document.querySelector('[role="timer"]')`
	for name, tt := range map[string]struct {
		args []string
		want string
		time string // an expression that is true
	}{
		"limit": {[]string{
			"--turn-timeout", "14s",
		}, "14 s a move", clock + `?.innerText.startsWith("0:1") ?? false`},
		"no clock": {nil, "no clock", clock + ` === null`},
	} {
		t.Run(name, func(t *testing.T) {
			_, page := startPlay(t, append([]string{"open", "nearest"}, tt.args...)...)
			b := open(t, page)
			await(b, "a free seat is offered", button("Play this seat")+` !== undefined`, true)
			b.button("Play this seat")
			await(b, "it is the person's move", shows(hand, "You play"), true)
			await(b, "the title", shows(title, tt.want), true)
			await(b, "the time", tt.time, true)
			if tt.args != nil {
				await(b, "the warning", clock+`?.classList.contains("short") ?? false`, true)
			}
			b.shoot("person time " + name)
			b.button("Resign")
			b.button("Resign now")
			await(b, "the person's page", hand, "You have resigned.")
		})
	}
}
