package main

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/servertest"
)

// init makes the test's binary a bot that dials in: "hexarena play-test-dial-in".
func init() {
	if len(os.Args) < 2 || os.Args[1] != "play-test-dial-in" {
		return
	}
	c, _, err := websocket.DefaultDialer.Dial("ws://"+net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT"))+host.DialInPath, nil)
	if err != nil {
		os.Exit(3)
	}
	_ = c.WriteMessage(websocket.TextMessage, []byte(`{"meta":{"name":"started"}}`))
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			os.Exit(0)
		}
		if m, err := htttx.ParseFromServer(data); err == nil {
			if request, ok := m.(htttx.MoveRequest); ok {
				board, _ := htttx.ParseBoard(request.Board)
				_ = c.WriteMessage(websocket.TextMessage, servertest.Rightmost(board).Append(nil))
			}
		}
	}
}

// A bot of the HTTTX Bot API dials in to a seat of play that waits for it or for any client, beside
// a client of the metaprotocol: the match is played to the end, and its recording verifies.
func TestPlayDialIn(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, tt := range []struct {
		name, seats string
		client      bool // of the metaprotocol
		caps        string
		called      string // the bot, in the result
	}{
		{"wait by its name", "wait:ann open", true, `{"meta":{"name":"ann"}}`, "ann (x) against client (o, open): "},
		{"wait by the address", "open wait:ann", true, `{"meta":{"name":"A bot with a long name"}}`, "client (x, open) against ann (o): "},
		{"wait for any", "wait threat", false, `{"meta":{"name":"ann"}}`, "ann (x, wait) against threat (o): "},
		{"open", "wait:client open", true, `{"meta":{"name":"ann"}}`, "client (x) against ann (o, open): "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lines, ends := startMoves(t, tt.seats)
			where := regexp.MustCompile(`, or over the HTTTX Bot API at (ws://127\.0\.0\.1:\d+)/htttx/session(\?name=\w+)?, until Ctrl-C$`)
			address, name := "", ""
			for n := strings.Count(tt.seats, "wait") + strings.Count(tt.seats, "open"); n > 0 &&
				lines.Scan(); n-- {
				at := where.FindStringSubmatch(lines.Text())
				if at == nil {
					t.Fatalf("play says %q, want %s", lines.Text(), where)
				}
				if address = at[1]; at[2] == "?name=ann" && !strings.Contains(tt.caps, `"ann"`) {
					name = at[2]
				}
			}
			played := make(chan struct{})
			if !tt.client {
				close(played)
			} else {
				go func() {
					defer close(played)
					playBuiltin(t, strings.TrimPrefix(address, "ws://"), "hextictactoe", "nearest")
				}()
			}
			bot := servertest.DialIn(t, address+"/htttx/session"+name, tt.caps)
			if end, ok := bot.Play().(htttx.End); !ok || end.Reason == htttx.EndForfeit {
				t.Errorf("the bot is told %v at the end", end)
			}
			<-played
			ends(tt.called)
		})
	}
}

// startMoves starts a match of seven turns of hexagonal tic-tac-toe with these seats. It returns
// the lines of standard error, and a function that waits for the end, and checks that the result
// calls the players so and that the recording verifies.
func startMoves(t *testing.T, seats string) (lines *bufio.Scanner, ends func(called string)) {
	t.Helper()
	args := []string{
		"play", "--game=hextictactoe", "--port=0", "--http=127.0.0.1:0", "--turns=7", "--strict",
	}
	cmd := command(t, append(args, strings.Fields(seats)...)...)
	var stdout strings.Builder
	cmd.Stdout = &stdout
	lines = startLines(t, cmd)
	return lines, func(called string) {
		t.Helper()
		for lines.Scan() { // nothing is read once the process has been waited for
			t.Log(lines.Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("play: %v", err)
		}
		if !strings.Contains(stdout.String(), called) {
			t.Errorf("the result is %q, without %s", stdout.String(), called)
		}
		verifiedIn(t, filepath.Join(cmd.Dir, "recordings"), 1)
	}
}

// A started bot may dial in, in place of logging in: it gets its own seat.
func TestPlayStartedBotDialsIn(t *testing.T) {
	t.Parallel()
	r := resultOf(t, "--game=hextictactoe", "--turns=7", "--port=0", "--http=127.0.0.1:0", "--strict",
		os.Args[0]+" play-test-dial-in", "nearest")
	if reason := get(t, r, "games/0/reason"); reason != "draw: turn limit" &&
		reason != "win: a row complete" {
		t.Errorf("the game ends by %v", reason)
	}
}
