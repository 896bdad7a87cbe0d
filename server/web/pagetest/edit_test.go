//go:build browser

package pagetest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
	"github.com/hexarena/hexarena/tools/harness"
)

// Expressions for what the tests of the editor read.
const (
	botStatus  = `document.querySelector('main[aria-label="Write a bot"] [role="status"]')?.textContent ?? ""`
	botPrinted = `document.querySelector('[role="log"]')?.innerText ?? ""`
)

// openEditor opens the editor of a match.
func openEditor(t *testing.T, s *show) *tab {
	t.Helper()
	b := open(t, s.page.URL()+"#edit")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the bot has printed: %s", value[string](b, botPrinted))
		}
	})
	await(b, "status", botStatus, "not in a match")
	return b
}

// joins makes a bot with that code wait for the match.
func (b *tab) joins(code string) {
	b.t.Helper()
	b.write(code)
	b.presses("Run")
	await(b, "status", botStatus, "waiting for the start")
}

// editedCode is the code in the editor that is in sight, and codeField the field that has it.
const (
	codeField  = `document.querySelector(".codearea").shadowRoot.querySelector(".cm-content")`
	editedCode = codeField + `.innerText`
)

// ctrl is the key Ctrl as a modifier of others.
const ctrl = 2

// write replaces the code in the editor, as a user does who pastes other code.
func (b *tab) write(code string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](codeField + `.focus()`))
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(ctrl)))
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", ` + strconv.Quote(code) + `);
		` + codeField + `.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
	}`))
}

// score returns a player's score at the end of the match.
func (s *show) score(nickname string) int {
	s.t.Helper()
	var summary struct {
		Turns int
		Seats []struct{ Nickname string }
	}
	var state struct{ Score map[int]int }
	err := json.Unmarshal(s.feed.Summary(), &summary)
	if err == nil {
		var data []byte
		if data, err = s.feed.State(summary.Turns); err == nil {
			err = json.Unmarshal(data, &state)
		}
	}
	for id, seat := range summary.Seats {
		if seat.Nickname == nickname {
			return state.Score[id]
		}
	}
	s.t.Fatalf("no score of %s: %v in %+v", nickname, err, summary)
	return 0
}

var opponents = []string{"random", "random2", "random3"}

// A bot written in the page joins a match with built-in bots, on several boards, and scores
// more than random ones.
func TestJavaScriptBot(t *testing.T) {
	t.Parallel()
	for _, board := range []string{maps.Default, "crossroads"} {
		t.Run(board, func(t *testing.T) {
			s := newShow(t, board, 150)
			b := openEditor(t, s)
			await(b, "the starter is there", shows(editedCode, "class Bot {", `require("./hexarena.js")`),
				true)
			b.shoot("write a bot " + board)
			b.presses("Run")
			await(b, "status", botStatus, "waiting for the start")
			s.join(opponents...)
			s.run()
			await(b, "the end is told, and the bot too",
				shows(botPrinted, "The match is over: my_bot", "The scores: {"), true)
			await(b, "status", botStatus, "not in a match")
			b.shoot("written bot has played " + board)
			mine := s.score("my_bot")
			for _, other := range opponents {
				if theirs := s.score(other); mine <= theirs {
					t.Errorf("my_bot has %d points, %s %d", mine, other, theirs)
				}
			}
		})
	}
}

// class returns the code of a bot with these methods, the first of which begins in line 3.
func class(methods string) string {
	return "const { run, neighbour } = require('./hexarena.js');\nclass Bot " +
		"{\n" + methods + "\n}\nrun(Bot);"
}

// The page shows what a bot prints, and its errors with the line of the code.
func TestJavaScriptMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, code, status string
		want               []string
	}{
		{"prints", class("  constructor(match) { this.me = match.playerId; }\n  turn(state) {\n    " +
			"console.log('cells', state.cells.length > 9, [this.me >= 0], new Set([1]));\n    return " +
			"[];\n  }"), "playing", []string{"cells true [true] [1]"}},
		{"a mistake in the grammar", class(
			"  turn(state) {\n    return [;\n  }"), "not in a match", []string{"line 4", "SyntaxError"}},
		{"a mistake at the beginning", "\n\nnothing.here = 1;\n" + class("turn() { return []; }"), "not in a match", []string{"line 3", "ReferenceError: nothing is not defined"}},
		{"a mistake in the constructor", class(
			"  constructor(match) {\n    match.nothing.here = 1;\n  }\n  turn() { return []; }",
		), "not in a match", []string{"line 4", "TypeError", "The bot was stopped."}},
		{"a mistake in a turn", class("  turn(state) {\n    return help(null);\n  }") + "\nfunction help(x) { return x.y; }", "playing", []string{"line 8", "TypeError", "This turn was answered without actions."}},
		{"a mistake in what was ready", class("  turn(state) {\n    neighbour({ q: 0, r: 0 }, 'up');\n " +
			" }"), "playing", []string{"line 4", "TypeError"}},
		{"a mistake in a promise", class("  async turn(state) {\n    await null;\n    nothing();\n  " +
			"}"), "playing", []string{
			"line 5", "ReferenceError", "This turn was answered without actions.",
		}},
		{"no list", class("turn(state) {}"), "playing", []string{
			"turn() must return an array of actions, not undefined",
		}},
		{"no bot", "const turns = 1;", "not in a match", []string{"The code does not call run(Bot)."}},
		{"no such module", "require('fs');", "not in a match", []string{
			`a bot in the page has no module fs, only "./hexarena.js"`,
		}},
		{"an endless turn", class("turn(state) {\n  console.log('here');\n  while (true) " +
			"{}\n}"), "not in a match", []string{"here", "turn() did not return within 2 seconds, so " +
			"the bot was stopped. Is there an endless loop?"}},
		{"an endless constructor", class("constructor() { while (true) {} }"), "not in a match", []string{
			"The constructor did not return within 2 seconds, so the bot was stopped. Is there an endless " +
				"loop?",
		}},
		{"an endless beginning", "for (;;) {}\n" + class(
			"turn() { return []; }"), "not in a match", []string{"The code did not finish within 10 " +
			"seconds and was stopped. Is there an endless loop?"}},
		{"a flood", class("turn(state) {\n  for (let i = 0; i < 1e4; i++) console.log(i);\n  return " +
			"[];\n}"), "playing", []string{"\n99", "100 lines in one turn: the rest is left out."}},
		{
			"no way out", class("turn() {\n  " +
				"console.log(Object.getOwnPropertyNames(self).concat(Object.getOwnPropertyNames(Object.getPrototypeOf(self))).filter((n) " +
				"=> " +
				"/fetch|Socket|XML|import|Worker|post|close|Event|caches|indexedDB|navigator|location|Channel|crypto/i.test(n)), " +
				"typeof fetch, typeof self.WebSocket);\n  return [];\n}"),
			"playing",
			[]string{"[] undefined undefined"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newShow(t, maps.Default, 60_000)
			s.room.Match().SetPace(slow)
			b := openEditor(t, s)
			b.write(tt.code)
			b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(ctrl)))
			if strings.Contains(tt.name, "turn") || strings.Contains(tt.name, "constructor") ||
				tt.status == "playing" {
				await(b, "status", botStatus, "waiting for the start")
				s.run()
				if err := s.room.Match().Start(); err != nil {
					t.Fatal(err)
				}
			}
			await(b, "it is told", shows(botPrinted, tt.want...), true)
			await(b, "status", "("+botStatus+`).startsWith(`+strconv.Quote(tt.status)+`)`, true)
			b.shoot(tt.name)
		})
	}
}

// The end of what a bot prints stays in sight when the window becomes narrower, as when a phone is
// turned.
func TestPrintedEndStays(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	b := openEditor(t, s)
	b.joins(
		"let turns = 0;\n" + class("turn(state) {\n  console.log(turns++, 'a line that has to be broken "+
			"on a phone '.repeat(3));\n  return [];\n}"),
	)
	s.join(opponents...)
	s.finish()
	await(b, "the end is told", shows(botPrinted, "The match is over: my_bot"), true)
	const below = `((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop))(document.querySelector('[role="log"]'))`
	await(b, "pixels below what is in sight", below, 0)
	// A line may be added between a scroll and its event.
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const box = document.querySelector('[role="log"]');
		box.firstElementChild.style.paddingBottom = "60px";
		box.dispatchEvent(new Event("scroll"));
	}`))
	await(b, "pixels below what is in sight once it has grown", below, 0)
	b.do(phone)
	await(b, "the lines are broken", `document.querySelector('[role="log"]').clientWidth <= 390`, true)
	await(b, "pixels below what is in sight on a phone", below, 0)
}

// A bot that the browser kept from before the page's bots used the kit still plays.
func TestOldJavaScriptBot(t *testing.T) {
	t.Parallel()
	const old = "function turn(state, me) {\n  const board = new Set(state.cells.map(key));\n" +
		"  console.log('turns', game.nb_turns_max, 'covered', explosion(board, state.characters[0], " +
		"2).length > 1);\n" +
		"  return state.characters.filter((c) => c.color === me + 1).map((c) => ({ id: c.id, movement: " +
		"'move', direction: firstStep(c, board, board) }));\n}"
	s := newShow(t, maps.Default, 20)
	b := openEditor(t, s)
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`localStorage.setItem("bot.code", ` + strconv.Quote(old) + `); location.reload()`),
	)
	await(b, "the code",
		shows(editedCode, "form of earlier versions", "function turn(state, me)", "run(class {"), true)
	b.presses("Run")
	await(b, "status", botStatus, "waiting for the start")
	s.join(opponents...)
	s.finish()
	await(b, "the end is told",
		shows(botPrinted, "turns 20 covered true", "The match is over: my_bot"), true)
	if s.score("my_bot") <= 20*len(s.board.Starts[0]) {
		t.Error("my_bot has painted nothing")
	}
}

// With "keep playing" the bot also joins the next match, without user input.
func TestJavaScriptBotKeepsPlaying(t *testing.T) {
	t.Parallel()
	one := newShow(t, maps.Default, 20)
	two := newShowIn(t, one.folder, maps.Default, 20)
	b := open(t, one.page.URL())
	b.presses("Write a bot")
	await(b, "status", botStatus, "not in a match")
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`document.querySelector('.tools input[type="checkbox"]').click()`),
	)
	b.presses("Run")
	for _, s := range []*show{one, two} {
		if s == two {
			one.show(two)
		}
		await(b, "status", botStatus, "waiting for the start")
		s.join(opponents...)
		s.run()
		await(b, "status", botStatus, "waiting for the next match")
		if s.score("my_bot") == 0 {
			t.Error("my_bot has no points")
		}
	}
	b.presses("Stop")
	await(b, "status", botStatus, "not in a match")
}

// The page says that a match has no seat for its bot, and does not wait for ever.
func TestNoSeatForTheBot(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 20)
	page := newPage(s)
	page.Show(web.Match{Feed: s.feed, Map: s.board.AppendJSON(nil)})
	s.join(seats...)
	s.finish()
	b := open(t, page.URL()+"#edit")
	await(b, "status", botStatus, "not in a match")
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`document.querySelector('.tools input[type="checkbox"]').click()`),
	)
	b.presses("Run")
	await(b, "why it cannot join",
		shows(botPrinted, "This match has no seat for a bot of this page.", "hexarena play page painter"),
		true)
	await(b, "status", botStatus, "not in a match")
}

// slow is a pace that leaves time to read the page.
func slow(match.Settings) match.Pace { return match.Timer(0, 200*time.Millisecond) }

// A game with a starter of its own has it in the editor, which keeps the code of each game, and
// offers that of the server. It plays a match to the end, with two pieces a turn.
func TestJavaScriptBotOfAnotherGame(t *testing.T) {
	t.Parallel()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	binary := built(t)
	serve, err := harness.Serve(context.Background(), binary, "--game", "hextictactoe", "--seats", "page random", "--autostart",
		"--visualizations", "0", "--turns", "99", "--matches", "endless", "--http", "127.0.0.1:0", "--record", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	b := open(t, serve.Page)
	await(b, "the starter for downloading",
		`document.querySelector('.joinin a[download="my_bot.zip"]')?.getAttribute("href")`,
		"/api/starter?game=hextictactoe")
	await(b, "the languages of the starter",
		`[...document.querySelectorAll(".joinin option")].map((o) => o.label).join()`,
		"Python,JavaScript")
	b.do(
		chromedp.SetValue(chromedp.CSS(".joinin select"), "javascript"),
		chromedp.Evaluate[chromedp.Void](
			`document.querySelector(".joinin select").dispatchEvent(new Event("change", { bubbles: true }))`,
		),
	)
	await(b, "the starter in another language",
		`document.querySelector('.joinin a[download="my_bot.zip"]')?.getAttribute("href")`,
		"/api/starter?game=hextictactoe&language=javascript")
	await(b, "how it joins", shows(lobby, "node my_bot.js 127.0.0.1 "), true)
	b.presses("Write a bot")
	await(b, "the starter is there",
		shows(editedCode, "hexagonal tic-tac-toe", "return [{ pieces }];"), true)
	b.shoot("write a bot hextictactoe")
	await(b, "the files beside a downloaded bot", `document.querySelector('.tools a[download="my_bot.zip"]').getAttribute("href")`,
		"/api/starter?game=hextictactoe&language=javascript")
	b.presses("Run")
	await(b, "the end is told", shows(botPrinted, "The match is over: my_bot has won."), true)
	b.shoot("written bot has played hextictactoe")
	await(b, "status", botStatus, "not in a match")
	await(b, "fields for a token that is not needed",
		`document.querySelectorAll('[type="password"]').length`, 0)
	b.write("// mine")
	await(b, "where the code is kept",
		`[localStorage.getItem("bot.code"), localStorage.getItem("bot.code.hextictactoe")].join()`,
		",// mine")
}

// The token for a bot that is written in the page has a field where the server requires one. It is
// sent when the bot joins, kept while the tab is open, and in no address.
func TestTokenOfJavaScriptBot(t *testing.T) {
	t.Parallel()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	const token = "TTTTTTTTTTTTTTTTTTTT"
	dir := t.TempDir()
	binary, tokens := built(t), filepath.Join(dir, "tokens.txt")
	if err := os.WriteFile(tokens, []byte("player "+token+" ann\noperator OOOOOOOOOOOOOOOOOOOO\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	serve, err := harness.Serve(context.Background(), binary, "--tokens", tokens, "--http", "127.0.0.1:0", "--record", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	b := open(t, serve.Page)
	await(b, "how another bot joins",
		shows(`document.querySelector(".joinin").innerText`, " --token TOKEN"), true)
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "edit"`))
	const field = `.tools [type="password"]`
	await(b, "the field", `document.querySelectorAll('`+field+`').length`, 1)
	b.presses("Run")
	await(b, "why it cannot join", shows(botPrinted, "LOGIN denied: a token is needed here"), true)
	await(b, "status", botStatus, "not in a match")
	b.do(chromedp.Focus(field))
	b.do(chromedp.KeyEvent(" " + token))
	auditor(t)(b, "editor with a token")
	b.shoot("token in the editor")
	b.presses("Run")
	await(b, "status", botStatus, "waiting for the start")
	await(b, "places that keep the token for longer or show it", `[location.href, document.cookie, ...Object.values(localStorage),
		...performance.getEntries().map((e) => e.name)].filter((text) => text.includes("`+token+`")).length`, 0)
	b.do(chromedp.Evaluate[chromedp.Void](`location.reload()`))
	await(b, "the token after the page was loaded again", `document.querySelector('`+field+`')?.value`,
		token)
}
