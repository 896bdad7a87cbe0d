//go:build browser

package pagetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/bots/kits"
)

// choosesFile sends a team's bot by choosing the file on its page.
func (b *tab) choosesFile(name, code string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(code), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.SetUploadFiles("#file", []string{path}))
}

// sendScript sends a team's bot, which is accepted.
func (b *tab) sendScript(name, code string) {
	b.t.Helper()
	b.choosesFile(name, code)
	await(b, "the version is sent",
		shows(`document.querySelector("#sent").innerText`, name+" was sent"), true)
}

// Teams send bots in JavaScript from their pages. They pass their test matches and play a rated
// match; one that loops misses its turns, and its team reads where.
func TestEventScripts(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	kit := kits.Of("bot.js")
	starter := string(kit.File(kit.Starters["hexabomb"]))
	h := newHackathon(t, "--map", "pebble", "--seats", "2", "--turn-timeout", "1s")
	ann, _ := h.signUp("Ann")
	const versions = `document.querySelector("#versions").innerText`
	const send = `document.querySelector("#send").innerText`
	await(ann, "what runs it", shows(send, "Rounds run JavaScript by hexarena itself"), true)
	ann.sendScript("my_bot.js", starter)
	await(ann, "its version passed its test match", shows(versions, "plays"), true)
	audit(ann, "team that has sent a script")
	ann.looks("event scripts team")
	bob, _ := h.signUp("Bob")
	bob.sendScript("loops.js", `const { run } = require("./hexarena.js");
let turns = 0;
run(class { turn() { turns++; console.log("turn", turns); while (turns > 2); return []; } });
`)
	await(bob, "its version passed its test match", shows(versions, "loops.js", "plays"), true)

	admin := open(t, h.url+"/admin#"+h.admin)
	const live = `document.querySelector("main").innerText`
	await(admin, "both teams are ready", shows(live, "2 of 2 teams ready"), true)
	admin.button("Begin a round now")
	await(admin, "the match was played", shows(live, "Match 1:", "1. Ann", "2. Bob, hung"), true)
	await(bob, "the result of its version", shows(versions, "loops.js"), true)
	bob.do(chromedp.Click("#output summary"))
	await(bob, "what it printed", shows(`document.querySelector("#output pre").innerText`, "turn 3"),
		true)
}
