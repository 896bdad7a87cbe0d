//go:build browser

package pagetest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// edited returns an edit that changes each event as parsed JSON.
func edited(t *testing.T, edit func(event map[string]any)) func([]byte) []byte {
	return func(events []byte) []byte {
		var out bytes.Buffer
		for line := range bytes.Lines(events) {
			var event map[string]any
			if err := json.Unmarshal(line, &event); err != nil {
				t.Fatal(err)
			}
			edit(event)
			text, err := json.Marshal(event)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(text, '\n'))
		}
		return out.Bytes()
	}
}

// amber reports whether the chart shows anything in the colour of the limit.
const amber = `(() => {
	const c = document.querySelector(".chart canvas");
	const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(c, 0, 0);
	const { data } = copy.getImageData(0, 0, c.width, c.height);
	for (let i = 0; i < data.length; i += 4) if (data[i] > 230 && Math.abs(data[i + 1] - 180) < 12 && Math.abs(data[i + 2] - 84) < 20) return true;
	return false;
})()`

// A late answer is shown as longer than the limit everywhere, and does not affect means.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	const limit = 200
	at := 0
	file := s.single(t, edited(t, func(event map[string]any) {
		if event["type"] != "turn" {
			return
		}
		turn := int(event["turn"].(float64))
		took := 30
		if turn > 10 && turn%4 == 0 {
			took = limit
			for i, a := range event["answers"].([]any) {
				if a.(map[string]any)["player"] == float64(1) {
					event["answers"].([]any)[i] = map[string]any{"player": 1, "lapse": "timed out"}
				}
			}
		} else {
			for _, a := range event["answers"].([]any) {
				a.(map[string]any)["ms"] = 5 + 20*a.(map[string]any)["player"].(float64) + float64(turn%7)
			}
		}
		at += took
		event["at_ms"] = at
	}))
	b := open(t, file+"#t=44", offline(), prefers("dark"))
	await(b, "turn on the board", boardTurn, 44)
	const text = `[...document.querySelectorAll('section[aria-label="Ranking"] .thinking')].map((e) => e.textContent).join()`
	await(b, "the time of the late one", shows(text, ">\u2009200\u2009ms"), true)
	await(b, "its badge",
		shows(`document.querySelector('section[aria-label="Ranking"]').innerText`, "skipped 3 turns"),
		true)
	b.presses("Thinking")
	await(b, "the limit in the chart", amber, true)
	b.do(chromedp.Focus(`section[aria-label="Ranking"] li:nth-child(2) button`))
	b.press(kb.Tab)
	await(b, "what a card tells of a mean",
		shows(`document.querySelector(".card")?.innerText ?? ""`, "on average"), true)
	b.shoot("late answers")
	await(b, "a time that is no number, anywhere", `document.body.innerText.includes("NaN")`, false)
}
