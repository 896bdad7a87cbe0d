package main

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// The operator's token is accepted only in its header, and only on the page's port.
func TestOperatorsTokenElsewhere(t *testing.T) {
	t.Parallel()
	p, page, _ := startWithTokens(t)
	const token = "OOOOOOOOOO"
	forms := []struct {
		name, query string
		header      http.Header
	}{
		{"nothing", "", nil},
		{"an empty bearer", "", http.Header{"Authorization": {"Bearer "}}},
		{"no scheme", "", http.Header{"Authorization": {token}}},
		{"Basic", "", http.Header{"Authorization": {"Basic T09PT09PT09PTw=="}}},
		{"the query", "?token=" + token + "&access_token=" + token, nil},
		{"a cookie", "", http.Header{"Cookie": {"token=" + token}}},
		{"more behind it", "", http.Header{"Authorization": {"Bearer " + token + "O"}}},
		{"a player's", "", http.Header{"Authorization": {"Bearer AAAAAAAAAA"}}},
		{"another origin", "", http.Header{
			"Origin": {"http://evil.example"}, "Sec-Fetch-Site": {"cross-site"},
		}},
	}
	for _, address := range []string{page, p.addr} {
		for _, path := range []string{
			"/api/match/start", "/api/match/fill", "/api/match/again", "/api/recordings/x/analysis",
		} {
			for _, form := range forms {
				r, err := http.NewRequest(http.MethodPost, "http://"+address+path+form.query, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header = form.header
				reply, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_ = reply.Body.Close()
				if s := reply.StatusCode; s != http.StatusUnauthorized && s != http.StatusForbidden &&
					(s != http.StatusNotFound || address == page) {
					t.Errorf("POST %s%s with %s is answered with %s", address, path, form.name, reply.Status)
				}
			}
		}
	}
	p.quit()
}

// controls matches characters that a terminal interprets: control characters of ASCII
// except line feed and tab, those of Latin-1, and those that change the text direction.
var controls = regexp.MustCompile(
	`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// Neither the log nor replay writes control characters of bots to the terminal.
func TestNoEscapesOfBots(t *testing.T) {
	t.Parallel()
	const escapes = `\u001b]0;x\u0007\u001b[2J\u009b31m\u202e\u0085\u007f`
	dir := t.TempDir()
	p := startServe(t, "--record="+dir, "--nb-players-max=1", "--nb-visus-max=0", "--nb-turns-max=4",
		"--fast", "--debug")
	for _, first := range []string{
		`{"message_type":"` + escapes + `"}`,
		`{"message_type":"LOGIN","nickname":"x","role":"` + escapes + `","metaprotocol_version":"2.0.0"}`,
		`{"message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":"` + escapes + `"}`,
		`{"message_type":"LOGIN","nickname":"x` + escapes + `","role":"player","metaprotocol_version":"9.0.0"}`,
	} {
		c := servertest.Dial(t, p.addr)
		c.Write(servertest.Frame(first))
		_, _ = io.Copy(io.Discard, c.Conn)
	}
	c := servertest.Dial(t, p.addr)
	c.Send(
		`{"message_type":"LOGIN","nickname":"x\u001b[1m","role":"player","metaprotocol_version":"2.0.0"}`)
	if m, err := c.Receive(); err != nil {
		t.Fatal(err)
	} else if m.Type != "LOGIN_ACK" { // the server may refuse such a nickname
		c = servertest.Login(t, p.addr, "x", "player")
	}
	p.typeLines("start")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	c.Send(`{"message_type":"TURN_ACK","turn_number":0,"actions":[{"id":0,"movement":"` + escapes + `"}],"debug":{"message":"` + escapes + `"}}`)
	c.Expect("TURN")
	c.Send(`{"message_type":"` + escapes + `"}`)
	_, _ = io.Copy(io.Discard, c.Conn)
	p.typeLines("quit")
	said := strings.Join(p.readRest(), "\n")
	_ = p.Wait()
	files := recordingsIn(t, dir, 1)
	outputs := map[string]string{"the log": said}
	for _, args := range [][]string{
		{"verify"},
		{"show"},
		{"show", "--turn", "1"},
		{"show", "--turn", "1", "--seat", "0"},
		{"export", "--format", "json"},
		{"export", "--format", "csv"},
	} {
		out, _ := command(t,
			append([]string{"replay", args[0], files[0]}, args[1:]...)...).CombinedOutput()
		outputs["replay "+strings.Join(args, " ")] = string(out)
	}
	for name, text := range outputs {
		if len(text) == 0 || controls.MatchString(text) {
			t.Errorf("%s has control characters or is empty: %q", name, text)
		}
	}
}

// Old versions of TLS are refused, and a stalled handshake times out.
func TestStrangersOverTLS(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	cert, key := selfSigned(t)
	var page string
	p := startServer(t, func(port string) *exec.Cmd {
		page = "127.0.0.1:" + strconv.Itoa(freePort(t))
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http="+page, "--record=",
			"--tls-cert="+cert, "--tls-key="+key)
	})
	var stopped []net.Conn
	for _, address := range []string{page, p.addr} {
		for _, version := range []uint16{tls.VersionTLS10, tls.VersionTLS11} {
			conn, err := tls.Dial("tcp", address,
				&tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version})
			if err == nil {
				_ = conn.Close()
				t.Errorf("%s speaks %s", address, tls.VersionName(version))
			}
		}
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		// the beginning of a ClientHello
		if _, err := conn.Write([]byte("\x16\x03\x01\x02\x00\x01")); err != nil {
			t.Fatal(err)
		}
		stopped = append(stopped, conn)
	}
	for _, conn := range stopped {
		_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s does not time out during the handshake", conn.RemoteAddr())
		}
	}
	p.quit()
}
