package main

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// people asks a server for a game between two people.
func people(t *testing.T, addr string) (status int, g htttx.GameCreated) {
	t.Helper()
	resp, err := http.Post("http://"+addr+"/game/new", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(&g); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, g
}

// sit takes a person's seat.
func sit(t *testing.T, addr, token string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws?token="+token, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	return c
}

// until reads until a packet holds a text, or the connection ends.
func until(c *websocket.Conn, text string) (heard string) {
	for {
		_, data, err := c.ReadMessage()
		heard += string(data)
		if err != nil || strings.Contains(string(data), text) {
			return heard
		}
	}
}

// After SIGTERM, games made by request that have begun come to their end as well;
// others are not made any more, and those that wait for a player are given up.
func TestDrainOfRequestedGames(t *testing.T) {
	t.Parallel()
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--game=hextictactoe", "--bind=127.0.0.1", "--port="+port, "--http=127.0.0.1:0", "--record=", "--drain-timeout=30s")
	})
	_, g := people(t, p.addr)
	x, o := sit(t, p.addr, g.TokenCross), sit(t, p.addr, g.TokenCircle)
	_ = until(o, "move_request")
	_, waiting := people(t, p.addr)
	alone := sit(t, p.addr, waiting.TokenCross)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.waitLine("SIGTERM received. Finishing the match.")
	// The server may read this person's token only after it has withdrawn the game.
	if got := until(alone, "nothing"); got != "" && !strings.Contains(got, "invalid token") {
		t.Errorf("the person who waited received %s", got)
	}
	if status, _ := people(t, p.addr); status != http.StatusServiceUnavailable {
		t.Errorf("POST /game/new: %d, want 503", status)
	}
	if err := o.WriteMessage(websocket.TextMessage, []byte(`{"type":"move_response","move":{"pieces":[{"q":0,"r":0}]}}`)); err != nil {
		t.Fatal(err)
	}
	const end = `"type":"end","winner":"x"`
	if got := until(x, end); !strings.Contains(got, end) {
		t.Errorf("who went on playing heard %s", got)
	}
	p.waitLine("SIGTERM received. Aborting.") // the match that has not started
	p.exit(1)
}
