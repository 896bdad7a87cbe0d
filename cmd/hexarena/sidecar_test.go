package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/servertest"
)

// A server in an Agones fleet reports its life cycle to its sidecar.
func TestServeTellsAgones(t *testing.T) {
	calls := make(chan string, 1000)
	sdk := httptest.NewServer(
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { calls <- r.URL.Path }))
	defer sdk.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(sdk.URL, "http://"), ":")
	last := ""
	expectCall := func(want string) {
		t.Helper()
		for late := time.After(30 * time.Second); last != want; {
			select {
			case path := <-calls:
				if path == "/health" || path == last { // a call that is answered late is repeated
					continue
				}
				if path != want {
					t.Fatalf("the sidecar received %s, want %s", path, want)
				}
				last = path
			case <-late:
				t.Fatalf("the sidecar did not receive %s", want)
			}
		}
	}
	p := startServer(t, func(own string) *exec.Cmd {
		cmd := command(t, "serve", "--bind=127.0.0.1", "--port="+own, "--http=", "--record=",
			"--nb-players-max=1", "--nb-visus-max=0", "--nb-turns-max=2", "--autostart", "--fast")
		cmd.Env = append(cmd.Env, host.SidecarPortVariable+"="+port)
		return cmd
	})
	expectCall("/ready")
	c := servertest.Login(t, p.addr, "bot", "player")
	c.Expect("GAME_STARTS")
	expectCall("/allocate")
	c.Expect("TURN")
	c.Answer(0, "")
	c.Until("GAME_ENDS")
	c.Close()
	p.expectExit(0)
	expectCall("/shutdown")
}

func TestServeInAWrongEnvironment(t *testing.T) {
	cmd := command(t, "serve", "--bind=127.0.0.1", "--port="+strconv.Itoa(freePort(t)), "--http=",
		"--record=")
	cmd.Env = append(cmd.Env, host.SidecarPortVariable+"=x")
	out, err := cmd.CombinedOutput()
	if want := `AGONES_SDK_HTTP_PORT = "x": want a port`; err == nil ||
		!strings.Contains(string(out), want) {
		t.Errorf("serve = %v, %s; want %s", err, out, want)
	}
}
