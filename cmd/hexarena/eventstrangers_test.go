package main

import (
	"bytes"
	"errors"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// startLoggedEvent starts an event, and returns what it logs, to be read once it has ended.
func startLoggedEvent(
	t *testing.T, dir string, args ...string,
) (e *runningEvent, log *bytes.Buffer) {
	t.Helper()
	log = new(bytes.Buffer)
	return startEventBy(t, func(args ...string) *exec.Cmd {
		cmd := command(t, args...)
		cmd.Stderr = log
		return cmd
	}, dir, args...), log
}

// Each login with a wrong token is answered. A flood of them is counted, and fills the log of an
// event no more than that of serve: its address causes a hundred lines of a kind, then five a
// second.
func TestEventWrongTokens(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	e, log := startLoggedEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	const logins, clients = 400, 4
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range logins / clients {
				_, err := netorcai.Dial(t.Context(), e.addr, netorcai.Login{Nickname: "bot", Role: netorcai.RolePlayer, Token: "AAAAAAAAAA"})
				if kick := (*netorcai.KickError)(nil); !errors.As(err, &kick) ||
					!strings.Contains(kick.Reason, "token") {
					t.Errorf("a wrong token is answered with %v", err)
				}
			}
		})
	}
	all.Wait()
	for _, path := range []string{"/event/team", "/event/output"} {
		if answer, status := e.ask(http.MethodGet, path, "AAAAAAAAAA", ""); status != http.StatusUnauthorized {
			t.Errorf("%s with a wrong token: %d, %v", path, status, answer)
		}
	}
	if text, status := e.fetch(http.MethodGet, "/metrics", e.admin, ""); status != http.StatusOK ||
		!strings.Contains(string(text), "hexarena_kicks_total") {
		t.Errorf("/metrics with the operator's token: status %d\n%s", status, text)
	}
	if _, status := e.fetch(http.MethodGet, "/metrics", "AAAAAAAAAA", ""); status != http.StatusNotFound {
		t.Errorf("/metrics with a wrong token: status %d", status)
	}
	e.quit()
	if n := bytes.Count(log.Bytes(), []byte("\n")); n > 2*logins ||
		!strings.Contains(log.String(), "Lines of the log were suppressed") {
		t.Errorf("%d wrong logins cause %d lines, the last of which are\n%.2000s", logins, n,
			log.Bytes()[max(0, log.Len()-2000):])
	}
}

// A team that is never ready does not stop the rounds of the others for good.
func TestEventReadyAtLast(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "ready:1s")
	tokens := e.signUp("Ann", "Bob", "asleep")
	wait := e.connect(t.Context(), tokens[:2])
	e.awaitRows(2)
	e.quit()
	wait()
}
