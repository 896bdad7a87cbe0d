//go:build browser

package pagetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/web"
)

// Expressions for what the comparison shows.
const (
	paneTitles = `[...document.querySelectorAll(".panes figcaption")].map((e) => e.textContent).join(" | ")`
	// wonAndLost reads the last two columns of the table, row by row.
	wonAndLost = `[...document.querySelectorAll(".compare tbody tr")].map((row) => [...row.cells].slice(-2).map((c) => c.textContent).join(":")).join()`
	// hatched counts the pixels that lie over the second board.
	hatched = `((over) => {
		const copy = new OffscreenCanvas(over.width, over.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(over, 0, 0);
		return copy.getImageData(0, 0, over.width, over.height).data.filter((v, i) => i % 4 === 3 && v > 0).length;
	})(document.querySelector(".panes .over"))`
	bothDrawn = `[...document.querySelectorAll(".panes .screen")].filter((c) => c.width > 200 && c.height > 200).length`
)

// ownersChange returns how many cells each player has won and lost from one turn to another.
func (s *show) ownersChange(from, to int) string {
	s.t.Helper()
	owners := func(turn int) (list []int) {
		var state struct{ Cells []struct{ Color int } }
		if err := json.Unmarshal([]byte(s.stateText(turn)), &state); err != nil {
			s.t.Fatal(err)
		}
		for _, c := range state.Cells {
			list = append(list, c.Color)
		}
		return list
	}
	won, lost := make([]int, len(seats)+1), make([]int, len(seats)+1)
	before, after := owners(from), owners(to)
	for i := range before {
		if before[i] != after[i] {
			won[after[i]]++
			lost[before[i]]++
		}
	}
	text := ""
	for player := 1; player <= len(seats); player++ {
		text += fmt.Sprintf(",%d:%d", won[player], lost[player])
	}
	return text[1:]
}

// Two turns of a match stand side by side; the cells that have another owner are hatched and
// counted.
func TestCompareTurns(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	b := open(t, s.recordingURL("#t=43"), prefers("dark"))
	await(b, "turn on the board", boardTurn, 43)
	b.press("k")
	await(b, "both boards", bothDrawn, 2)
	await(b, "what stands side by side", paneTitles, "A · turn 42 | B · turn 42")
	await(b, "cells that are hatched", hatched, 0)
	for range 10 {
		b.press(kb.ArrowRight)
	}
	await(b, "what stands side by side", paneTitles, "A · turn 42 | B · turn 52")
	await(b, "cells won and lost", wonAndLost, s.ownersChange(43, 53))
	await(b, "cells are hatched", hatched+" > 500", true)
	await(b, "the address", `location.search.replace(/recording=[^&]*&/, "") + location.hash`,
		"?pin=42#turn=52")
	auditor(t)(b, "two turns")
	b.looks("compare turns")
	b.do(chromedp.Reload())
	await(b, "after it is loaded again", paneTitles, "A · turn 42 | B · turn 52")
	await(b, "cells won and lost", wonAndLost, s.ownersChange(43, 53))
	b.presses("Back to the match")
	await(b, "the address of the match", `location.search.includes("pin")`, false)

	file := open(t, s.single(t)+"#t=20", offline())
	await(file, "turn on the board", boardTurn, 20)
	file.press("k")
	await(file, "both boards", bothDrawn, 2)
	file.press(kb.End)
	await(file, "the same in a file", paneTitles, "A · turn 19 | B · turn 89")
}

// Two recordings of one seed are scrubbed together, and playing stops at the first difference.
func TestCompareRecordings(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	s.room.Wait()
	second := newShow(t, maps.Default, recordedTurns)
	second.join(seats[0], seats[1], seats[3], seats[2])
	second.finish()
	second.room.Wait()
	dir := t.TempDir()
	for name, path := range map[string]string{"first": s.recorder.Path(), "same": s.recorder.Path(), "second": second.recorder.Path()} {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".hexarena"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	page := s.another(web.Options{}, dir)
	b := open(t, page.URL(), prefers("light"))
	b.button("Recordings")
	b.button("Compare first.hexarena with another one")
	b.do(chromedp.Click(chromedp.CSS(`[aria-label="Compare with second.hexarena"]`)))
	await(b, "both boards", bothDrawn, 2)
	const said = `(document.querySelector(".compare > .aside")?.innerText ?? "")`
	differs := 1
	for s.stateText(differs) == second.stateText(differs) {
		differs++
	}
	await(b, "where they differ", shows(said, fmt.Sprintf("the same up to turn %d", differs-2)), true)
	b.press(" ")
	await(b, "where playing stops", paneTitles,
		fmt.Sprintf("A · first · turn %d | B · second · turn %d", differs-1, differs-1))
	await(b, "it has stopped", `document.querySelector('.together [aria-label="Play"]') !== null`,
		true)
	b.press(kb.End)
	await(b, "both at the end", paneTitles, "A · first · turn 89 | B · second · turn 89")
	await(b, "cells are hatched", hatched+" > 500", true)
	auditor(t)(b, "two recordings")
	b.looks("compare recordings")
	b.presses(fmt.Sprintf("First difference: turn %d", differs-1))
	await(b, "the first difference", paneTitles,
		fmt.Sprintf("A · first · turn %d | B · second · turn %d", differs-1, differs-1))

	same := open(t, page.URL()+"?recording=first.hexarena&with=same.hexarena")
	await(same, "that they are the same", shows(said, "Both matches are the same"), true)
	gone := openEmpty(t)
	gone.do(chromedp.Navigate(page.URL() + "?recording=first.hexarena&with=gone.hexarena"))
	await(gone, "that there is no other",
		shows(`document.querySelector(".compare")?.innerText ?? ""`, "There is no recording gone"), true)
}

// stateText returns the state after a turn.
func (s *show) stateText(turn int) string {
	s.t.Helper()
	data, err := s.feed.State(turn)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}
