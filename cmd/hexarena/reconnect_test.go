package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

const started = "LOGIN denied: Game has been started"

// expectRefused logs in and expects to be kicked for the reason.
func expectRefused(t *testing.T, p *process, nickname, why string) {
	t.Helper()
	c := servertest.Dial(t, p.addr)
	c.SendLogin(nickname, "player")
	c.ExpectKick(why)
}

// A client that reconnects gets its own seat if it can be identified, and no other.
func TestSeatsAreGivenBack(t *testing.T) {
	t.Parallel()
	p := startServe(t, "--record=", "--nb-players-max=3", "--nb-visus-max=0", "--nb-turns-max=1000",
		"--autostart", "--fast")
	one, two := servertest.Login(t, p.addr, "a", "player"), servertest.Login(t, p.addr, "a", "player")
	stays := servertest.Login(t, p.addr, "b", "player")
	for _, c := range []*servertest.Client{one, two, stays} {
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
	}
	_ = one.Conn.Close()
	two.Answer(0, "")
	stays.Answer(0, "")
	two.Expect("TURN")
	stays.Expect("TURN") // the server has noticed the disconnect by then
	expectRefused(t, p, "c", started)
	back := servertest.Login(t, p.addr, "a", "player")
	back.Expect("GAME_STARTS")
	back.Expect("TURN")
	expectRefused(t, p, "a", started) // all players are connected
	_ = back.Conn.Close()
	_ = two.Conn.Close()
	stays.Answer(1, "")
	stays.Expect("TURN")
	expectRefused(t, p, "a", started) // two disconnected players have this name
	p.quit()
}

// Under the name netorcai, a client cannot reconnect.
func TestNoSeatIsGivenBackByNetorcai(t *testing.T) {
	p := startServer(t, func(port string) *exec.Cmd {
		return program(t, "netorcai", "--port="+port, "--nb-players-max=2", "--nb-visus-max=0",
			"--autostart", "--fast")
	})
	logic := servertest.LoginLogic(t, p.addr)
	gone, stays := servertest.Login(t, p.addr, "a", "player"), servertest.Login(t, p.addr, "b", "player")
	logic.Expect("DO_INIT")
	logic.AckInit("{}")
	logic.Expect("DO_TURN")
	logic.AckTurn(-1, "{}")
	stays.Expect("GAME_STARTS")
	stays.Expect("TURN")
	_ = gone.Conn.Close()
	stays.Answer(0, "")
	logic.Expect("DO_TURN")
	expectRefused(t, p, "a", started)
	p.quit()
}

// A client with a token takes its seat over, from any address and under any nickname.
func TestTokenTakesItsSeatOver(t *testing.T) {
	p, page, records := startWithTokens(t)
	old := servertest.Login(t, p.addr, "AAAAAAAAAA", "player")
	other := servertest.Login(t, p.addr, "BBBBBBBBBB", "player")
	p.typeLines("start")
	for _, c := range []*servertest.Client{old, other} {
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
	}
	expectRefused(t, p, "alice",
		"LOGIN denied: a token is needed here, in the field token of LOGIN or as the nickname")
	c := servertest.DialWebSocket(t, "ws://"+page+"/netorcai")
	c.Send(`{"message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":"2.0.0","token":"AAAAAAAAAA"}`)
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	old.ExpectKick("Another connection took the seat")
	files := recordingsIn(t, records, 1)
	recorded, err := os.ReadFile(files[0]) // while the match is running
	if err != nil || !strings.Contains(string(recorded), "alice") ||
		strings.Contains(string(recorded), "AAAAAAAAAA") {
		t.Errorf("the recording, %v, has a token or no nickname:\n%s", err, recorded)
	}
	p.quit()
}

// A game logic needs a token of its role; over WebSocket the rules are the same.
func TestTokensOfOtherWires(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.txt")
	writeText(t, file, someTokens+"logic LLLLLLLLLL\n")
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--game=external", "--bind=127.0.0.1", "--port="+port,
			"--http=127.0.0.1:0", "--record=", "--tokens="+file)
	})
	const wrong = "LOGIN denied: the token is for another role"
	for _, tt := range []struct{ role, token, want string }{
		{"game logic", "AAAAAAAAAA", wrong},
		{"game logic", "LLLLLLLLLL", ""},
		{"player", "LLLLLLLLLL", wrong},
		{"player", "AAAAAAAAAA", ""},
		{"visualization", "AAAAAAAAAA", wrong},
		{"visualization", "VVVVVVVVVV", ""},
	} {
		c := servertest.DialWebSocket(t, "ws://"+p.addr+"/netorcai")
		c.Send(
			`{"message_type":"LOGIN","nickname":"x","role":%q,"metaprotocol_version":"2.0.0","token":%q}`,
			tt.role, tt.token)
		if tt.want == "" {
			c.Expect("LOGIN_ACK")
		} else {
			c.ExpectKick(tt.want)
		}
	}
	p.quit()
}
