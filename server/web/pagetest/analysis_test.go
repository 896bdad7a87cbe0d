//go:build browser

package pagetest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/tools/harness"
)

// Expressions for what the tests of the analysis read.
const (
	standing = `(document.querySelector('.order [role="status"]')?.textContent ?? "")`
	tabNames = `[...document.querySelectorAll('nav[aria-label="Pages"]:not(.bottom) button')].map((b) => b.innerText).join(", ")`
	findings = `[...document.querySelectorAll(".findings ol button")].map((b) => b.innerText).join("\n")`
)

// judgedServer starts a server with the recording of a game between two built-in bots. It
// returns the server's address and the recording's file.
func judgedServer(t *testing.T) (address, file string) {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	dir := t.TempDir()
	binary := built(t)
	records := filepath.Join(dir, "recordings")
	cmd := exec.CommandContext(t.Context(), binary, "play", "--game", "hextictactoe", "--seed", "5",
		"--http", "", "--record", records, "threat", "nearest")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("play: %v\n%s", err, out)
	}
	// The server outlives the tabs.
	serve, err := harness.Serve(context.Background(), binary, "--game", "hextictactoe", "--http", "127.0.0.1:0", "--record", records)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	return serve.Page, filepath.Base(recordings(t, records)[0])
}

func TestAnalysis(t *testing.T) {
	t.Parallel()
	address, file := judgedServer(t)
	t.Run("built-in", func(t *testing.T) { analysis(t, address, file) })
	t.Run("elsewhere", func(t *testing.T) { analysisElsewhere(t, address, file) })
	t.Run("recordings only", func(t *testing.T) { analysisOfRecordingsOnly(t, address, file) })
}

// A built-in bot judges a recorded game; its blunders lead to the moves.
func analysis(t *testing.T, address, file string) {
	b := open(t, address+"?recording="+file, prefers("dark"))
	await(b, "tabs", tabNames, "Match, My bot, Report, Analysis, Write a bot, Recordings, Rules")
	b.button("Analysis")
	const judges = `[...document.querySelectorAll('[aria-label="Judge"] option')].map((o) => o.value).join(" ")`
	await(b, "judges", judges, "threat nearest random ")
	b.shoot("analysis before")
	// By keyboard, from the choice of the judge to the button.
	b.do(chromedp.Focus(`[aria-label="Judge"]`))
	b.press(kb.Tab, kb.Enter)
	await(b, "all is judged", shows(standing, "moves judged", "blunder", "smaller mistake"), true)
	moves := value[int](b, `Number(/^(\d+) moves/.exec(`+standing+`)[1])`)
	await(b, "moves of the game",
		`document.querySelector(".controls .turn").textContent.includes("/ `+fmt.Sprint(moves)+`")`, true)
	if n := value[int](b, `document.querySelectorAll(".findings ol button").length`); n == 0 {
		t.Fatal("no blunder is listed")
	}
	await(b, "marks of blunders that the line of +1 crosses", `((line) => [...document.querySelectorAll(".evaluation .blunder")].filter((e) => e.getBoundingClientRect().bottom > line - 0.5).length)(document.querySelector(".evaluation svg").getBoundingClientRect().top)`, 0)
	await(b, "the judge's curve",
		`document.querySelector(".evaluation .judge").getAttribute("d").split("L").length > 5`, true)
	b.press(kb.Home)
	b.press("j")
	number := value[int](b, `Number(document.querySelector(".findings ol .turn").textContent)`)
	await(b, "the first mistake", boardMove, number)
	b.press("j", "k")
	await(b, "the mistake before the second one", boardMove, number)
	b.press(kb.Home)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".findings ol button").focus()`))
	b.press(kb.Enter)
	await(b, "the move of the blunder", boardMove, number)
	await(b, "what is told of it",
		shows(`document.querySelector(".shownmove")?.innerText ?? ""`, "?", "Judge plays"), true)
	b.settle()
	b.shoot("analysis blunder")
	b.press("d", kb.ArrowRight)
	await(b, "the next move", boardMove, number+1)
	b.settle()
	b.shoot("analysis light")
	b.button("All moves")
	await(b, "all moves are listed", `document.querySelectorAll(".findings ol button").length`, moves)
	b.press("d")
	b.shoot("analysis all")
	b.button("Judge")
	await(
		b, "what the judge can do",
		shows(`document.querySelector(".capabilities")?.innerText ?? ""`, "eval_request",
			"resettable_state", "taken back"),
		true,
	)
	b.shoot("analysis judge")
	for _, c := range b.controls() {
		if c.name == "" {
			t.Errorf("a %s has no name", c.role)
		}
	}
	b.button(
		"Mistakes " + fmt.Sprint(
			value[int](b,
				`Number(document.querySelector('.findings .options button').textContent.split(" ")[1])`),
		),
	)
	b.do(phone)
	await(b, "what the page is too wide by", `document.scrollingElement.scrollWidth - 390`, 0)
	b.settle()
	b.shoot("analysis phone")
	b.do(size(844, 390))
	b.settle()
	b.shoot("analysis phone on its side")
	b.do(size(1920, 1080))
	b.settle()
	b.shoot("analysis wide")
	b.button("Match")
	await(b, "the panel of the match is back",
		`document.querySelector(".cards") !== null && document.querySelector(".order") === null`, true)
}

// The judge may be a bot at an address. The analysis can be stopped, and the page shows
// the server's error if the bot cannot be reached.
func analysisElsewhere(t *testing.T, address, file string) {
	b := openEmpty(t) // the browser logs the status 422
	b.do(chromedp.Navigate(address + "?recording=" + file))
	b.button("Analysis")
	elsewhere := func(url string) {
		b.do(chromedp.Evaluate[chromedp.Void](`{
			const judge = document.querySelector('[aria-label="Judge"]');
			judge.value = "";
			judge.dispatchEvent(new Event("change"));
		}`))
		await(b, "the address is asked for",
			`document.querySelector('[aria-label="Address of the judge"]') !== null`, true)
		b.do(
			chromedp.Evaluate[chromedp.Void](
				`document.querySelector('[aria-label="Address of the judge"]').select()`),
		)
		b.do(chromedp.SendKeys(`[aria-label="Address of the judge"]`, url))
	}
	unused := servertest.Listen(t)
	_ = unused.Close()
	elsewhere("http://" + unused.Addr().String())
	b.button("Analyse")
	await(
		b, "the problem",
		shows(`document.querySelector('.order [role="alert"]')?.textContent ?? ""`,
			unused.Addr().String()),
		true,
	)
	b.settle()
	b.shoot("analysis problem")

	slow := slowJudge(t)
	elsewhere(slow)
	b.button("Analyse")
	await(b, "a move is judged", `document.querySelector("progress")?.value >= 1`, true)
	b.settle()
	b.shoot("analysis running")
	b.button("Stop")
	await(b, "it has stopped", standing+`.includes(" of ")`, true)
	await(b, "problems", `document.querySelectorAll('.order [role="alert"]').length`, 0)
	b.button("Analyse")
	await(b, "it is judged again", `document.querySelector("progress")?.value >= 1`, true)
	b.button("Stop")
	await(b, "it has stopped again", standing+`.includes(" of ")`, true)
	for _, p := range b.taken() {
		if !strings.Contains(p, "422") {
			t.Errorf("the browser complains: %s", p)
		}
	}
}

// slowJudge returns the address of a bot that answers a few times and then takes longer
// than any timeout.
func slowJudge(t *testing.T) string {
	t.Helper()
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"meta":{"name":"slow"},"stateless":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		if asked.Add(1)%8 > 5 {
			<-r.Context().Done()
			return
		}
		_, pieces, err := htttx.ParseTurnRequest(body)
		if err != nil {
			t.Error(err)
		}
		q := int32(0)
		for _, p := range pieces {
			q = max(q, p.Q)
		}
		_, _ = w.Write(
			htttx.AppendTurnResponse(nil,
				htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: q + 1}, {Q: q + 2}}}}),
		)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// A live match is not judged, nor is a file, which has no server.
func analysisOfRecordingsOnly(t *testing.T, address, file string) {
	live := open(t, address)
	await(live, "tabs", tabNames, "Match, Write a bot, Recordings, Rules")
	resp, err := http.Get(address + "api/recordings/" + file + "/page.html")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	path := filepath.Join(t.TempDir(), "game.html")
	if err == nil {
		err = os.WriteFile(path, page, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	alone := open(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), offline())
	await(alone, "the recording is there", boardMove, 0)
	await(alone, "tabs", tabNames, "Match, My bot, Report, Rules")
}
