//go:build browser

package pagetest

import (
	"net"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// The operator begins a final by clicks, and the screen shows it to its end: the bracket, each
// match with its result held back, and the winner, who stays until the operator has rounds go on.
func TestEventFinal(t *testing.T) {
	t.Parallel()
	for _, game := range []string{"hexabomb", "hextictactoe"} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			showFinal(t, game)
		})
	}
}

// start runs a built-in bot for a token, in a process, until the test is over.
func (h *hackathon) start(token, name string) {
	h.t.Helper()
	host, port, _ := net.SplitHostPort(h.address)
	cmd := exec.Command(built(h.t), "bot", name, "--host", host, "--port", port, "--token", token,
		"--stay")
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

func showFinal(t *testing.T, game string) {
	audit := auditor(t)
	args, kinds := []string{"--map", "pebble", "--seats", "2"}, []string{
		"painter", "random", "hunter", "random",
	}
	if game == "hextictactoe" {
		args, kinds = []string{"--game", game}, []string{"nearest", "random", "nearest", "random"}
	}
	h := newHackathon(t, args...)
	for i, name := range []string{"Ann", "Команда А", "The quite long name of a team", "Dot"} {
		b, token := h.signUp(name)
		b.do(chromedp.Navigate("about:blank"))
		h.start(token, kinds[i])
	}
	screen := open(t, h.url+"/screen", size(1920, 1080))
	const onScreen = `document.querySelector("#page").innerText`
	// The page notes all that it has shown of matches, since a test may look too late.
	screen.do(chromedp.Evaluate[chromedp.Void](`window.seen = new Set();
		new MutationObserver(() => {
			const corner = document.querySelector(".shows-match .corner"), card = document.querySelector(".winner");
			if (corner) seen.add(corner.querySelector("p").innerText.split("\n")[0] + ": " + corner.querySelector(".pill").innerText + (card ? ", winner" : ""));
			if (card) seen.add(card.querySelector(".glyph")?.getAttribute("viewBox") ?? "no sign");
		}).observe(document.body, { subtree: true, childList: true, characterData: true })`))
	admin := open(t, h.url+"/admin#"+h.admin)
	await(admin, "all teams are ready",
		shows(`document.querySelector("main").innerText`, "4 of 4 teams ready"), true)
	admin.button("Begin a round now")
	await(admin, "the matches that were played",
		`(document.querySelector("main").innerText.match(/Match \d+/g) ?? []).length`, 2)

	admin.unfold()
	admin.do(chromedp.SetValue(`input[name="teams"]`, "4"))
	admin.do(chromedp.SetValue(`input[name="best"]`, "1"))
	admin.button("Begin the final")
	await(admin, "the act",
		shows(`document.querySelector("#acts").innerText`, "a final began: knockout"), true)
	// The screen may learn of the first round when it is over.
	await(admin, "the first round of the final",
		`document.querySelector(".state h2").textContent`, "Round 2")
	admin.button("Pause") // so that the bracket stays while it is looked at
	await(
		screen, "a match of the first round of the final",
		shows(`document.querySelector(".shows-match .corner")?.innerText ?? ""`, "knock-out round 1",
			"RESULT HIDDEN"),
		true,
	)
	await(screen, "no points yet",
		`[...document.querySelectorAll(".beside .table b")].map((b) => b.innerText).join(" ")`, "0 0 0 0")
	await(screen, "small texts", small, "")
	audit(screen, game+" match of a final")
	screen.looks(game + " event final match")
	await(screen, "the bracket", `[...document.querySelectorAll("main.bracket section")].map((s) => s.querySelectorAll(".table").length + ":" + s.querySelectorAll("li").length).join(" ")`, "2:4 1:2")
	await(screen, "the teams that go on", `[...document.querySelectorAll("main.bracket section:first-child .through b")].map((b) => b.innerText).join(" ")`, "2 2")
	await(screen, "small texts", small, "")
	audit(screen, game+" bracket")
	screen.looks(game + " event bracket")
	admin.button("Resume")
	await(screen, "the winner",
		shows(`document.querySelector(".pause h1")?.innerText ?? ""`, "wins the final"), true)
	await(screen, "all that played", `document.querySelectorAll(".pause .standings li").length + " of " + document.querySelectorAll(".podium li").length`, "4 of 2")
	await(screen, "small texts", small, "")
	audit(screen, game+" winner")
	screen.looks(game + " event winner")
	glyph := map[string]string{
		"hexabomb": "-1.7 -1.7 3.4 3.4", "hextictactoe": "-.62 -.62 1.24 1.24",
	}[game]
	await(screen, "what was shown of matches", `["final: RESULT HIDDEN", "final: FINISHED, winner", "`+glyph+`"].filter((s) => !seen.has(s)).join(" and ")`, "")
	await(screen, "cards beside results that are held back",
		`[...seen].filter((s) => s.endsWith("HIDDEN, winner")).join(" and ")`, "")
	await(screen, "pauses on the screen", shows(onScreen, "Rounds pause"), false)

	await(
		admin, "rounds pause",
		shows(`document.querySelector("main").innerText`,
			"The final is over. Rounds pause until they are resumed."),
		true,
	)
	admin.button("Begin a round now")
	await(screen, "the next round", shows(onScreen, "Round", "RESULT HIDDEN"), true)
}
