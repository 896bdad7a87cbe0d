package host_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// masked returns a client's frame with the given head and a mask of zeros.
func masked(head string, content string) []byte {
	return []byte(head + "\x00\x00\x00\x00" + content)
}

// Hostile input that is specific to WebSockets. An empty want stands for a connection
// that ends without a KICK.
func TestHostileWebSockets(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	login := `{"message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":"2.0.0"}`
	big := strings.Repeat(" ", 1000)
	tests := []struct {
		name string
		send func(c *servertest.Client)
		want string
	}{
		{
			"bytes first",
			func(c *servertest.Client) {
				c.SendRaw(
					masked(string([]byte{0x82, 0x80 | byte(len(login))}), login))
			},
			"Invalid first message: Received a binary message, while text was expected",
		},
		{"bytes later", func(c *servertest.Client) {
			c.Send("%s", login)
			c.Expect("LOGIN_ACK")
			c.SendRaw(masked("\x82\x82", "{}"))
		}, "Cannot read TURN_ACK. Received a binary message, while text was expected"},
		{"too much in pieces", func(c *servertest.Client) {
			c.SendRaw(masked("\x01\xfe\x03\xe8", big)) // text, to be continued
			c.SendRaw(masked("\x80\xfe\x03\xe8", big))
		}, "Invalid first message: Received message size of first message is too big: 1024 does not " +
			"fit in 10 bits"},
		{"an endless length", func(c *servertest.Client) {
			c.SendRaw(masked("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", big+big))
		}, "Invalid first message: Received message size of first message is too big: 1024 does not " +
			"fit in 10 bits"},
		{"a flood of pings", func(c *servertest.Client) {
			c.SendRaw(bytes.Repeat(masked("\x89\x80", ""), 33))
		}, "Invalid first message: Received too many control frames"},
		{"a login in pieces, with a ping between", func(c *servertest.Client) {
			c.SendRaw(masked("\x01\x81", login[:1]))
			c.SendRaw(masked("\x89\x80", ""))
			c.SendRaw(masked(string([]byte{0x80, 0x80 | byte(len(login)-1)}), login[1:]))
			c.Expect("LOGIN_ACK")
			c.Send("null")
		}, "Invalid TURN_ACK received. Field 'message_type' is missing"},
		{"silence", func(*servertest.Client) {}, "LOGIN denied: No LOGIN received within 200ms"},
		{"a goodbye first", func(c *servertest.Client) { c.SendRaw(masked("\x88\x80", "")) }, ""},
		{"no mask", func(c *servertest.Client) { c.SendRaw([]byte("\x81\x02{}")) }, ""},
		{"an unknown kind", func(c *servertest.Client) { c.SendRaw(masked("\x83\x82", "{}")) }, ""},
		{"compression that was not agreed on", func(c *servertest.Client) {
			c.SendRaw(
				masked("\xc1\x82", "{}"))
		}, ""},
		{"another continued message", func(c *servertest.Client) {
			c.SendRaw(
				masked("\x80\x82", "{}"))
		}, ""},
		{"a message without end or content", func(c *servertest.Client) {
			c.SendRaw(append(masked("\x01\x80", ""), bytes.Repeat(masked("\x00\x80", ""), 50_000)...))
		}, "LOGIN denied: No LOGIN received within 200ms"},
		{"a huge ping", func(c *servertest.Client) { c.SendRaw(masked("\x89\xfe\x03\xe8", big)) }, ""},
	}
	hostWith := func(loginTimeout time.Duration) *testHost {
		return openHost(t, options{
			Options: host.Options{LoginTimeout: loginTimeout},
			spec: host.Spec{
				Settings: match.Settings{Turns: 10, Players: len(tests)},
				Game:     game(hexabomb.New(hexagon(3, 4))),
			},
		})
	}
	patient, impatient := hostWith(time.Hour), hostWith(200*time.Millisecond)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := patient
			if strings.HasSuffix(tt.want, "within 200ms") {
				h = impatient
			}
			c := servertest.DialWebSocket(t, h.url())
			tt.send(c)
			if tt.want != "" {
				c.ExpectKick(tt.want)
			} else if m, err := c.Receive(); err == nil {
				t.Errorf("received %s, want the end", m.Raw)
			} else if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
				t.Errorf("the connection does not end")
			}
		})
	}
}

// Pages of other sites cannot log players in, and plain requests are refused.
func TestRequestsForPlayers(t *testing.T) {
	h := open(t, host.Spec{Settings: match.Settings{Turns: 10, Players: 1}})
	url := "http" + strings.TrimPrefix(h.url(), "ws")
	ask := func(header map[string]string) (status int, text string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range header {
			r.Header.Set(name, value)
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusSwitchingProtocols {
			body, _ := io.ReadAll(answer.Body)
			text = string(body)
		}
		return answer.StatusCode, text
	}
	upgrade := map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
	}
	if status, text := ask(nil); status != http.StatusBadRequest ||
		!strings.Contains(text, `{"error":"websocket:`) {
		t.Errorf("a plain request: %d %s", status, text)
	}
	if status, text := ask(upgrade); status != http.StatusSwitchingProtocols {
		t.Errorf("a program: %d %s", status, text)
	}
	upgrade["Origin"] = url
	if status, text := ask(upgrade); status != http.StatusSwitchingProtocols {
		t.Errorf("a page from here: %d %s", status, text)
	}
	upgrade["Origin"] = "http://elsewhere.example"
	if status, text := ask(upgrade); status != http.StatusForbidden ||
		!strings.Contains(text, "origin") {
		t.Errorf("another site's page: %d %s", status, text)
	}
	h.stop()
	h.end()
	if status, text := ask(upgrade); status != http.StatusServiceUnavailable ||
		text != "{\"error\":\"the match is over\"}\n" {
		t.Errorf("after the match: %d %s", status, text)
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
