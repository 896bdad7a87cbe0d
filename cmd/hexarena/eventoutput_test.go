//go:build unix

package main

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// chattyBot prints, shows debug and, in its second match, fails.
const chattyBot = `import hexarena
print("secret-output \x1b[31m" + "<b>bold</b>", flush=True)

class Bot(hexarena.Bot):
    def turn(self, state):
        self.match.debug.text = "secret-debug"
        if self.match.number == 2 and self.match.turn_number == 1:
            raise ValueError("secret-traceback")
        return []

hexarena.run(Bot)
`

// What a bot prints that a team runs with hexarena join, the traceback of its crash and its debug
// are shown to the team and to the operator, and to no one else; exports do not have them. Each
// report is bounded.
func TestJoinReportsOutput(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, err)
	}
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off",
		"--turns", "6", "--turn-timeout", "1s")
	tokens := e.signUp("Ann", "Bob")
	dir := t.TempDir()
	if out, err := commandIn(t, dir, "new", "my_bot.py").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	writeText(t, filepath.Join(dir, "my_bot.py"), chattyBot)
	join := start(t, commandIn(t, dir, "join", e.url+"/#token="+tokens[0], "my_bot.py"))
	other := start(t,
		command(t, "join", e.url+"/#token="+tokens[1], command(t).Path+" bot painter --port {port}"))
	e.awaitReady(2)
	e.typeLines("round")
	join.waitLine("Match 1 is over")
	other.waitLine("Match 1 is over")
	e.awaitReady(2)
	e.typeLines("round")
	join.waitLine("secret-traceback")
	shown := e.awaitOutput(tokens[0], "secret-traceback")
	for _, want := range []string{
		"| secret-output \uFFFD[31m<b>bold</b>", "Match 1 is over", "Traceback",
		"Debug of its last match:\nturn 0: {", `"secret-debug"`,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the team is shown\n%s\nwhich lacks %q", shown, want)
		}
	}
	if shown := e.output(tokens[1]); strings.Contains(shown, "secret") {
		t.Errorf("another team is shown %q", shown)
	}
	if own := e.text("/team/Ann/own", e.admin); !strings.Contains(own, tokens[0]) {
		t.Error("the page of the team shows the operator no token of it")
	}
	other.waitLine("Match 2 is over")
	e.checkPrivate(tokens, "secret-output", "secret-debug", "secret-traceback")
	site := filepath.Join(t.TempDir(), "site")
	if out, err := command(t, "cup", "export", e.dir, "--out", site).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if found, _ := exec.Command("grep", "-rl", "secret-", site).Output(); len(found) > 0 {
		t.Errorf("the export has output: %s", found)
	}
	if _, status := e.ask(http.MethodPost, "/event/output", tokens[1], strings.Repeat("x", 20<<10)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("20 KiB of output are answered with %d", status)
	}
	refused := 0
	for n := 0; n < 5 && refused != http.StatusTooManyRequests; n++ {
		_, refused = e.ask(http.MethodPost, "/event/output", tokens[1], "x")
	}
	if refused != http.StatusTooManyRequests {
		t.Errorf("a flood of reports is answered with %d", refused)
	}
	if _, status := e.ask(http.MethodPost, "/event/output", "wrong", "x"); status != http.StatusUnauthorized {
		t.Errorf("output without a team is answered with %d", status)
	}
}

// awaitOutput waits until a team is shown a text among what its bot printed, and returns all of
// that.
func (e *runningEvent) awaitOutput(token, text string) string {
	e.t.Helper()
	for range time.Tick(20 * time.Millisecond) {
		if shown := e.output(token); strings.Contains(shown, text) {
			return shown
		}
	}
	panic("not reached")
}
