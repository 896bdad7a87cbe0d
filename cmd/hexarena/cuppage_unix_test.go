//go:build unix && !darwin

package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/site"
)

// shownCup starts a command that opens the page of a cup, and returns the page's address.
func shownCup(t *testing.T, args ...string) (cmd *exec.Cmd, url string) {
	t.Helper()
	cmd = command(t, append(args, "--open", "--http", "127.0.0.1:0")...)
	cmd.Dir = t.TempDir()
	shown := fakeBrowser(t, cmd, `echo "$1" > FILE`)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, strings.TrimSuffix(strings.TrimSpace(readText(t, shown)), "/")
}

// statusAs returns the status of a request for an address under another name of this machine.
func statusAs(t *testing.T, host, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// interruptedCode interrupts a command and returns its exit code.
func interruptedCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// A cup is shown while it is played and stays on the page until Ctrl-C. Then the command ends as it
// would have ended without a page.
func TestCupOpen(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	cmd, url := shownCup(t, "cup", "painter", "random", "--count", "8", "--turns", "10", "--keep",
		"all", "--seed", "1", "--out", "here")
	var board site.Scoreboard
	for deadline := time.Now().Add(time.Minute); !board.Over; {
		if time.Now().After(deadline) {
			t.Fatalf("the cup is not over: %+v", board)
		}
		if err := json.Unmarshal(received(t, url+"/api/cup"), &board); err != nil {
			t.Fatal(err)
		}
	}
	if board.Name != "here" || board.Standings.Matches != 8 || board.Recorded != 8 {
		t.Errorf("the scoreboard is %+v", board)
	}
	var matches []site.Match
	if err := json.Unmarshal(received(t, url+"/api/cup/matches?bot=painter&against=random"), &matches); err != nil || len(matches) != 8 {
		t.Fatalf("the matches are %+v, %v", matches, err)
	}
	if events := string(received(t, url+"/api/recordings/"+strings.TrimPrefix(matches[0].Replay, "/?recording="))); !strings.HasPrefix(events, `{"type":"start"`) {
		t.Errorf("the events begin with %.80s", events)
	}
	if code := interruptedCode(t, cmd); code != exitUndecided {
		t.Errorf("exit code %d, want that of a comparison which is not decided", code)
	}
}

// A cup that was played before is shown as well, and one that another process plays.
func TestCupShowOpen(t *testing.T) {
	dir := writeCup(t, "cups/one", plan.Whole)
	cmd, url := shownCup(t, "cup", "show", dir, "--page-hosts", "cup.example event.example")
	var board site.Scoreboard
	if err := json.Unmarshal(received(t, url+"/api/cup"), &board); err != nil || !board.Over ||
		board.Standings.Matches != 402 || board.Replays == nil {
		t.Errorf("the scoreboard is %+v, %v", board, err)
	}
	for host, want := range map[string]int{
		"event.example": http.StatusOK, "other.example": http.StatusForbidden,
	} {
		if got := statusAs(t, host, url+"/api/cup"); got != want {
			t.Errorf("requested as %s: status %d, want %d", host, got, want)
		}
	}
	if code := interruptedCode(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if code, _, stderr := hexarena("cup", "show", dir, "--http", "nowhere:1:2"); code == 0 ||
		!strings.Contains(stderr, "--http") {
		t.Errorf("an address that cannot be: exit code %d, %s", code, stderr)
	}
}
