//go:build unix && !darwin

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/server/servertest"
)

// loginFromPage logs in a bot that runs in the page.
func (p *pageRun) loginFromPage(
	nickname, role string,
) (c *servertest.Client, reply servertest.Message) {
	p.t.Helper()
	c = servertest.DialWebSocket(p.t, "ws"+strings.TrimPrefix(p.url, "http")+"netorcai")
	c.SendLogin(nickname, role)
	reply, err := c.Receive()
	if err != nil {
		p.t.Fatal(err)
	}
	return c, reply
}

// loginAll logs bots in, each of which gets a seat.
func (p *pageRun) loginAll(nicknames ...string) (all []*servertest.Client) {
	p.t.Helper()
	for _, nickname := range nicknames {
		c, reply := p.loginFromPage(nickname, "player")
		if reply.Type != "LOGIN_ACK" {
			p.t.Fatalf("%s is told %s", nickname, reply.Raw)
		}
		all = append(all, c)
	}
	return all
}

// disconnect closes a bot's connection and waits until its seat is free.
func (p *pageRun) disconnect(c *servertest.Client, nickname string) {
	p.t.Helper()
	_ = c.Close()
	for deadline := time.Now().Add(30 * time.Second); ; {
		answer, err := http.Get(p.url + "api/match")
		if err != nil {
			p.t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err == nil && !bytes.Contains(body, []byte(`"`+nickname+`"`)) {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s is disconnected and still has its seat: %s, %v", nickname, body, err)
		}
	}
}

// playToEnd answers for bots until the match is over.
func playToEnd(t *testing.T, all []*servertest.Client) {
	var playing sync.WaitGroup
	for _, c := range all {
		playing.Go(func() {
			for {
				switch m, err := c.Receive(); {
				case err != nil:
					t.Error(err)
					return
				case m.Type == "TURN":
					c.Answer(m.Turn, "[]")
				case m.Type == "GAME_ENDS":
					return
				}
			}
		})
	}
	playing.Wait()
}

// In every match, page seats wait for bots of the page, and no other client can take
// them.
func TestPlayWithGuests(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p := onPage(t, "page", "painter", "page", "--open", "--turns", "15", "--tps", "0", "--port",
		strconv.Itoa(port))
	fakeBrowser(t, p.Cmd, "exit 3")
	p.open()
	if all := strings.Join(p.said, "\n"); !strings.Contains(all, "waiting for 2 bots from the page at "+p.url+"#edit, until Ctrl-C") {
		t.Errorf("before the page opens it says %q", all)
	}
	early := p.loginAll("early")[0]
	for range 2 {
		stranger := servertest.Dial(t, fmt.Sprint("127.0.0.1:", port))
		stranger.SendLogin("stranger", "player")
		stranger.ExpectKick("LOGIN denied: Maximum number of players reached")
	}
	if _, reply := p.loginFromPage("special", "special player"); reply.Type != "KICK" {
		t.Errorf("a special player from the page is told %s", reply.Raw)
	}
	watcher, reply := p.loginFromPage("watcher", "visualization")
	if reply.Type != "LOGIN_ACK" {
		t.Errorf("a visualization from the page is told %s", reply.Raw)
	}
	_ = watcher.Close() // otherwise play waits for its answer
	p.disconnect(early, "early")
	guests := p.loginAll("ann", "bob")
	playToEnd(t, guests)
	p.waitLine("painter")
	if line := p.waitLine("page"); strings.Contains(line, "never") {
		t.Errorf("the ranking says %q", line)
	}
	p.waitLine("the match stays at")
	if status := p.playAgain(); status != http.StatusOK {
		t.Fatalf("play again: %d", status)
	}
	p.waitLine("waiting for 2 bots")
	guests = p.loginAll("ann", "bob")
	if _, reply := p.loginFromPage("late", "player"); reply.Type != "KICK" {
		t.Errorf("one too many is told %s", reply.Raw)
	}
	playToEnd(t, guests)
	p.waitLine("the match stays at")
	p.interrupt()
	if whole, all := p.recordings(); whole != 2 || all != 2 {
		t.Errorf("%d of %d recordings are whole, want 2 of 2", whole, all)
	}
	if code := p.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Ctrl-C ends the wait for a bot that never logs in.
func TestPlayWaitsForAGuest(t *testing.T) {
	t.Parallel()
	p := onPage(t, "page", "painter", "--port", "0", "--record", "")
	p.open()
	p.waitEvent("lobby")
	p.interrupt()
	if all := strings.Join(p.said, "\n"); !strings.Contains(all, "waiting for a bot from the page at "+p.url+"#edit") ||
		!strings.Contains(all, cli.ErrInterrupted.Error()) {
		t.Errorf("it says\n%s", all)
	}
}

func TestGuestsNeedAPage(t *testing.T) {
	for _, tt := range []struct{ flag, says string }{
		{"--http=", `seat "page": without --http there is no page`},
	} {
		out, err := command(t, "play", "page", "painter", tt.flag).CombinedOutput()
		if err == nil || !strings.Contains(string(out), tt.says) {
			t.Errorf("play page painter %s: %v, %s", tt.flag, err, out)
		}
	}
}
