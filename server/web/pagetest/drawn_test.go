//go:build browser

package pagetest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// claimer claims the cells from a number on, each TURN the next one, when it is allowed to. Its
// first action is refused.
type claimer struct {
	from  int
	allow chan struct{}
}

func (*claimer) Start(netorcai.GameStarts) error { return nil }
func (*claimer) End(netorcai.GameEnds)           {}

func (c *claimer) Turn(m netorcai.Turn) ([]byte, error) {
	<-c.allow
	if m.Number == 0 {
		return []byte(`[{"claim":-1}]`), nil
	}
	return fmt.Appendf(nil, `[{"claim":%d}]`, c.from+m.Number), nil
}

const (
	// painted is the number of colors cover more than a few pixels of the board: that of free cells,
	// and those of the players' cells and pieces.
	painted = `(() => {
		const c = document.querySelector("canvas.screen:not([hidden])");
		if (!c || c.width === 0) return 0;
		const copy = Object.assign(document.createElement("canvas"), { width: c.width, height: c.height }).getContext("2d", { willReadFrequently: true });
		copy.drawImage(c, 0, 0);
		const { data } = copy.getImageData(0, 0, c.width, c.height);
		const seen = new Map();
		for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) {
			const color = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
			seen.set(color, (seen.get(color) ?? 0) + 1);
		}
		return [...seen.values()].filter((n) => n > 200).length;
	})()`
	boardLabel = `document.querySelector("[aria-label^='Board']")?.ariaLabel ?? ""`
)

// claims is a match of a started game logic that says how its game is drawn.
type claims struct {
	serve           *harness.Server
	binary, records string        // the program, and the folder of the recordings
	allow           chan struct{} // each player acts once for each value
}

// newClaims starts the server of a match between two players.
func newClaims(t *testing.T, turns int) *claims {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to run the rules")
	}
	dir := t.TempDir()
	c := &claims{
		binary: built(t), records: filepath.Join(dir, "recordings"), allow: make(chan struct{}, 2*turns),
	}
	var err error
	c.serve, err = harness.Serve(context.Background(), c.binary, "--game", "external", "--logic", "../../../bots/gamelogic/logic.py",
		"--http", "127.0.0.1:0", "--record", c.records, "--fast", "--autostart", "--nb-players-max", "2",
		"--nb-visus-max", "0",
		"--nb-turns-max", fmt.Sprint(turns), "--seed", "1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.serve.Stop)
	return c
}

// join connects both players.
func (c *claims) join(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	for i, name := range []string{"ada", "bob"} {
		client, err := netorcai.Dial(ctx, c.serve.Addr,
			netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
		if err != nil {
			t.Fatalf("%s joins: %v", name, err)
		}
		t.Cleanup(func() { client.Close() })
		go func() { _ = client.Play(ctx, &claimer{from: 30 * i, allow: c.allow}) }()
	}
}

// play plays n turns.
func (c *claims) play(n int) {
	for range 2 * n {
		c.allow <- struct{}{}
	}
}

// A game logic of 60 lines that says how its game is drawn has a board, a ranking by its scores,
// and a replay in a file.
func TestLogicIsDrawn(t *testing.T) {
	t.Parallel()
	const turns = 8
	c := newClaims(t, turns)
	b := open(t, c.serve.Page, prefers("dark"))
	await(b, "the lobby", shows(lobby, "2 seats free"), true)
	await(b, "what the empty stage says",
		shows(`document.querySelector(".stage").innerText`, "when the match begins"), true)
	c.join(t)
	c.play(4)
	await(b, "turn on the board", boardTurn, 5)
	await(b, "which board it is", boardLabel, "Board of claim-hexagons/1 at turn 4")
	await(b, "colors of free cells and both players", painted+" >= 3", true)
	await(b, "the scores", shows(players, "ada", "bob", "score"), true)
	await(b, "the tree of values", `document.querySelectorAll(".tree").length`, 0)
	await(b, "what was refused",
		shows(`document.querySelector('section[aria-label="Events"]').innerText`, "no such cell"), true)
	await(b, "what the chart shows",
		`[...document.querySelectorAll(".chart .options button")].map((e) => e.textContent).join()`,
		"Score,Thinking")
	b.hasTurnCard("view card of a drawn game")
	b.do(chromedp.Focus(".board"))
	b.press("+", "+", "+")
	await(b, "the map", `document.querySelector(".minimap canvas") !== null`, true)
	await(b, "maps that are not drawn", blank(".minimap"), 0)
	b.shoot("view map of a drawn game")
	b.press("z")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".statebelow summary").click()`))
	await(b, "what changed", `document.querySelectorAll(".statebelow .changes li").length > 0`, true)
	auditor(t)(b, "state below")
	b.looks("state below")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".statebelow summary").click()`))
	const scores = `document.querySelectorAll('%s').length === 2 && [...document.querySelectorAll('%[1]s')].every((e) => Number(e.textContent) > 0)`
	b.press("p")
	await(b, "scores on a projector", fmt.Sprintf(scores, ".far li strong"), true)
	await(b, "which game a projector shows",
		shows(`document.querySelector(".corner").innerText`, "claim-hexagons/1"), true)
	b.press("p")
	b.button("My bot")
	b.press("1")
	await(b, "what the bot wanted", shows(myBot, `{"claim":`), true)
	await(b, "buttons for marks that this game does not show",
		`document.querySelectorAll(".mybot .toggle").length`, 0)
	b.button("Rules")
	await(b, "what the rules say of the board",
		shows(`document.querySelector("main.rules").innerText`, "as the game describes it"), true)
	b.button("Match")
	b.do(phone)
	await(b, "scores on a phone", fmt.Sprintf(scores, ".chip b"), true)
	b.do(size(1440, 900))
	b.press(kb.Home)
	await(b, "the start", boardLabel, "Board of claim-hexagons/1 at the start")
	await(b, "colors at the start", painted+" >= 3", true)

	b.press(kb.End, "k")
	await(b, "both boards", bothDrawn, 2)
	await(b, "boards that are seen",
		`[...document.querySelectorAll(".place canvas.screen")].filter((c) => c.offsetWidth > 0).length`,
		2)
	b.press(kb.Home)
	await(b, "cells with another owner are hatched", hatched+" > 100", true)
	b.shoot("hatched cells of another game")

	b.do(chromedp.Navigate("about:blank")) // the server ends with the match
	c.play(turns - 4)
	if err := c.serve.Wait(); err != nil {
		t.Fatalf("serve: %v", err)
	}
	alone := open(t, exportedFile(t, c.binary, recordings(t, c.records)[0])+"#t=5", offline())
	await(alone, "turn of the file", boardLabel, "Board of claim-hexagons/1 at turn 4")
	await(alone, "colors in the file", painted+" >= 3", true)
	await(alone, "scores in the file", shows(players, "score"), true)
	alone.do(phone)
	await(alone, "what the page is too wide by", `document.scrollingElement.scrollWidth - 390`, 0)
	alone.shoot("drawn game phone")
}
