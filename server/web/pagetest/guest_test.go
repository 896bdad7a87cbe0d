//go:build browser

package pagetest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/server/harness"
)

// hexarena play waits for a bot that is written in the page. When the match is played
// again, the bot joins automatically.
func TestBotOfThePageInPlay(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "hexarena.exe")
	if err := harness.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "play", "page", "painter", "--open",
		"--http", "127.0.0.1:0", "--port", "0", "--record", "", "--turns", "40", "--tps", "20")
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
	editor := ""
	lines := bufio.NewScanner(stderr)
	for editor == "" && lines.Scan() {
		if _, rest, ok := strings.Cut(lines.Text(), "waiting for a bot from the page at "); ok {
			editor, _, _ = strings.Cut(rest, ",")
		}
	}
	b := open(t, editor)
	await(b, "status", botStatus, "not in a match")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.tools input[type="checkbox"]').click()`))
	b.presses("Join")
	await(b, "the end is told", shows(botPrinted, "The match is over: my_bot"), true)
	await(b, "status", botStatus, "waiting for the next match")
	b.shoot("bot of the page in play")
	b.presses("Play again")
	await(b, "it plays", "("+botStatus+`).startsWith("playing")`, true)
	await(b, "status", botStatus, "waiting for the next match")
	await(b, "names in the list of earlier results", `[...document.querySelectorAll(".encore li > span:first-child")].map((e) => e.textContent).sort().join()`, "my_bot,painter")
}
