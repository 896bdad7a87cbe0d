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
	"github.com/hexarena/hexarena/server/harness"
)

// claimer claims the cells from a number on, each TURN the next one, when it is allowed to. Its first
// action is refused.
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
	// painted is how many colors cover more than a few pixels of the board: that of free cells, and those
	// of the players' cells and pieces.
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

// A game logic of 60 lines that says how its game is drawn has a board, a ranking by its scores, and
// a replay in a file.
func TestLogicIsDrawn(t *testing.T) {
	if absent != nil {
		thorough.Lack(t, absent)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to run the rules")
	}
	dir := t.TempDir()
	binary, records := filepath.Join(dir, "hexarena"), filepath.Join(dir, "recordings")
	if err := harness.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	const turns = 8
	serve, err := harness.Serve(context.Background(), binary, "--game", "external", "--logic", "../../../bots/gamelogic/logic.py",
		"--http", "127.0.0.1:0", "--record", records, "--fast", "--autostart", "--nb-players-max", "2", "--nb-visus-max", "0",
		"--nb-turns-max", fmt.Sprint(turns), "--seed", "1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	b := open(t, serve.Page, prefers("dark"))
	await(b, "the lobby", shows(lobby, "2 seats free"), true)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	allow := make(chan struct{}, 2*turns)
	for i, name := range []string{"ada", "bob"} {
		c, err := netorcai.Dial(ctx, serve.Addr, netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
		if err != nil {
			t.Fatalf("%s joins: %v", name, err)
		}
		t.Cleanup(func() { c.Close() })
		go func() { _ = c.Play(ctx, &claimer{from: 30 * i, allow: allow}) }()
	}
	for range 2 * 4 {
		allow <- struct{}{}
	}
	await(b, "turn on the board", boardTurn, 5)
	await(b, "which board it is", boardLabel, "Board of claim-hexagons/1 at turn 5")
	await(b, "colors of free cells and both players", painted+" >= 3", true)
	await(b, "the scores", shows(players, "ada", "bob", "score"), true)
	await(b, "the tree of values", `document.querySelectorAll(".tree").length`, 0)
	await(b, "what was refused", shows(`document.querySelector('section[aria-label="Events"]').innerText`, "no such cell"), true)
	b.shoot("drawn game")
	b.press(kb.Home)
	await(b, "the start", boardLabel, "Board of claim-hexagons/1 at turn 0")
	await(b, "colors at the start", painted+" >= 3", true)

	b.do(chromedp.Navigate("about:blank")) // the server ends with the match
	for range 2 * turns {
		select {
		case allow <- struct{}{}:
		default:
		}
	}
	if err := serve.Wait(); err != nil {
		t.Fatalf("serve: %v", err)
	}
	alone := open(t, exportedFile(t, binary, recordings(t, records)[0])+"#t=5", offline())
	await(alone, "turn of the file", boardLabel, "Board of claim-hexagons/1 at turn 5")
	await(alone, "colors in the file", painted+" >= 3", true)
	await(alone, "scores in the file", shows(players, "score"), true)
	alone.do(phone)
	await(alone, "what the page is too wide by", `document.scrollingElement.scrollWidth - 390`, 0)
	alone.shoot("drawn game phone")
}
