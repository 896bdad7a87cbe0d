//go:build browser

package pagetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/bots/kits"
)

// choosesFile has a team send a bot by choosing the file on its page.
func (b *tab) choosesFile(name, code string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(code), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.SetUploadFiles("#file", []string{path}))
}

// sendScript has a team send a bot that is accepted.
func (b *tab) sendScript(name, code string) {
	b.t.Helper()
	b.choosesFile(name, code)
	await(b, "the version is sent", shows(`document.querySelector("#sent").innerText`, name+" was sent"), true)
}

// Teams send bots in JavaScript from their pages to an event that cannot isolate bots. They wait until the operator opens the admin page, pass their test matches
// in its workers and play a rated match there; one that loops misses its turns, and is terminated with its match.
func TestEventScripts(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	kit := kits.Of("bot.js")
	starter := string(kit.File(kit.Starters["hexabomb"]))
	h := newHackathon(t, "--send", "browser", "--map", "pebble", "--seats", "2", "--turn-timeout", "1s")
	join := open(t, h.url+"/join")
	await(join, "what can be sent", shows(`document.querySelector("main").innerText`, "Only a bot in JavaScript can be sent here"), true)
	ann, token := h.signUp("Ann")
	const versions = `document.querySelector("#versions").innerText`
	const hint = `document.querySelector("#nosend").innerText`
	await(ann, "what can be sent", shows(hint, "Only a bot in JavaScript", "ask the operator to open the admin page"), true)
	other := openEmpty(t) // which reports the refusal as a problem
	other.do(chromedp.Navigate(h.url + "/team/Ann#" + token))
	await(other, "what can be sent", shows(hint, "Only a bot in JavaScript"), true)
	other.choosesFile("bot.py", "print(1)")
	await(other, "why another bot is refused", shows(`document.querySelector("#sent").innerText`, "bot.py is not JavaScript", "hexarena join"), true)
	ann.sendScript("my_bot.js", starter)
	await(ann, "it waits", shows(versions, "my_bot.js", "untried"), true)
	await(ann, "why the team waits", shows(`document.querySelector("[data-live]").innerText`, "waits for the operator to open the admin page"), true)
	audit(ann, "team that waits for the admin page")
	ann.looks("event scripts team")

	admin := open(t, h.url+"/admin#"+h.admin)
	const runs = `document.querySelector("#runner").dataset.state`
	await(admin, "the page runs versions", runs, "runs")
	await(ann, "its version passed its test match", shows(versions, "plays"), true)
	await(ann, "the page does not say that it waits", shows(hint, "ask the operator"), false)
	bob, _ := h.signUp("Bob")
	bob.sendScript("loops.js", "const { run } = require(\"./hexarena.js\");\nlet turns = 0;\nrun(class { turn() { turns++; console.log('turn', turns); while (turns > 2); return []; } });\n")
	await(bob, "its version passed its test match", shows(versions, "loops.js", "plays"), true)

	const live = `document.querySelector("[data-live]").innerText`
	await(admin, "both teams are ready", shows(live, "2 of 2 teams ready"), true)
	admin.button("Begin a round now")
	await(admin, "the match was played", shows(live, "Match 1:", "1. Ann", "2. Bob, hung"), true)
	await(admin, "no worker is left", `/JavaScript versions: 0 of \d+ workers run/.test(`+live+`)`, true)
	await(bob, "the result of its version", shows(versions, "loops.js"), true)
	bob.do(chromedp.Click("#output summary"))
	await(bob, "what it printed", shows(`document.querySelector("#output pre").innerText`, "turn 3"), true)
	audit(admin, "admin that runs versions")
	admin.looks("event scripts admin")

	second := open(t, h.url+"/admin#"+h.admin)
	await(second, "the newer page runs versions", runs, "runs")
	await(admin, "the older page is told", shows(`document.querySelector("#runner").innerText`, "Another admin page runs the versions now"), true)
	audit(admin, "admin that was replaced")
	admin.looks("event scripts replaced")
	admin.button("Run them in this page")
	await(admin, "the older page runs them again", runs, "runs")
	await(second, "the newer page is told", runs, "replaced")
}
