//go:build browser

package pagetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"testing"

	"github.com/hexarena/hexarena/maps"
)

// startRelay starts hexarena relay for a server, and returns the address of its page.
func startRelay(t *testing.T, binary, server string) (page string) {
	t.Helper()
	cmd := exec.Command(binary, "relay", server, "--http", "127.0.0.1:0", "--json-logs")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var line struct{ Page string }
		if err := json.Unmarshal(lines.Bytes(), &line); err == nil && line.Page != "" {
			go func() { // a relay whose output is not read goes on, but its log says so
				for lines.Scan() {
				}
			}()
			return line.Page
		}
	}
	t.Fatal("the relay names no page")
	return ""
}

// silentServer is what the page of a relay says while its server is away.
var silentServer = shows(lostBanner, "The server of this match does not answer.", "This page goes on as soon as it does.")

// The page of a relay says that the server does not answer, keeps what it shows, and goes on with the match when the server is back.
func TestRelayedServerAway(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 100)
	s.join(seats...)
	s.play(20)
	page, stop := s.serveUntil("127.0.0.1:0")
	server, err := url.Parse(page.URL())
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, startRelay(t, built(t), page.URL())) // nothing may fail: the relay is there
	await(b, "turn on the board", boardTurn, 20)
	stop()
	await(b, "that the server is away", silentServer, true)
	b.looks("server-away")
	await(b, "turn on the board", boardTurn, 20)
	_, stop = s.serveUntil(server.Host)
	defer stop()
	await(b, "no banner when the server is back", lostBanner, "")
	s.play(5)
	await(b, "turn on the board", boardTurn, 25)
}

// When the server was killed and is started again, the page of a relay shows its next match.
func TestRelayedServerKilled(t *testing.T) {
	t.Parallel()
	free := func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.Addr().String()
	}
	address := free()
	_, port, err := net.SplitHostPort(free())
	if err != nil {
		t.Fatal(err)
	}
	binary := built(t)
	serve := func(seed int) *exec.Cmd {
		cmd := exec.Command(binary, "serve", "--bind", "127.0.0.1", "--port", port, "--http", address, "--seats", "painter painter painter painter", "--visualizations", "0",
			"--autostart", "--tps", "10", "--turns", "2000", "--seed", fmt.Sprint(seed), "--record", "")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd
	}
	first := serve(1)
	b := open(t, startRelay(t, binary, "http://"+address+"/"))
	await(b, "turns", boardTurn+" > 20", true)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	await(b, "that the server is away", silentServer, true)
	serve(2)
	await(b, "the next match, from its beginning", boardTurn+" < 20", true)
	await(b, "no banner", lostBanner, "")
	await(b, "turns of it", boardTurn+" > 25", true)
}
