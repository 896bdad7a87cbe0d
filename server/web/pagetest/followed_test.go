//go:build browser

package pagetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// amberOnBoard reports whether the board shows the amber of refused actions, which no player has.
const amberOnBoard = `(() => {
	const c = document.querySelector('[role="img"][aria-label^="Board"] canvas');
	const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(c, 0, 0);
	const { data } = copy.getImageData(0, 0, c.width, c.height);
	let found = 0;
	for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - 255) < 4 && Math.abs(data[i + 1] - 180) < 4 && Math.abs(data[i + 2] - 84) < 4) found++;
	return found > 20;
})()`

// stubborn sends every character in one direction, also against a wall.
type stubborn struct{ suicidal }

func (stubborn) Turn(netorcai.Turn) ([]byte, error) {
	actions := make([]string, 20)
	for id := range actions {
		actions[id] = fmt.Sprintf(`{"id":%d,"movement":"move","direction":"x+"}`, id)
	}
	return []byte("[" + strings.Join(actions, ",") + "]"), nil
}

// The board shows what a followed player asked for, with what was refused in amber.
func TestFollowShows(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 60)
	s.start("my_bot.py", stubborn{})
	s.join(seats[:3]...)
	s.finish()
	b := open(t, s.recordingURL("#t=5"), prefers("dark"))
	await(b, "turn on the board", boardTurn, 5)
	await(b, "amber before anybody is followed", amberOnBoard, false)
	name := `[...document.querySelectorAll(".row .whole")].find((e) => e.ariaLabel === "Follow talker")`
	await(b, "the row", name+` !== undefined`, true)
	b.do(chromedp.Evaluate[chromedp.Void](name + `.click()`))
	await(b, "amber while the bot is followed", amberOnBoard, true)
	b.looks("followed")
	b.press("0")
	await(b, "amber afterwards", amberOnBoard, false)
}
