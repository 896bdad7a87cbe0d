//go:build browser

package pagetest

import (
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// run runs a built hexarena to its end.
func run(t *testing.T, binary string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput(); err != nil {
		t.Fatalf("hexarena %q: %v\n%s", args, err, out)
	}
}

// recordings returns the recordings in the folder.
func recordings(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.hexarena"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// exportedFile exports a recording and returns the address of the file.
func exportedFile(t *testing.T, binary, recording string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "match.html")
	run(t, binary, "replay", "export", "--format", "html", "-o", file, recording)
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
}

// margin reports whether the edges of the drawing are empty, so that the whole board is
// visible.
const margin = `(() => {
	const c = document.querySelector('[role="img"][aria-label^="Board"] canvas');
	const { width, height } = c;
	const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(c, 0, 0);
	const empty = (x, y, w, h) => copy.getImageData(x, y, w, h).data.every((v) => v === 0);
	return empty(0, 0, width, 4) && empty(0, height - 4, width, 4) && empty(0, 0, 4, height) && empty(width - 4, 0, 4, height);
})()`

// belowCorner reports whether the drawing is empty where a projector shows the title and the state.
const belowCorner = `(() => {
	const c = document.querySelector('[role="img"][aria-label^="Board"] canvas');
	const height = Math.floor(Math.max(...[...document.querySelectorAll(".corner > *")].map((e) => e.getBoundingClientRect().bottom)) * c.height / c.clientHeight);
	const copy = new OffscreenCanvas(c.width, height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(c, 0, 0);
	return height > 0 && copy.getImageData(0, 0, c.width, height).data.every((v) => v < 200);
})()`

// crowd plays 40 turns of a match of sixteen players on two thousand cells, and returns the address
// of its file.
func crowd(t *testing.T) string {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	dir := t.TempDir()
	binary, board, records := built(t), filepath.Join(dir, "big.json"), filepath.Join(dir, "recordings")
	run(t, binary, "maps", "new", "--cells", "2000", "--players", "16", "--seed", "3", "-o", board)
	bots := slices.Repeat([]string{"painter", "random"}, 8)
	run(t, binary, append([]string{"play", "--map", board, "--seed", "5", "--turns", "40", "--http", "", "--record", records}, bots...)...)
	return exportedFile(t, binary, recordings(t, records)[0])
}

// With sixteen players on two thousand cells the whole board is visible, and players with a
// repeated combination of colour and shape have a ring.
func TestCrowd(t *testing.T) {
	t.Parallel()
	b := open(t, crowd(t)+"#t=40", offline(), prefers("dark"))
	await(b, "turn on the board", boardTurn, 40)
	await(b, "the board is drawn", drawn, true)
	b.settle()
	await(b, "nothing is cut off", margin, true)
	b.shoot("crowd")
	const rings = `document.querySelectorAll('section[aria-label="Ranking"] li > .glyph path[transform]').length`
	await(b, "players with a ring", rings, 4)
	await(b, "numbers on the rail that a ring covers", `[...document.querySelectorAll(".rail .rings1 b")].filter((e) => e.parentElement.clientHeight < 8 + 18).length`, 0)
	// Each frame, while the order changes.
	const passing = `new Promise((done) => {
		let most = 0;
		requestAnimationFrame(function frame() {
			most = Math.max(most, document.querySelector(".rows").getAnimations({ subtree: true }).filter((a) => a.effect.target.matches(".row")).length);
			if (` + boardTurn + ` < 40) requestAnimationFrame(frame);
			else done(most);
		});
	})`
	b.press(kb.Home)
	await(b, "turn on the board", boardTurn, 0)
	b.button("8×")
	b.press(" ")
	if n := value[int](b, passing, chromedp.EvalAwaitPromise); n > 0 {
		t.Errorf("%d rows of sixteen pass through each other", n)
	}
	b.press("+", "+", "+")
	await(b, "closer, some of it is out of sight", margin, false)
	b.shoot("crowd close")
	b.press("z")
	await(b, "all of it is back", margin, true)
	b.do(size(1920, 1080))
	b.settle()
	await(b, "nothing is cut off on a large window", margin, true)
	b.shoot("crowd 1920")
	b.press("p")
	await(b, "rows of a projector that are out of sight", `(innerHeight > 0 && [...document.querySelectorAll(".far li")].filter((e) => e.getBoundingClientRect().bottom > innerHeight).length)`, 0)
	b.shoot("crowd projector")
	await(b, "bars that touch the name above", `[...document.querySelectorAll(".far li .bar")].filter((e) => e.getBoundingClientRect().top - e.previousElementSibling.getBoundingClientRect().bottom < 2).length`, 0)
	for _, window := range []void{size(1920, 1080), size(1440, 900)} {
		b.do(window)
		b.settle()
		await(b, "the board is below the title and the state", belowCorner, true)
	}
	b.press("p")
	b.press("d")
	b.do(size(1920, 1080))
	b.settle()
	b.shoot("crowd light")
	b.do(phone)
	b.settle()
	await(b, "nothing is cut off on a phone", margin, true)
	b.shoot("crowd phone")
	whole := `document.querySelector(".stage > .fit")`
	await(b, "the way back before it is needed", whole+` === null`, true)
	b.press("+")
	await(b, "the way back to the whole board", whole+`?.checkVisibility()`, true)
	b.shoot("crowd phone close")
	b.do(chromedp.Click(chromedp.CSS(".stage > .fit")))
	await(b, "the whole board on a phone", margin, true)
	b.press(kb.Home)
	await(b, "turn on the board", boardTurn, 0)
}

// In sudden death the page says when all players are out and who survived longest, although
// the match goes on.
func TestAllAreOut(t *testing.T) {
	t.Parallel()
	b := open(t, suddenDeath(t)+"#t=149", offline(), size(1920, 1080))
	await(b, "turn on the board", boardTurn, 149)
	const told = `[...document.querySelectorAll(".events .line")].map((e) => e.textContent).join("; ")`
	await(b, "the event", shows(told, "All players are out", "survived longest"), true)
	await(
		b, "what the ranking says",
		shows(`document.querySelector(".ranking .section").innerText.toLowerCase()`,
			"all players are out"),
		true,
	)
	b.shoot("all are out")
	b.press("p")
	await(b, "what a projector says",
		shows(`document.querySelector(".far").innerText`, "All players are out", "survived longest"),
		true)
	await(b, "players that are shown as out",
		`document.querySelectorAll(".far li strong small").length`, 3)
	await(b, "players that are dim although all are out",
		`document.querySelectorAll(".far li.gone").length`, 0)
	await(b, "the news, long after", `getComputedStyle(document.querySelector(".news")).visibility`,
		"visible")
	b.shoot("all are out projector")
	b.press(kb.Home)
	await(b, "turn on the board", boardTurn, 0)
	await(b, "players that are shown as out at the start",
		`document.querySelectorAll(".far li strong small").length`, 0)
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#t=12"`))
	await(b, "players that are out while one lives",
		`document.querySelectorAll(".far li.gone strong small").length`, 2)
}

// suddenDeath plays 150 turns of a match in which all players are out at the end, and returns the
// address of its file.
func suddenDeath(t *testing.T) string {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	dir := t.TempDir()
	binary, records := built(t), filepath.Join(dir, "recordings")
	run(t, binary, "play", "random", "random", "random", "--sudden-death", "--order", "seeded",
		"--seed", "5", "--turns", "150", "--http", "", "--record", records)
	return exportedFile(t, binary, recordings(t, records)[0])
}
