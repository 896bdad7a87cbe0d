//go:build browser

package pagetest

import (
	"context"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/server/harness"
)

// From a turn of a recording other bots play on; both futures are two tracks on one timeline, the same up to that turn.
func TestPlayOn(t *testing.T) {
	t.Parallel()
	program, dir := built(t), t.TempDir()
	file, err := harness.Record(t.Context(), program, dir, "--map", "lagoon", "--turns", "60", "painter", "random", "painter", "random")
	if err != nil {
		t.Fatal(err)
	}
	serve, err := harness.Serve(context.Background(), program, "--http", "127.0.0.1:0", "--record", dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	address := serve.Page + "?recording=" + url.QueryEscape(filepath.Base(file)) + "#t=20"
	b := open(t, address, prefers("dark"))
	await(b, "turn on the board", boardTurn, 20)
	await(b, "the button", `document.querySelector(".switch.branch") !== null`, true)
	const dialog = `(document.querySelector("dialog.playon")?.innerText ?? "")`
	b.press("t")
	await(b, "the dialog", shows(dialog, "Play on from turn 20", "played on by"), true)
	auditor(t)(b, "play on")
	b.looks("play on")
	b.seatBot("hunter")
	b.presses("Play on")
	await(b, "both boards", bothDrawn, 2)
	await(b, "the two futures", `document.querySelectorAll(".tracks canvas").length`, 2)
	await(b, "up to where they are the same", shows(`document.querySelector(".compare > .aside").innerText`, "Both are the same up to turn 2"), true)
	await(b, "the turn", `document.querySelector(".together .turn").innerText.startsWith("20 /")`, true)
	b.press(kb.End)
	await(b, "the end of both", `document.querySelector(".together .turn").innerText`, "60 / 60")
	await(b, "who plays there", shows(`document.querySelector(".compare table").innerText`, "hunter"), true)
	await(b, "cells are hatched", hatched+" > 500", true)
	b.looks("two futures")

	// The dialog says what is wrong with a bot.
	wrong := openEmpty(t)
	wrong.do(chromedp.Navigate(address))
	await(wrong, "turn on the board", boardTurn, 20)
	wrong.press("t")
	await(wrong, "the dialog", shows(dialog, "Play on from turn 20"), true)
	for bot, says := range map[string]string{"missing_bot": "missing_bot", "open": "waits for no client"} {
		wrong.seatBot(bot)
		wrong.presses("Play on")
		await(wrong, "what is wrong with "+bot, shows(`(document.querySelector(".playon .problem")?.innerText ?? "")`, says), true)
	}
}

// seatBot names the bot that plays on for the first player.
func (b *tab) seatBot(bot string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`((i) => { i.value = ` + quote(bot) + `; i.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector(".playon input"))`))
}
