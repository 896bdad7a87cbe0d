//go:build browser

package pagetest

import (
	"bufio"
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/tools/harness"
)

// inCode returns an expression for the text of the first element in the editor that a selector
// matches, "" without one.
func inCode(selector string) string {
	return `(document.querySelector(".codearea").shadowRoot.querySelector(` + quote(selector) + `)?.innerText ?? "")`
}

// types types text at the cursor of the editor.
func (b *tab) types(text string) {
	b.t.Helper()
	for _, key := range text {
		b.do(chromedp.KeyEvent(string(key)))
	}
}

// writeUpTo replaces the code, and puts the cursor behind the mark | in it, which is left out.
func (b *tab) writeUpTo(marked string) {
	b.t.Helper()
	before, after, _ := strings.Cut(marked, "|")
	b.write(before + after)
	b.do(chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(ctrl)))
	for range len([]rune(before)) {
		b.do(chromedp.KeyEvent(kb.ArrowRight))
	}
}

// The editor proposes the fields of the state and the names of the kit, with their documentation,
// as far as it knows the type of what stands before the dot.
func TestProposals(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 20)
	b := openEditor(t, s)
	for _, tt := range []struct{ name, code, typed, proposed, documented string }{
		{"a field of the state", class(
			"  turn(state) {\n    |\n  }"), "state.cha", "characters", "All characters, by id."},
		{"of an element", class("  turn(state) {\n    for (const one of state.bombs) {\n      |\n    " +
			"}\n  }"), "one.de", "delay", "Turns until it explodes"},
		{"in a function for each", class(
			"  turn(state) {\n    const mine = state.characters.filter((c) => c.alive);\n    " +
				"mine.map((who) => |);\n  }",
		), "who.bo", "bomb_count", "Bombs that it holds; absent by the draft rules."},
		{"of the match", class("  constructor(match) { this.match = match; }\n  turn(state) {\n    |\n " +
			" }"), "this.match.time", "timeLeft", "milliseconds until the turn ends"},
		{"a name of the kit", class(
			"  turn(state) {\n    |\n  }"), "firstS", "firstStep", "first step on a shortest way"},
		{"of an action", class(
			"  turn(state) {\n    return [{ | }];\n  }"), "bomb_r", "bomb_range", "2 to 4"},
	} {
		b.writeUpTo(tt.code)
		b.types(tt.typed)
		await(b, tt.name+": what is proposed",
			inCode(".cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel"), tt.proposed)
		await(b, tt.name+": what it means", shows(inCode(".cm-completionInfo"), tt.documented), true)
		if tt.proposed == "characters" {
			b.shoot("proposals")
			auditor(t)(b, "editor with proposals")
		}
		b.press(kb.Escape)
	}
	b.writeUpTo(class("  turn(state) {\n    return [{ movement: | }];\n  }"))
	b.types(`"re`)
	await(b, "texts that are proposed",
		inCode(".cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel"), "revive")
	b.settle() // a proposal that has just appeared is not accepted
	b.press(kb.Enter)
	await(b, "the code", shows(editedCode, `movement: "revive`), true)
}

// An error is marked in its line, and says what it is. Escape, then Tab, leaves the code.
func TestMistakeInItsLine(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 20)
	b := openEditor(t, s)
	b.write("\n\nnothing.here = 1;\n" + class("turn() { return []; }"))
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(ctrl)))
	await(b, "it is told", shows(botPrinted, "ReferenceError: nothing is not defined"), true)
	await(b, "what is marked", inCode(".cm-lintRange-error"), "nothing.here = 1;")
	b.button("line 3")
	await(b, "the line with the cursor", inCode(".cm-activeLine"), "nothing.here = 1;")
	b.shoot("mistake in its line")
	b.write(class("turn() { return []; }"))
	b.presses("Run")
	await(b, "marks of what is mended", inCode(".cm-lintRange-error"), "")
	await(b, "status", botStatus, "waiting for the start")

	b.do(chromedp.Evaluate[chromedp.Void](codeField + `.focus()`))
	b.press(kb.Tab)
	await(b, "Tab alone stays", `document.activeElement.className`, "codearea")
	b.press(kb.Escape, kb.Tab)
	await(b, "Escape and Tab leave it", `document.activeElement.textContent`, "Run")
}

// run presses Ctrl+Enter in the editor.
func (b *tab) run() {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](codeField + `.focus()`))
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(ctrl)))
}

const (
	mine     = `(document.querySelector(".mine")?.innerText ?? "").replace(/\s+/g, " ")`
	versions = `(document.querySelector(".versions")?.innerText ?? "")`
)

// startEditor starts hexarena play page, and returns the address of the editor.
func startEditor(t *testing.T) string {
	t.Helper()
	lines := bufio.NewScanner(playOpen(t, "page", "--turns", "30", "--tps", "10"))
	for lines.Scan() {
		if _, rest, ok := strings.Cut(lines.Text(), "waiting for a bot from the page at "); ok {
			go func() {
				for lines.Scan() { // so that it never waits for a reader
				}
			}()
			editor, _, _ := strings.Cut(rest, ",")
			return editor
		}
	}
	t.Fatal("play does not say where the editor is")
	return ""
}

// Run plays against built-in bots, also again before the end. The page says who the bot is and how
// it stands, leads from what it prints to the turn, and keeps the versions with their results, to
// be compared and taken back.
func TestRunAgain(t *testing.T) {
	t.Parallel()
	b := open(t, startEditor(t))
	await(b, "status", botStatus, "not in a match")
	b.write(
		class("  turn(state) {\n    console.log('I see', state.cells.length);\n    return [];\n  }"))
	b.run()
	await(b, "who plays", `/^you (1st|2nd|3rd|4th) \d+$/.test(`+mine+`)`, true)
	await(b, "the bot is followed", `document.querySelector(".mine").getAttribute("aria-pressed")`,
		"true")
	await(b, "it prints", shows(botPrinted, "I see"), true)
	b.do(chromedp.Evaluate[chromedp.Void](codeField + `.focus()`))
	b.write(
		class("  turn(state) {\n    console.log('now I see', state.cells.length);\n    return [];\n  }"))
	b.run()
	await(b, "the other version prints", shows(botPrinted, "now I see"), true)
	b.looks("run again")
	await(b, "the end is told", shows(botPrinted, "The match is over: my_bot"), true)
	await(b, "status", botStatus, "not in a match")

	// Each line leads to the turn whose state the bot had.
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`document.querySelector('.printed [aria-label="Show turn 7"]').click()`),
	)
	await(b, "turn on the board", boardTurn, 8)
	await(b, "the line of this turn",
		`document.querySelector(".printed .now").innerText.replace(/\s+/g, " ")`, "7 now I see 268")

	b.presses("Versions (2)")
	await(b, "the versions", `/^\s*2\s+\S+( [AP]M)?\s+\dth|st|nd|rd of 4, \d+\s+compare\s+take back\s+1\s+/.test(`+versions+`)`, true)
	await(b, "the first was not played to the end", shows(versions, "no match to its end yet"), true)
	b.looks("versions")
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".versions button:not(:disabled)")].find((e) => e.textContent === "compare").click()`))
	await(b, "what is new", inCode(".cm-changedLine"),
		"    console.log('now I see', state.cells.length);")
	await(b, "what is no longer there", inCode(".cm-deletedChunk"),
		"    console.log('I see', state.cells.length);")
	b.looks("versions compared")
	auditor(t)(b, "editor with a comparison")
	b.presses("End comparison")
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".versions button:not(:disabled)")].find((e) => e.textContent === "take back").click()`))
	await(b, "the code", shows(editedCode, "console.log('I see'"), true)
	b.do(chromedp.Evaluate[chromedp.Void](`location.reload()`))
	await(b, "status", botStatus, "not in a match")
	b.presses("Versions (2)")
	await(b, "the versions after the page was loaded again",
		shows(versions, "of 4", "no match to its end yet"), true)
	b.presses("Run")
	await(b, "the end of the third match", shows(botPrinted, "The match is over: my_bot"), true)
	b.presses("Versions (2)")
	await(b, "versions without an end", shows(versions, "no match to its end yet"), false)
}

// On a server, Run fills the free seats with built-in bots and starts the match if no other player
// has joined.
func TestRunOnAServer(t *testing.T) {
	t.Parallel()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	binary := built(t)
	serve, err := harness.Serve(context.Background(), binary, "--visualizations", "0", "--turns", "60", "--tps", "20", "--matches", "endless", "--http", "127.0.0.1:0", "--record", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	one, other := open(t, serve.Page+"#edit"), open(t, serve.Page+"#edit")
	one.presses("Run")
	await(one, "the end is told", shows(botPrinted, "The match is over: my_bot"), true)
	await(other, "the next lobby is shown", shows(`document.body.innerText`, "LIVE"), false)
	other.presses("Run")
	await(other, "the end is told", shows(botPrinted, "The match is over: my_bot"), true)
}
