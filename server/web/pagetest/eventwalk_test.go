//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A newcomer gets from the page to join to a rated match with the starter in the page, with nothing
// installed: signs up, opens the editor, lets the bot join, and plays round after round. Then the
// screen shows the match.
func TestEventWalk(t *testing.T) {
	t.Parallel()
	h := newHackathon(t)
	b, _ := h.signUp("Newcomers")
	_, token := h.signUp("Old hands")
	h.connect(token, "painter")
	b.do(chromedp.Click("#write"))
	await(b, "the editor", `document.querySelector(".edit") !== null`, true)
	b.button("Run")
	const waiting = `document.querySelector('.edit [role="status"]').textContent`
	await(b, "the bot waits for a round", waiting, "waiting for the start")
	b.shoot("event editor waits")
	admin := open(t, h.url+"/admin#"+h.admin)
	await(admin, "both teams are ready",
		shows(`document.querySelector("main").innerText`, "2 of 2 teams ready"), true)
	for round := 1; round <= 2; round++ {
		admin.button("Begin a round now")
		await(admin, "the matches that were played",
			`(document.querySelector("main").innerText.match(/Match \d+/g) ?? []).length`, round)
		await(b, "the bot waits for the next round", waiting, "waiting for the start")
		await(admin, "both teams are ready again",
			shows(`document.querySelector("main").innerText`, "2 of 2 teams ready"), true)
	}
	b.shoot("event editor played")
	await(admin, "the newcomers have played", `[...document.querySelectorAll(".teams tr")].find((row) => row.innerText.includes("Newcomers"))?.cells[3].innerText`, "2")
	screen := open(t, h.url+"/screen", size(1920, 1080))
	await(screen, "the match on the screen",
		shows(`document.querySelector(".far")?.innerText ?? ""`, "Newcomers", "Old hands"), true)
	screen.shoot("event walk screen")

	b.button("Send")
	await(b, "that the bot was sent", shows(`document.querySelector(".edit").innerText`, "my_bot.js was sent"), true)
	await(b, "the name of the event", `document.querySelector(".topbar .brand").textContent.trim()`, "event")
	b.do(chromedp.Click(".topbar .ownpage"))
	await(b, "the version on the team's page",
		shows(`document.querySelector("#versions").innerText`, "my_bot.js", "plays"), true)
	b.do(chromedp.Click("#write"))
	await(b, "that the code is kept by team",
		`Object.keys(localStorage).includes("bot.versions.Newcomers")`, true)
}

// The projector shows the match alone. The event's name and the ways to its other pages appear when
// a pointer moves, or by the keyboard, and stay on a phone.
func TestWaysOfScreen(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	h := newHackathon(t)
	b := open(t, h.url+"/screen", size(1920, 1080))
	const inSight = `document.querySelector(".ways")?.checkVisibility({ opacityProperty: true })`
	await(b, "the event's name", `document.querySelector(".ways b")?.textContent`, "event")
	await(b, "ways on a projector", inSight, false)
	b.do(chromedp.MouseEvent("mouseMoved", 300, 300))
	await(b, "ways while a pointer moves", inSight, true)
	await(b, "the ways", `[...document.querySelectorAll(".ways a")].map((a) => a.textContent + " " + a.getAttribute("href")).join(", ")`,
		"Join /join, Screen /screen, Standings /standings, Editor /#edit, Rules /#rules")
	await(b, "ways after a while", inSight, false)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".ways a").focus()`))
	await(b, "ways by the keyboard", inSight, true)
	audit(b, "ways of the screen")
	b.looks("event screen ways")
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`), phone)
	await(b, "ways on a phone", inSight, true)
	b.do(chromedp.Click(`.ways a[href="/standings"]`))
	await(b, "the standings", `document.body.className`, "standings")
}

// Two browsers of one team: the one that runs the bot last plays. The other one says so, does not
// take the seat back by itself, shows the match, and takes the seat back when it is told to.
func TestTwoBrowsersOfATeam(t *testing.T) {
	t.Parallel()
	h := newHackathon(t, "--turns", "2000")
	first, token := h.signUp("The pair")
	_, other := h.signUp("Old hands")
	h.connect(other, "painter")
	second := open(t, h.url+"/join#"+token)
	second.do(chromedp.Navigate(h.url + value[string](first, `location.pathname`) + "#" + token))
	const status = `document.querySelector('.edit [role="status"]').textContent`
	for _, b := range []*tab{first, second} {
		b.do(chromedp.Click("#write"))
		await(b, "the editor", `document.querySelector(".edit") !== null`, true)
		b.button("Run")
		await(b, "the bot waits for a round", status, "waiting for the start")
	}
	const lost = "Another browser or program plays"
	const stopped = `(document.querySelector(".edit")?.innerText ?? "").includes("` + lost + `") && ` + status + ` === "not in a match"`
	await(first, "the seat is lost", stopped, true)

	admin := open(t, h.url+"/admin#"+h.admin)
	await(admin, "both teams are ready",
		shows(`document.querySelector("main").innerText`, "2 of 2 teams ready"), true)
	admin.button("Begin a round now")
	await(second, "the bot plays", status+`.startsWith("playing, turn")`, true)
	await(first, "the match is shown", boardTurn+` > 2`, true)
	await(first, "the seat stays with the other browser", stopped, true)
	first.shoot("seat taken")
	first.button("Take the seat back")
	await(first, "the bot plays again", status+`.startsWith("playing, turn")`, true)
	await(second, "the seat is lost", stopped, true)
}
