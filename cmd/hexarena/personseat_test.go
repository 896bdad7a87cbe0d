//go:build unix && !darwin

package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/servertest"
)

// personsKey is the key of the person in the tests.
const personsKey = "0123456789abcdef"

// dialInAt finds the port of the bots in what play prints.
var dialInAt = regexp.MustCompile(` at ws://(127\.0\.0\.1:\d+)/htttx/session`)

// offersSeat checks, once a match is open, that a server's page offers a seat to people.
func offersSeat(t *testing.T, page string) {
	t.Helper()
	live, _, err := websocket.DefaultDialer.Dial(strings.Replace(page, "http", "ws", 1)+"/api/live",
		nil)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	(&pageRun{t: t, conn: live}).waitEvent("lobby")
	var matches []struct {
		Current bool     `json:"current"`
		May     []string `json:"may"`
	}
	fetch(t, page+"/api/matches", &matches)
	if len(matches) == 0 || !matches[0].Current || !slices.Contains(matches[0].May, "sit") {
		t.Fatalf("the page offers no seat: %+v", matches)
	}
}

// A person takes a seat of play on the page, whatever it waits for, beside a client over TCP or a
// built-in bot. The ranking and the recording name the person.
func TestPlayPerson(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		seats  string
		client bool   // a client over TCP plays, too
		called string // in the result
	}{
		{"open wait:client", true, "person (x, open) against client (o): "},
		{"wait:ann threat:easy", false, "person (x, ann) against threat:easy (o): "},
		{"page threat:easy", false, "person (x, page) against threat:easy (o): "},
	} {
		t.Run(tt.seats, func(t *testing.T) {
			t.Parallel()
			lines, ends := startMoves(t, tt.seats)
			page, port := "", ""
			for page == "" && lines.Scan() {
				if at := dialInAt.FindStringSubmatch(lines.Text()); at != nil {
					port = at[1]
				}
				_, page, _ = strings.Cut(lines.Text(), "or play yourself: take a seat at ")
			}
			page = strings.TrimSuffix(page, "/")
			offersSeat(t, page)
			person := servertest.Sit(t, strings.Replace(page, "http", "ws", 1)+"/person",
				htttx.Sit{Key: personsKey})
			played := make(chan struct{})
			go func() {
				defer close(played)
				if tt.client {
					playBuiltin(t, port, "hextictactoe", "nearest")
				}
			}()
			if end, ok := person.Play().(htttx.End); !ok || end.Reason == htttx.EndForfeit {
				t.Errorf("the person is told %v at the end", end)
			}
			<-played
			ends(tt.called)
		})
	}
}

// A person takes a seat of serve, beside a client over TCP; with tokens, by one for a player.
func TestServePerson(t *testing.T) {
	t.Parallel()
	for _, tokens := range []string{
		"",
		"player AAAAAAAAAA ann\nplayer BBBBBBBBBB client\noperator " +
			"a-much-longer-token-for-the-operator\n",
	} {
		name, named := "open to all", "person"
		var flags []string
		if tokens != "" {
			name, named = "tokens", "ann"
			file := filepath.Join(t.TempDir(), "tokens")
			writeText(t, file, tokens)
			flags = []string{"--tokens=" + file}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := t.TempDir()
			p := startServer(t, func(port string) *exec.Cmd {
				return command(t, append([]string{
					"serve", "--game=hextictactoe", "--bind=127.0.0.1", "--port=" + port, "--http=127.0.0.1:0",
					"--linger=50ms",
					"--autostart", "--visualizations=0", "--turns=7", "--record=" + records,
				}, flags...)...)
			})
			offersSeat(t, "http://"+p.addr)
			at, ask := "ws://"+p.addr+"/person", htttx.Sit{Key: personsKey}
			if tokens != "" {
				if m, ok := servertest.Sit(t, at, ask).Next().(htttx.Nope); !ok ||
					!strings.Contains(m.Reason, "token is needed") {
					t.Errorf("without a token a person is told %v", m)
				}
				ask.Token = "a-much-longer-token-for-the-operator"
				if m, ok := servertest.Sit(t, at, ask).Next().(htttx.Nope); !ok ||
					m.Reason != "the token is for another role" {
					t.Errorf("with the operator's token a person is told %v", m)
				}
				ask.Token = "AAAAAAAAAA"
			}
			person := servertest.Sit(t, at, ask)
			played := make(chan struct{})
			go func() {
				defer close(played)
				playBuiltinAs(t, p.addr, "BBBBBBBBBB", "hextictactoe", "nearest")
			}()
			if end, ok := person.Play().(htttx.End); !ok || end.Reason == htttx.EndForfeit {
				t.Errorf("the person is told %v at the end", end)
			}
			<-played
			p.expectExit(0)
			for _, file := range verifiedIn(t, records, 1) {
				if out, err := command(t, "replay", "show", file).CombinedOutput(); err != nil ||
					!strings.Contains(string(out), named) {
					t.Errorf("replay show: %v, without %s:\n%s", err, named, out)
				}
			}
		})
	}
}
