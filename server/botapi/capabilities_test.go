package botapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

var flags = []string{
	"move_time_limit", "evaluation", "evaluation_time_limit", "free_setup", "resettable_state",
	"move_skips", "dual_sided", "free_move_order", "interruptible", "request_id",
}

// combination is the capabilities with the flags whose bits are set in n, and the
// path of the socket that they lead to.
func combination(n int) (caps, path string) {
	var set []string
	path = "/bws/v1-alpha/game"
	for i, f := range flags {
		set = append(set, fmt.Sprintf("%q:%v", f, n>>i&1 == 1))
	}
	switch n % 3 {
	case 0:
		set = append(set, `"config":{}`)
	case 1:
		set = append(set, `"config":{"dynamic":true}`)
	}
	if n%5 == 0 {
		set, path = append(set, `"api_root":"other/root"`), "/other/root/game"
	}
	return `{"basic_websocket":{"versions":{"v1-alpha":{` + strings.Join(set, ",") + `}}}}`, path
}

// A bot is sent what it declared, and nothing else, whatever that is.
func TestEveryCombinationOfCapabilities(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, part := range []int{0, 1, 2, 3} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			// an odd factor has each flag on and off
			for n := part; n < 1<<len(flags); n += 4 * thorough.Size(5, 1) {
				playCombination(t, n)
			}
		})
	}
}

func playCombination(t *testing.T, n int) {
	caps, path := combination(n)
	x, o := &testBot{caps: caps}, &testBot{caps: caps}
	c := testMatch{
		options: hextictactoe.Options{
			ViewDistance: 8, WinDistance: 6, TurnLimit: 4,
			Clock: hextictactoe.Clock{Kind: hextictactoe.NoClock},
		},
	}
	if e := c.bots(t, x.start(t), o.start(t)); e.Reason != "draw: turn limit" {
		t.Fatalf("with %s: ending %+v", caps, e)
	}
	for i, b := range []*testBot{x, o} {
		b.waitClosed(t)
		want := []string{"path " + path, `{"type":"setup","board":{"cells":[{"q":0,"r":0,"p":"x"}]}}`}
		for _, m := range wantRequests[i] {
			if strings.Contains(caps, `"move_time_limit":true`) {
				m.Limit = 20e9
			}
			if strings.Contains(caps, `"request_id":true`) {
				m.RequestID = new(int64(len(want)) - 1)
			}
			want = append(want, string(m.Append(nil)))
		}
		want = append(want,
			`{"type":"end","winner":null,"reason":"draw","board":{"cells":[`+pieces[:len(pieces)-1]+`]}}`)
		if got := strings.Join(b.noted(""), "\n"); got != strings.Join(want, "\n") {
			t.Fatalf("with %s, %s was sent\n%s\nwant\n%s", caps, []string{"x", "o"}[i], got,
				strings.Join(want, "\n"))
		}
	}
}

// pieces holds the pieces of four good moves.
const pieces = `{"q":0,"r":0,"p":"x"},{"q":2,"r":0,"p":"o"},{"q":4,"r":0,"p":"o"},` +
	`{"q":6,"r":0,"p":"x"},{"q":8,"r":0,"p":"x"},{"q":10,"r":0,"p":"o"},{"q":12,"r":0,"p":"o"},` +
	`{"q":0,"r":2,"p":"x"},{"q":2,"r":2,"p":"x"},`

// boardOf returns a board with the first n pieces.
func boardOf(n int) []byte {
	list := strings.SplitAfter(pieces, "},")
	return []byte(`{"cells":[` + strings.TrimSuffix(strings.Join(list[:n], ""), ",") + `]}`)
}

func moved(s htttx.Side, q1, r1, q2, r2 int32) htttx.Move {
	return htttx.Move{Side: s, Pieces: []htttx.Cell{{Q: q1, R: r1}, {Q: q2, R: r2}}}
}

var wantRequests = [2][]htttx.MoveRequest{
	{
		{Side: 'x', Previous: []htttx.Move{moved('o', 2, 0, 4, 0)}, Board: boardOf(3)},
		{Side: 'x', Previous: []htttx.Move{
			moved('x', 6, 0, 8, 0), moved('o', 10, 0, 12, 0),
		}, Board: boardOf(7)},
	},
	{
		{Side: 'o', Board: boardOf(1)},
		{Side: 'o', Previous: []htttx.Move{
			moved('o', 2, 0, 4, 0), moved('x', 6, 0, 8, 0),
		}, Board: boardOf(5)},
	},
}

// oddCaps lists bots with odd capabilities, what the log says about them, and the
// path that they are asked at.
var oddCaps = []struct {
	name string
	bot  testBot
	warn string // part of the log
	path string
}{
	{"404", testBot{serveCaps: http.NotFound}, "the answer is 404 Not Found", "/bws/v1-alpha/game"},
	{"an HTML page", testBot{
		caps: "<!DOCTYPE html><p>hello",
	}, "the message is not JSON: <!DOCTYPE html><p>hello", "/bws/v1-alpha/game"},
	{"an empty page", testBot{caps: ""}, "the message is not JSON", "/bws/v1-alpha/game"},
	{"no versions", testBot{
		caps: `{"basic_websocket":{"versions":{}}}`,
	}, "neither basic_websocket nor stateless", "/bws/v1-alpha/game"},
	{"another version", testBot{
		caps: `{"basic_websocket":{"versions":{"v2":{}}}}`,
	}, "neither basic_websocket nor stateless", "/bws/v1-alpha/game"},
	{"null", testBot{caps: `null`}, "the message is not a JSON object: null", "/bws/v1-alpha/game"},
	{"versions that are null", testBot{
		caps: `{"basic_websocket":{"versions":null}}`,
	}, "neither basic_websocket nor stateless", "/bws/v1-alpha/game"},
	{"versions that are a list", testBot{
		caps: `{"basic_websocket":{"versions":["v1-alpha"]}}`,
	}, "neither basic_websocket nor stateless", "/bws/v1-alpha/game"},
	{"a version that is true", testBot{
		caps: `{"basic_websocket":{"versions":{"v1-alpha":true}}}`,
	}, "v1-alpha is not an object: true", "/bws/v1-alpha/game"},
	{"a version that is null", testBot{
		caps: `{"basic_websocket":{"versions":{"v1-alpha":null}}}`,
	}, "neither basic_websocket nor stateless", "/bws/v1-alpha/game"},
	{"text behind it", testBot{caps: baseCaps + "!"}, "the message is not JSON", "/bws/v1-alpha/game"},
	{"odd tags", testBot{caps: `{"meta":{"name":"n","tags":["Ünfit"],"more":1},"basic_websocket":{"versions":{"v1-alpha":{}}}}`}, "does not consist of a-z, 0-9 and -", "/bws/v1-alpha/game"},
	{"a root from the top", testBot{
		caps: `{"basic_websocket":{"versions":{"v1-alpha":{"api_root":"/top/"}}}}`,
	}, "", "/top/game"},
	{"a root beside it", testBot{
		caps: `{"basic_websocket":{"versions":{"v1-alpha":{"api_root":"."}}}}`,
	}, "", "/game"},
	{"wrong types", testBot{caps: `{"meta":5,"basic_websocket":{"versions":{"v1-alpha":{"api_root":[1],"request_id":"yes"}}}}`}, "api_root is not a string: [1]", "/bws/v1-alpha/game"},
	{"a slow answer", testBot{
		serveCaps: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	}, "no answer within 3s", "/bws/v1-alpha/game"},
	{"an endless answer", testBot{
		serveCaps: func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w,
				strings.Repeat(" ", MaxMessage+1))
		},
	}, "more than 1 MiB", "/bws/v1-alpha/game"},
	{"a circle of redirects", testBot{
		serveCaps: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/x",
				http.StatusFound)
		},
	}, "more than 5 redirects", "/bws/v1-alpha/game"},
	{"a redirect", testBot{
		redirect: "/deep/down/capabilities.json",
		caps:     `{"basic_websocket":{"versions":{"v1-alpha":{"api_root":"my/root"}}}}`,
	}, "", "/deep/down/my/root/game"},
	{"stateless alone", testBot{
		caps: `{"stateless":{"versions":{"v1-alpha":{"api_root":"../s","move_time_limit":true}}}}`,
	}, "", "/s/turn"},
	{"stateless beside versions that are empty", testBot{
		caps: `{"basic_websocket":{"versions":{}},"stateless":{"versions":{"v1-alpha":{}}}}`,
	}, "", "/stateless/v1-alpha/turn"},
}

func TestOddCapabilities(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for i := range oddCaps {
		tt := &oddCaps[i]
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "a slow answer" {
				thorough.Full(t) // it waits until the time is over
			}
			t.Parallel()
			good := &testBot{caps: baseCaps}
			var log bytes.Buffer
			odd := tt.bot.start(t)
			peers := []*Peer{mustDial(t, &log, odd), mustDial(t, io.Discard, good.start(t))}
			e := testMatch{}.play(t, peers...)
			if e.Reason != "draw: turn limit" || len(tt.bot.noted("malformed")) > 0 {
				t.Errorf("ending = %+v, %q; want a complete game", e, tt.bot.noted("malformed"))
			}
			if paths := tt.bot.noted("path "); len(paths) == 0 || paths[0] != "path "+tt.path {
				t.Errorf("asked at %q, want %s", paths, tt.path)
			}
			if tt.warn == "" && log.Len() > 0 || !strings.Contains(log.String(), tt.warn) ||
				tt.warn != "" && !strings.Contains(log.String(), odd) {
				t.Errorf("log %q, want the bot's address and %q", log.String(), tt.warn)
			}
		})
	}
}

func mustDial(t *testing.T, log io.Writer, address string) *Peer {
	t.Helper()
	d := NewDialer(false, zerolog.New(log))
	t.Cleanup(d.Close)
	p, err := d.Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A failure to connect is an error that names the URL.
func TestDialFails(t *testing.T) {
	page := &testBot{caps: baseCaps, play: func(*testBot, *websocket.Conn) {}}
	address := page.start(t)
	for _, tt := range []struct{ address, want string }{
		{"http://127.0.0.1:1", "cannot dial ws://127.0.0.1:1/bws/v1-alpha/game"},
		{"ftp://x", "use http, https, ws or wss"},
		{"", "has no host"},
	} {
		d := NewDialer(false, zerolog.Nop())
		if _, err := d.Dial(t.Context(), tt.address); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("Dial(%q) = %v, want %s", tt.address, err, tt.want)
		}
	}
	d := NewDialer(true, zerolog.Nop())
	for _, private := range []string{address, strings.Replace(address, "127.0.0.1", "localhost", 1)} {
		_, err := d.Dial(t.Context(), private)
		if err == nil || !strings.Contains(err.Error(), "not an address on the public Internet") {
			t.Errorf("Dial(%q) in public mode = %v", private, err)
		}
	}
	if heard := page.noted(""); len(heard) > 0 {
		t.Errorf("in public mode, a private address received %q", heard)
	}
}
