//go:build browser

package pagetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

const (
	winner = `(document.querySelector(".winner")?.innerText ?? "")`
	report = `(document.querySelector('[aria-label="Match report"]')?.innerText ?? "")`
)

// coveredByWinner reports whether the board reaches up to the winner's card.
const coveredByWinner = `(() => {
	const canvas = document.querySelector('[role="img"][aria-label^="Board"] canvas');
	const { top, height } = canvas.getBoundingClientRect();
	const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(canvas, 0, 0);
	const lines = Math.floor((document.querySelector(".winner").getBoundingClientRect().bottom - top) * canvas.height / height);
	return copy.getImageData(0, 0, canvas.width, lines).data.some((v, i) => i % 4 === 3 && v > 200);
})()`

// At the end of a match its winner stands on the stage, and the report has the figures of all
// players, on the page of a server and in an exported file.
func TestReport(t *testing.T) {
	t.Parallel()
	eachKept(t, func(t *testing.T, s *show, open kept) {
		b := open(t, "#t=89")
		await(b, "turn on the board", boardTurn, recordedTurns-1)
		await(b, "the winner before the end", winner, "")
		b.button("Forward one turn")
		seats := s.figures()
		await(b, "the winner at the end", shows(winner, seats[0].Nickname+" wins", "2nd"), true)
		for _, w := range sizes {
			b.do(w.size)
			await(b, "what the winner's card covers of the board at "+w.name, coveredByWinner, false)
		}
		b.looks("winner")
		b.button("Match report")
		var want []string
		for _, f := range seats {
			refused := 0
			for _, n := range f.Refused {
				refused += n
			}
			want = append(
				want,
				fmt.Sprintf("%d|%s deaths %d, bombs %d, skipped %d, refused %d", f.Rank, f.Nickname,
					f.Counts.Deaths, f.Counts.Bombs, f.Skipped, refused),
			)
		}
		const shown = `[...document.querySelectorAll(".matchreport li")].map((row) => {
			const of = (name) => [...row.querySelectorAll("dl div")].find((d) => d.firstChild.textContent === name)?.lastChild.textContent;
			return row.querySelector(".rank").textContent + "|" + row.querySelector("b").textContent +
				["deaths", "bombs", "skipped", "refused"].map((name) => " " + name + " " + of(name)).join(",");
		}).join("\n")`
		await(b, "figures", shown, strings.Join(want, "\n"))
		await(b, "players without times",
			`document.querySelector(".matchreport").innerText.match(/ms/g).length`, 2*len(seats))
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".matchreport .head").click()`))
		await(b, "why the winner won",
			shows(report, "TURNS THAT DECIDED IT", seats[0].Nickname+" leads from here on"), true)
		b.looks("report")
	})
}

// figures are those of the report at the end of a match, best first.
func (s *show) figures() []seatFigures {
	s.t.Helper()
	var end struct {
		Report struct{ Seats []seatFigures }
	}
	lines := bytes.Split(bytes.TrimSpace(s.events()), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &end); err != nil {
		s.t.Fatal(err)
	}
	ranked := make([]seatFigures, len(end.Report.Seats))
	for _, f := range end.Report.Seats {
		ranked[f.Rank-1] = f
	}
	return ranked
}

type seatFigures struct {
	Nickname string
	Rank     int
	Counts   struct{ Deaths, Bombs int }
	Skipped  int
	Refused  map[string]int
}

// suicidal lays a bomb below each of its characters whenever it can, and never moves.
type suicidal struct{}

func (suicidal) Start(netorcai.GameStarts) error { return nil }
func (suicidal) End(netorcai.GameEnds)           {}

func (suicidal) Turn(m netorcai.Turn) ([]byte, error) {
	var state struct {
		Characters []struct {
			ID, Color int
			Alive     bool
			BombCount int `json:"bomb_count"`
		}
	}
	if err := json.Unmarshal(m.State, &state); err != nil {
		return nil, err
	}
	actions := []string{}
	for _, c := range state.Characters {
		switch {
		case !c.Alive:
			actions = append(actions, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, c.ID))
		case c.BombCount > 0:
			actions = append(actions,
				fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":4,"bomb_delay":3}`, c.ID))
		}
	}
	return []byte("[" + strings.Join(actions, ",") + "]"), nil
}

// From a match that a bot lost, three clicks lead to the turn that decided it and to the reason.
// Each goes to what the page names.
func TestWalkToTheReason(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 60)
	s.start("my_bot.py", suicidal{})
	s.join(seats[:3]...)
	s.finish()
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 60)
	click := func(what, button string) {
		t.Helper()
		await(b, what, shows(`document.body.innerText`, button), true)
		b.button(button)
	}
	click("the way to the report", "Match report")
	await(b, "who lost", shows(report, "talker", "Why?"), true)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("button")].find((e) => /talker\s.*Why\?/s.test(e.innerText)).click()`))
	await(b, "the reason", shows(report, "TURNS THAT DECIDED IT", " of its own"), true)
	b.looks("why")
	point := `[...document.querySelectorAll("button")].find((e) => /^Turn \d+\s*[^]* of its own/.test(e.innerText))`
	turn := value[int](b, `Number(`+point+`.innerText.match(/\d+/)[0])`)
	b.do(chromedp.Evaluate[chromedp.Void](point + `.click()`))
	await(b, "turn on the board", boardTurn, turn+1)
	await(b, "the turn that is marked",
		`document.querySelector('.point[aria-current="true"] b').textContent`,
		fmt.Sprintf("Turn %d", turn))
	b.looks("why turn")
}

// The report on a match that is played goes on with it, and says how a bot crashed.
func TestReportLive(t *testing.T) {
	t.Parallel()
	s := talked(t)
	s.play(20)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 20)
	b.button("Report")
	await(b, "how far", shows(report, "so far, turn 19"), true)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".matchreport .head")].find((e) => e.innerText.includes("talker")).click()`))
	await(b, "refused actions by their reason", shows(report, "unknown character", "first in turn 0"),
		true)
	s.play(18)
	await(b, "how it crashed",
		shows(report, "so far, turn 37", "in turn 3", "IndexError: list index out of range"), true)
	b.looks("report live")
}

// The page says that no turn stands out only if that is known. After a match that it watched, it
// loads the last event of the recording, and not the whole file.
func TestReportSaysWhatDecided(t *testing.T) {
	t.Parallel()
	const (
		found   = "TURNS THAT DECIDED IT"
		none    = "No single turn stands out."
		unknown = "The turns that decided are not known"
		looking = "Looking for the turns that decided"
	)
	s := recorded(t)
	why := func(t *testing.T, b *tab, want string) {
		t.Helper()
		b.button("Match report")
		b.do(chromedp.Click(`.matchreport li:nth-child(2) .head`))
		await(b, "why", shows(report, want), true)
	}
	for want, decided := range map[string]any{none: []any{}, unknown: nil} {
		file := s.single(t, edited(t, func(event map[string]any) {
			if delete(event, "decided"); event["type"] == "end" && decided != nil {
				event["decided"] = decided
			}
		}))
		why(t, open(t, file+"#t=90", offline()), want)
	}
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, recordedTurns)
	why(t, b, found)
	await(b, "what was loaded of the recording", `performance.getEntriesByType("resource").map(
		(e) => new URL(e.name).pathname).filter((p) => p.startsWith("/api/recordings/")).join()`,
		"/api/recordings/"+filepath.Base(s.recorder.Path())+"/end")
	b = open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, recordedTurns)
	b.do(chromedp.Evaluate[chromedp.Void](`fetch = () => new Promise((answer) => (refuse = () => answer(new Response("", { status: 404 }))))`))
	why(t, b, looking)
	b.do(chromedp.Evaluate[chromedp.Void](`refuse()`))
	await(b, "why", shows(report, unknown), true)
}
