//go:build browser

package pagetest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/server/web"
)

// cards reads the names of the recordings that the gallery shows.
const cards = `[...document.querySelectorAll(".tile > a")].map((a) => a.title).join()`

// pictured counts the boards that it shows.
const pictured = `[...document.querySelectorAll(".thumbnail img")].filter((i) => i.complete && i.naturalWidth > 200).length`

// newGallery returns a page with a recording and copies of it, one of which is cut; its operator is
// who token says.
func newGallery(t *testing.T, operates func(string) bool) (page *web.Server, dir string) {
	t.Helper()
	s := recorded(t)
	s.room.Wait() // the recording is closed
	dir = t.TempDir()
	whole, err := os.ReadFile(s.recorder.Path())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"1": whole, "2": whole, "3": whole[:len(whole)*9/10]} {
		if err := os.WriteFile(filepath.Join(dir, name+".hexarena"), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s.another(web.Options{Operates: operates}, dir), dir
}

// The gallery shows the last board, the players and their scores; it finds recordings, and says
// which are cut.
func TestGallery(t *testing.T) {
	t.Parallel()
	page, _ := newGallery(t, nil)
	b := open(t, page.URL(), prefers("dark"))
	b.button("Recordings")
	await(b, "the cards, the newest first", cards, "3.hexarena,2.hexarena,1.hexarena")
	await(b, "their pictures", pictured, 3)
	const first = `document.querySelectorAll(".tile")[1].innerText`
	await(b, "what a card says", shows(first, "painter2", "won", "hexabomb", "lagoon", "90 turns"),
		true)
	await(b, "scores, the best first", `((n) => n.length === 4 && n.every((s, i) => s > 0 && (i === 0 || s <= n[i - 1])))(
		[...document.querySelectorAll(".tile")[1].querySelectorAll(".points")].map((e) => Number(e.textContent.replace(/\D/g, ""))))`, true)
	await(b, "which is cut", `[...document.querySelectorAll(".tile")].map((c) => c.querySelector(".mark")?.textContent ?? "").join()`, "cut,,")
	await(b, "the winner's line is among the others", `(({ left, bottom }, next) => left === next.left && bottom === next.top)(
		document.querySelector(".tile .won").getBoundingClientRect(), document.querySelector(".tile .won + li").getBoundingClientRect())`, true)
	for _, theme := range []string{"light", "dark"} {
		b.do(prefers(theme))
		await(b, "their pictures in this theme", fmt.Sprintf(`[...document.querySelectorAll(".thumbnail img")].filter((i) => i.complete && i.naturalWidth > 200 && i.src.endsWith("theme=%s")).length`, theme), 3)
	}
	b.looks("gallery")
	search := func(text string) {
		b.do(chromedp.Evaluate[chromedp.Void](`((i) => { i.value = ` + quote(text) + `; i.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector('input[type="search"]'))`))
	}
	search("hunter 2.hex")
	await(b, "what is found", cards, "2.hexarena")
	search("missing")
	await(b, "nothing is found",
		shows(`document.querySelector("main").innerText`, "No recording is like that."), true)
	b.presses("Show all")
	b.do(chromedp.Evaluate[chromedp.Void](`((s) => { s.value = "cut"; s.dispatchEvent(new Event("change", { bubbles: true })); })(document.querySelector("select"))`))
	await(b, "those that are cut", cards, "3.hexarena")
	audit := auditor(t)
	audit(b, "gallery")
}

// The operator deletes a recording, after a question; others are offered nothing.
func TestDeleteInTheGallery(t *testing.T) {
	t.Parallel()
	page, dir := newGallery(t, nil)
	b := open(t, page.URL())
	b.button("Recordings")
	await(b, "the cards", cards, "3.hexarena,2.hexarena,1.hexarena")
	await(b, "their pictures", pictured, 3)
	b.button("Delete 2.hexarena")
	b.presses("Keep it")
	b.button("Delete 2.hexarena")
	auditor(t)(b, "question")
	b.presses("Delete it")
	await(b, "the cards", cards, "3.hexarena,1.hexarena")
	await(b, "what the page says", notice, "The recording is deleted.")
	if _, err := os.Stat(filepath.Join(dir, "2.hexarena")); !os.IsNotExist(err) {
		t.Errorf("the file: %v", err)
	}

	page, _ = newGallery(t, func(token string) bool { return token == "secret" })
	b = openEmpty(t)
	b.do(chromedp.Navigate(page.URL()))
	b.button("Recordings")
	await(b, "the cards", cards, "3.hexarena,2.hexarena,1.hexarena")
	b.do(chromedp.Evaluate[chromedp.Void](`window.prompt = () => "wrong"`))
	b.button("Delete 2.hexarena")
	b.presses("Delete it")
	await(b, "what the page says of a wrong token", shows(notice, "operator's token"), true)
	b.do(chromedp.Evaluate[chromedp.Void](`sessionStorage.clear(); window.prompt = () => "secret"`))
	b.presses("Delete it")
	await(b, "the cards", cards, "3.hexarena,1.hexarena")
}
