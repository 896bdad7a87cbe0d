//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// drawer is a painter that draws in two layers; the arrow is green.
type drawer struct{ netorcai.Bot }

func (drawer) Debug() netorcai.Debug {
	return netorcai.Debug{Cells: []netorcai.DebugCell{
		{Q: -4, R: 2, Shape: "arrow", ToQ: 3, ToR: 1, Color: "#0f0", Layer: "plan"},
		{Q: -4, R: 2, Shape: "line", ToQ: -2, ToR: 5, Color: "orange", Label: "the long way", Layer: "plan"},
		{Q: 3, R: -4, Shape: "text", Label: "free", Layer: "notes"},
		{Q: 0, R: 4, Color: "red", Label: "!"},
	}}
}

// Layers of what a bot draws are switched one by one.
func TestDebugLayers(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 20)
	strategy, err := bots.New("painter", 5)
	if err != nil {
		t.Fatal(err)
	}
	s.start("my_bot.py", drawer{bots.ForClient(strategy)})
	s.join(seats[:3]...)
	s.finish()
	b := open(t, s.recordingURL("#t=8"))
	await(b, "turn on the board", boardTurn, 8)
	b.do(chromedp.Click(chromedp.CSS(openMyBot)))
	const names = `[...document.querySelectorAll(".layers label")].map((e) => e.innerText.trim()).join(", ")`
	await(b, "the layers", names, "plan, notes, without a layer")
	await(b, "the arrow", marked, true)
	auditor(t)(b, "layers of a bot")
	b.looks("layers of a bot")
	plan := chromedp.Evaluate[chromedp.Void](`document.querySelector(".layers input").click()`)
	b.do(plan)
	await(b, "the arrow of a hidden layer", marked, false)
	b.do(plan)
	await(b, "the arrow of a layer that is back", marked, true)
}
