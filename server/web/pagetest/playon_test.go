//go:build browser

package pagetest

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/tools/harness"
)

// From a turn of a recording other bots play on; both futures are two tracks on one timeline, the
// same up to that turn.
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
	await(b, "the dialog", shows(dialog, "Play on from turn 19", "played on by"), true)
	auditor(t)(b, "play on")
	b.looks("play on")
	b.seatBot("hunter")
	b.presses("Play on")
	await(b, "both boards", bothDrawn, 2)
	await(b, "the two futures", `document.querySelectorAll(".tracks canvas").length`, 2)
	await(b, "up to where they are the same",
		`/Both are the same up to turn (19|2\d)\./.test(document.querySelector(".compare > .aside").innerText)`,
		true)
	await(b, "the turn", `document.querySelector(".together .turn").innerText.startsWith("19 /")`,
		true)
	b.press(kb.End)
	await(b, "the turn of both", `document.querySelector(".together .turn").innerText`, "59 / 60")
	await(b, "who plays there", shows(`document.querySelector(".compare table").innerText`, "hunter"),
		true)
	await(b, "cells are hatched", hatched+" > 500", true)
	b.looks("two futures")

	// The dialog says what is wrong with a bot.
	wrong := openEmpty(t)
	wrong.do(chromedp.Navigate(address))
	await(wrong, "turn on the board", boardTurn, 20)
	wrong.press("t")
	await(wrong, "the dialog", shows(dialog, "Play on from turn 19"), true)
	for bot, says := range map[string]string{
		"missing_bot": "missing_bot", "open": "waits for no client",
	} {
		wrong.seatBot(bot)
		wrong.presses("Play on")
		await(wrong, "what is wrong with "+bot,
			shows(`(document.querySelector(".playon .problem")?.innerText ?? "")`, says), true)
	}
}

// From a turn of a recording one character does something else, the others what they did, and the
// bots play on.
func TestMoveByHand(t *testing.T) {
	t.Parallel()
	program, dir := built(t), t.TempDir()
	file, err := harness.Record(t.Context(), program, dir, "--map", "lagoon", "--turns", "40", "painter", "random", "painter", "random")
	if err != nil {
		t.Fatal(err)
	}
	serve, err := harness.Serve(context.Background(), program, "--http", "127.0.0.1:0", "--record", dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	b := open(t, serve.Page+"?recording="+url.QueryEscape(filepath.Base(file))+"#t=20",
		prefers("dark"))
	await(b, "turn on the board", boardTurn, 20)
	await(b, "the button", `document.querySelector(".switch.branch") !== null`, true)
	b.press("t")
	await(b, "the characters", `document.querySelectorAll(".playon select option").length > 10`, true)
	choose := func(which int, option string) string {
		return value[string](b, `((s) => {
			const o = [...s.options].find((o) => o.text.startsWith(`+quote(option)+`));
			s.value = o.value;
			s.dispatchEvent(new Event("change", { bubbles: true }));
			return o.text;
		})(document.querySelectorAll(".playon select")[`+fmt.Sprint(which)+`])`)
	}
	who := choose(0, "#0 of ")
	await(b, "what it could do", `document.querySelectorAll(".playon select").length`, 2)
	b.presses("Play on")
	await(b, "the dialog without a choice",
		`document.querySelector(".playon select:invalid") !== null`, true)
	choose(
		1,
		value[string](b,
			`[...document.querySelectorAll(".playon select")[1].options].find((o) => o.value).text`),
	)
	auditor(t)(b, "move by hand")
	b.looks("move by hand")
	b.presses("Play on")
	await(b, "both boards", bothDrawn, 2)
	await(
		b, "where the futures of "+who+" part",
		shows(`document.querySelector(".compare > .aside").innerText`,
			"Both are the same up to turn 19."),
		true,
	)
	await(b, "the turn of both", `document.querySelector(".together .turn").innerText`, "19 / 40")
	other := value[string](b, `new URLSearchParams(location.search).get("with")`)
	out, err := exec.Command(program, "replay", "verify", filepath.Join(dir, other)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "40 turns, identical") {
		t.Errorf("verify: %s, %v", out, err)
	}
}

// seatBot names the bot that plays on for the first player.
func (b *tab) seatBot(bot string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`((i) => { i.value = ` + quote(bot) + `; i.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector(".playon input"))`))
}
