package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// nicknames logs players in with these nicknames, and returns their names in the match.
func (p *process) nicknames(logic *servertest.Client, asked ...string) (names []string) {
	p.t.Helper()
	v := servertest.Login(p.t, p.addr, "v", "visualization")
	for _, name := range asked {
		servertest.Login(p.t, p.addr, name, "player")
	}
	p.typeLines("start")
	if logic != nil {
		logic.Expect("DO_INIT")
		logic.AckInit("{}")
	}
	m := v.Expect("GAME_STARTS")
	var starts struct {
		Players []struct{ Nickname string } `json:"players_info"`
	}
	if err := json.Unmarshal([]byte(m.Raw), &starts); err != nil {
		p.t.Fatal(err)
	}
	for _, seat := range starts.Players {
		names = append(names, seat.Nickname)
	}
	slices.Sort(names)
	return names
}

// Players have different names without deceptive characters. Under the name netorcai,
// nicknames are not changed.
func TestNicknames(t *testing.T) {
	p := startServe(t, "--record=")
	for name, want := range map[string]string{
		"ab\u202ecd": "U+202E", "ab\u009bcd": "U+009B", "ab\x7f": "U+007F",
		"\u200d": "no visible character",
	} {
		c := servertest.Dial(t, p.addr)
		c.SendLogin(name, "player")
		if m := c.Expect("KICK"); !strings.HasPrefix(m.Reason, "LOGIN denied: the nickname has ") ||
			!strings.Contains(m.Reason, want) {
			t.Errorf("%q is kicked for %q", name, m.Reason)
		}
	}
	if got, want := fmt.Sprintf("%q", p.nicknames(nil, "my_bot", "my_bot", "MY_BOT")), `["MY_BOT#3" "my_bot" "my_bot#2"]`; got != want {
		t.Errorf("players are called %s, want %s", got, want)
	}

	n := startServer(t, func(port string) *exec.Cmd { return program(t, "netorcai", "--port="+port) })
	logic := servertest.LoginLogic(t, n.addr)
	if got, want := fmt.Sprintf("%q", n.nicknames(logic, "my_bot", "my_bot", "ab\u202ecd")), `["ab\u202ecd" "my_bot" "my_bot"]`; got != want {
		t.Errorf("under the name netorcai players are called %s, want %s", got, want)
	}
}
