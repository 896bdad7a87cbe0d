package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/server/agones"
)

// A server in an Agones fleet reports its life cycle to its sidecar.
func TestServeTellsAgones(t *testing.T) {
	heard := make(chan string, 1000)
	sdk := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard <- r.URL.Path }))
	defer sdk.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(sdk.URL, "http://"), ":")
	p := startServer(t, func(own string) *exec.Cmd {
		cmd := command(t, "serve", "--bind=127.0.0.1", "--port="+own, "--http=", "--record=",
			"--nb-players-max=2", "--nb-visus-max=0", "--nb-turns-max=20", "--autostart", "--fast")
		cmd.Env = append(cmd.Env, agones.PortVariable+"="+port)
		return cmd
	})
	for _, name := range bots.Names()[:2] {
		start(t, command(t, "bot", name, "--port", strconv.Itoa(p.port)))
	}
	p.waitLine("Game is finished")
	p.expectExit(0)
	close(heard)
	var told []string
	for path := range heard {
		if path != "/health" {
			told = append(told, path)
		}
	}
	if want := []string{"/ready", "/allocate", "/shutdown"}; !slices.Equal(told, want) {
		t.Errorf("the sidecar received %v, want %v", told, want)
	}
}

func TestServeInAWrongEnvironment(t *testing.T) {
	cmd := command(t, "serve", "--bind=127.0.0.1", "--port="+strconv.Itoa(freePort(t)), "--http=", "--record=")
	cmd.Env = append(cmd.Env, agones.PortVariable+"=x")
	out, err := cmd.CombinedOutput()
	if want := `AGONES_SDK_HTTP_PORT = "x": want a port`; err == nil || !strings.Contains(string(out), want) {
		t.Errorf("serve = %v, %s; want %s", err, out, want)
	}
}
