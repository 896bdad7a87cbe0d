package host_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

// openShared starts a host for two players with a page on the same port.
func openShared(t *testing.T) (h *testHost, page *web.Server) {
	t.Helper()
	return openSharedBy(t, host.Options{Log: zerolog.Nop()})
}

// openSharedBy is openShared with other options.
func openSharedBy(t *testing.T, o host.Options) (h *testHost, page *web.Server) {
	t.Helper()
	o.Page = &host.Page{Options: web.Options{
		Address: "127.0.0.1:0", Version: "test",
		Metrics: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
	}}
	h = openHost(t, options{
		Options: o,
		spec: host.Spec{
			Settings: match.Settings{Turns: 20, Players: 2}, Page: host.PageSpec{CanStart: true},
		},
	})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return h, h.Page()
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// One port serves the page, the API, players over WebSocket and players over TCP.
func TestOnePort(t *testing.T) {
	h, _ := openShared(t)
	if status, body := get(t, "http://"+h.addr+"/"); status != http.StatusOK ||
		!strings.Contains(body, "<html") {
		t.Errorf("GET /: %d %.100s", status, body)
	}
	if status, body := get(t, "http://"+h.addr+"/api/health"); status != http.StatusOK ||
		!strings.Contains(body, `"status":"ok"`) {
		t.Errorf("GET /api/health: %d %s", status, body)
	}
	clients := []*servertest.Client{
		servertest.Dial(t, h.addr), servertest.DialWebSocket(t, "ws://"+h.addr+"/netorcai"),
	}
	for _, c := range clients {
		c.SendLogin("x", "player")
		c.Expect("LOGIN_ACK")
	}
	answer, err := http.Post("http://"+h.addr+"/api/match/start", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("POST /api/match/start from this machine: %s", answer.Status)
	}
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() { follow(t, c, func(int) string { return "[]" }) })
	}
	all.Wait()
	if e := h.end(); e.Err != nil || e.Steps != 20 {
		t.Errorf("match ended with %+v", e)
	}
}

// Operator pages are served only at the page's own address, not at the port of the bots.
func TestOperatorsPagesHaveTheirPort(t *testing.T) {
	h, page := openShared(t)
	for _, path := range []string{"metrics", "debug/pprof/cmdline"} {
		if status, body := get(t, page.URL()+path); status != http.StatusOK {
			t.Errorf("GET /%s at the page's address: %d %s", path, status, body)
		}
		if status, body := get(t, "http://"+h.addr+"/"+path); status != http.StatusNotFound ||
			!strings.Contains(body, "--http") {
			t.Errorf("GET /%s at the bots' address: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"healthz", "readyz"} {
		for _, url := range []string{page.URL(), "http://" + h.addr + "/"} {
			if status, body := get(t, url+path); status != http.StatusOK {
				t.Errorf("GET %s: %d %s", url+path, status, body)
			}
		}
	}
}

// A browser opens connections ahead and sends nothing. Such a connection is closed without a KICK,
// which the browser would read as the answer to a request that it begins just then, and without a
// warning. A message that was begun gets both.
func TestSpareConnection(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	const silent = "LOGIN denied: No LOGIN received within 1s"
	log := new(servertest.Log)
	h, _ := openSharedBy(t, host.Options{Log: zerolog.New(log), LoginTimeout: time.Second})
	for begin, level := range map[string]string{"": "info", "\x02": "warn"} {
		c := servertest.Dial(t, h.addr)
		c.SendRaw([]byte(begin))
		if begin != "" {
			c.ExpectKick(silent)
		} else if m, err := c.Receive(); err != io.EOF {
			t.Errorf("a connection that sends nothing gets %s, %v, want EOF", m.Raw, err)
		}
		lines := log.About(c.LocalAddr().String())
		if len(lines) != 1 || !strings.Contains(lines[0], `"level":"`+level+`"`) {
			t.Errorf("a connection that sends %q: the log is %q, want %s", begin, lines, level)
		}
	}
}

// The first bytes of a connection determine its protocol, however slowly they arrive.
func TestFirstBytesOfAConnection(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	const silent = "LOGIN denied: No LOGIN received within 1s"
	tests := []struct {
		name, begin, want string // prefix of the answer, or the reason of a KICK
		end               bool   // closes the stream after the data
	}{
		{"one byte", "G", silent, false},
		{"half a method", "GE", silent, false},
		{"half a method and the end", "GET", "Invalid first message: Remote endpoint closed? Read " +
			"error: unexpected EOF", true},
		{"a small letter", "get / HTTP/1.1", "Invalid first message: Received message size of first " +
			"message is too big: 544499047 does not fit in 10 bits", false},
		{"TLS", "\x16\x03\x01\x02\x00\x01", "Invalid first message: Received message size of first " +
			"message is too big: 33620758 does not fit in 10 bits", false},
		{"half a frame", "\x02\x00\x00\x00{", silent, false},
		{"a request", "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK", false},
		{"a request for the head", "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK", false},
		{"a request to put", "PUT / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 405 Method Not Allowed", false},
		{"no request after all", "POST\r\n\r\n", "HTTP/1.1 400 Bad Request", false},
		{"a request and the end", "GET / HTTP/1.0\r\n\r\n", "HTTP/1.0 200 OK", true},
	}
	patient, _ := openShared(t)
	impatient, _ := openSharedBy(t, host.Options{Log: zerolog.Nop(), LoginTimeout: time.Second})
	for _, tt := range tests {
		for _, slow := range []bool{false, true} {
			t.Run(tt.name+map[bool]string{true: ", slowly"}[slow], func(t *testing.T) {
				t.Parallel()
				h := patient
				if tt.want == silent {
					h = impatient
				}
				c := servertest.Dial(t, h.addr)
				if slow {
					for i := range tt.begin {
						if _, err := c.Write([]byte(tt.begin[i : i+1])); err != nil {
							break // the answer arrived before all was sent
						}
					}
				} else if tt.begin != "" {
					c.SendRaw([]byte(tt.begin))
				}
				if tt.end {
					c.CloseWrite()
				}
				if !strings.HasPrefix(tt.want, "HTTP") {
					c.ExpectKick(tt.want)
					return
				}
				line, err := bufio.NewReader(c).ReadString('\n')
				if err != nil || strings.TrimSpace(line) != tt.want {
					t.Errorf("answer %q, %v; want %q", line, err, tt.want)
				}
			})
		}
	}
}

// Without a page, a browser gets netorcai's answer.
func TestNoPageOnThePort(t *testing.T) {
	h := open(t, host.Spec{Settings: match.Settings{Turns: 10}})
	c := servertest.Dial(t, h.addr)
	c.SendRaw([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	c.ExpectKick("Invalid first message: Received message size of first message is too big: " +
		"542393671 does not fit in 10 bits")
}
