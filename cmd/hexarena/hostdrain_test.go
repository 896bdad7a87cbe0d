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

// requestGame requests a game between two people.
func requestGame(t *testing.T, addr string) (status int, g htttx.GameCreated) {
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

// connectPerson connects a person with a token.
func connectPerson(t *testing.T, addr, token string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws?token="+token, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	return c
}

// readUntil reads until a packet contains text or the connection ends.
func readUntil(c *websocket.Conn, text string) (heard string) {
	for {
		_, data, err := c.ReadMessage()
		heard += string(data)
		if err != nil || strings.Contains(string(data), text) {
			return heard
		}
	}
}

// After SIGTERM, requested games that have begun are played to their end; no more games
// are created, and those that wait for a player are given up.
func TestDrainOfRequestedGames(t *testing.T) {
	t.Parallel()
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--game=hextictactoe", "--bind=127.0.0.1", "--port="+port,
			"--http=127.0.0.1:0", "--record=", "--drain-timeout=30s")
	})
	_, g := requestGame(t, p.addr)
	x, o := connectPerson(t, p.addr, g.TokenCross), connectPerson(t, p.addr, g.TokenCircle)
	_ = readUntil(o, "move_request")
	_, waiting := requestGame(t, p.addr)
	alone := connectPerson(t, p.addr, waiting.TokenCross)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.waitLine("SIGTERM received. Finishing the match.")
	// The server may read this person's token only after it has withdrawn the game.
	if got := readUntil(alone, "nothing"); got != `{"type":"nope","reason":"the server stops"}` &&
		!strings.Contains(got, "invalid token") {
		t.Errorf("the person who waited received %s", got)
	}
	if status, _ := requestGame(t, p.addr); status != http.StatusServiceUnavailable {
		t.Errorf("POST /game/new: %d, want 503", status)
	}
	if err := o.WriteMessage(websocket.TextMessage, []byte(`{"type":"move_response","move":{"pieces":[{"q":0,"r":0}]}}`)); err != nil {
		t.Fatal(err)
	}
	const end = `"type":"end","winner":"x"`
	if got := readUntil(x, end); !strings.Contains(got, end) {
		t.Errorf("the remaining players received %s", got)
	}
	p.waitLine("SIGTERM received. Aborting.") // the match that has not started
	p.expectExit(1)
}
