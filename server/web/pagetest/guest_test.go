//go:build browser

package pagetest

import (
	"bufio"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hexarena play waits for a bot that is written in the page. When the match is played
// again, the bot joins automatically.
func TestBotOfThePageInPlay(t *testing.T) {
	t.Parallel()
	editor := ""
	lines := bufio.NewScanner(playOpen(t, "page", "painter", "--turns", "40", "--tps", "20"))
	for editor == "" && lines.Scan() {
		if _, rest, ok := strings.Cut(lines.Text(), "waiting for a bot from the page at "); ok {
			editor, _, _ = strings.Cut(rest, ",")
		}
	}
	b := open(t, editor)
	await(b, "status", botStatus, "not in a match")
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`document.querySelector('.tools input[type="checkbox"]').click()`),
	)
	b.presses("Run")
	await(b, "the end is told", shows(botPrinted, "The match is over: my_bot"), true)
	await(b, "status", botStatus, "waiting for the next match")
	b.shoot("bot of the page in play")
	b.presses("Run")
	await(b, "it plays", "("+botStatus+`).startsWith("playing")`, true)
	await(b, "status", botStatus, "waiting for the next match")
}
