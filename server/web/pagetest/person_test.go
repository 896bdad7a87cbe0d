//go:build browser

package pagetest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/harness"
	"github.com/hexarena/hexarena/server/servertest"
)

// A viewer takes a free seat of play by the keyboard, and plays with clicks beside a client over TCP.
// The page keeps the seat when it is reloaded.
func TestPersonTakesASeat(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "hexarena.exe")
	if err := harness.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "play", "--game", "hextictactoe", "open", "wait:tcp", "--open",
		"--http", "127.0.0.1:0", "--port", "0", "--record", "", "--turn-timeout", "5m")
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
	port, page := "", ""
	said := regexp.MustCompile(` at ws://(127\.0\.0\.1:\d+)/htttx|take a seat at (\S+)`)
	for lines := bufio.NewScanner(stderr); page == "" && lines.Scan(); {
		if found := said.FindStringSubmatch(lines.Text()); found != nil {
			port, page = port+found[1], found[2]
		}
		if i := len(port) / 2; i > 0 && port[:i] == port[i:] { // both seats say so
			port = port[:i]
		}
	}

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
	await(b, "the players", `[...document.querySelectorAll(".cards .name b")].map((e) => e.textContent.trim()).join()`, "tcp,you")
	letGo := chromedp.Evaluate[chromedp.Void](`BeforeUnloadEvent.prototype.preventDefault = () => {}`) // a dialog would wait for a user
	b.do(letGo, chromedp.Reload())
	await(b, "the person has the seat again", shows(hand, "You play cross: choose two pieces"), true)
	moveBlindly(b, click, 1)
	await(b, "the game goes on", boardMove, 5)
	b.shoot("person plays")
	b.button("Resign")
	b.button("Resign now")
	await(b, "the person's page", hand, "You have resigned.")
	<-over
	await(b, "the board shows the end", shows(boardState, "tcp (circle) has won"), true)
	b.presses("Play again")
	await(b, "the next match offers a seat", button("Play this seat")+` !== undefined`, true)
}
