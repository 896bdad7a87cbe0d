package botapi

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// FuzzReadPosition checks that the packets of any readable state can be parsed.
func FuzzReadPosition(f *testing.F) {
	options := hextictactoe.Defaults()
	options.Clock = hextictactoe.Clock{Kind: hextictactoe.Incremental, Base: 60_000, Increment: 500}
	g := hextictactoe.New(options)
	if _, err := g.Start(engine.Setup{Players: 2}); err != nil {
		f.Fatal(err)
	}
	f.Add(g.AppendState(nil), int32(0), int32(0))
	for _, actions := range []string{
		`[{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}]`, `[{"pieces":[{"q":0,"r":0},{"q":2,"r":0}]}]`,
	} {
		g.Step([]engine.Input{{Player: g.ToMove().Player(), Actions: []byte(actions)}})
		f.Add(g.AppendState(nil), int32(3), int32(-1))
	}
	for _, state := range []string{
		`{}`, `null`, `{"board":[],"to_move":"x"}`,
		`{"board":{"cells":[{}]},"to_move":"o","status":"x_wins","reason":"win"}`,
		`{"board":{"cells":[{"q":2147483647,"r":0,"p":"x"}]},"to_move":"x","view_distance":-1,"win_distance":0}`,
		`{"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":0,"p":"o"}]},"to_move":"x","previous":[{"side":"z","pieces":null}],"clocks":{"":-1},"clock":{"type":"match"},"move":-1}`,
	} {
		f.Add([]byte(state), int32(1<<31-1), int32(-1<<31))
	}
	f.Fuzz(func(t *testing.T, state []byte, q, r int32) {
		p, err := ReadPosition(state)
		if err != nil {
			return
		}
		_ = p.completesMove(htttx.Cell{Q: q, R: r})
		_ = p.limit(p.ToMove, time.Second)
		_ = p.LastMove()
		for _, packet := range []htttx.Packet{p.Setup(), p.Update(), p.End()} {
			text := packet.Append(nil)
			if !json.Valid(text) {
				t.Fatalf("state %q: the packet %q is not JSON", state, text)
			}
			if _, err := htttx.ParseBoard(p.Board); err != nil {
				continue // such a board cannot be parsed in a packet either
			}
			if _, err := htttx.ParseFromServer(text); err != nil {
				t.Errorf("state %q: packet %s: %v", state, text, err)
			}
		}
	})
}

// frames lists messages of peers over an open WebSocket.
var frames = []string{
	`{"type":"move_response","move":{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}}`,
	`{"type":"heartbeat","waiting":true}`, `{"type":"end"}`, `{`, ``,
	`{"type":"log"}`,
	`{"type":"move_response","move":{"pieces":[{"q":1.0,"r":0},{"q":2e0,"r":0}],"evaluation":{"heuristic":-Infinity}}}`,
}

// FuzzAccepted checks that any input of a peer that dialled in yields packets and
// then an end.
func FuzzAccepted(f *testing.F) {
	for _, text := range frames {
		f.Add(append([]byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...))
	}
	for _, sent := range []string{
		"\x01\x81\x01\x02\x03\x04z\x80\x81\x01\x02\x03\x04|", "\x82\x80aaaa", "\x88\x80aaaa",
		"\x89\x80aaaa\x8a\x80aaaa",
		"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xffaaaa", "\xc1\x80aaaa", "\x81\x02{}",
	} {
		f.Add([]byte(sent))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		near, far := net.Pipe()
		r := httptest.NewRequest(http.MethodGet, "/ws", nil)
		for key, value := range map[string]string{
			"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
		} {
			r.Header.Set(key, value)
		}
		wait := sendAfter(far, sent, "\r\n\r\n")
		l, err := NewAcceptor(zerolog.Nop()).accept(hijacked{httptest.NewRecorder(), near}, r)
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, l, sent)
		wait()
	})
}

// FuzzDialled is FuzzAccepted for a bot that was dialled.
func FuzzDialled(f *testing.F) {
	for _, text := range frames {
		f.Add(append([]byte{0x81, byte(len(text))}, text...))
	}
	for _, sent := range []string{
		"\x01\x01{\x80\x01}", "\x82\x00", "\x88\x02\x03\xe8", "\x89\x00\x8a\x00",
		"\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff", "\xc1\x00", "\x81\x80aaaa",
	} {
		f.Add([]byte(sent))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		near, far := net.Pipe()
		wait := sendAfter(far, sent, "")
		l, err := dialSocket(t.Context(), "ws://bot/game", &http.Client{Transport: upgrading{near}})
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, l, sent)
		wait()
	})
}

// sendAfter sends data and closes the connection once the text after has been
// received. It discards all other input.
func sendAfter(far net.Conn, sent []byte, after string) (wait func()) {
	done := make(chan struct{}, 2)
	go func() {
		in := bufio.NewReader(far)
		for line, head := "", ""; after != "" && !strings.HasSuffix(head, after); head += line {
			var err error
			if line, err = in.ReadString('\n'); err != nil {
				break
			}
		}
		go func() {
			_, _ = far.Write(sent)
			_ = far.Close()
			done <- struct{}{}
		}()
		_, _ = io.Copy(io.Discard, in)
		done <- struct{}{}
	}()
	return func() {
		<-done
		<-done
	}
}

// readAll reads all messages of a peer.
func readAll(t *testing.T, l wsConn, sent []byte) {
	t.Helper()
	s := newSocket(l)
	defer s.close("enough")
	hung := time.After(20 * time.Second)
	for most := len(sent); ; most-- {
		select {
		case h := <-s.messages():
			if h.err != nil {
				return
			}
			if most == 0 || !json.Valid(h.packet.Append(nil)) {
				t.Fatalf("input %q yields %+v", sent, h.packet)
			}
		case <-hung:
			t.Fatalf("input %q yields no end", sent)
		}
	}
}

// hijacked is a ResponseWriter that can be hijacked.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

// upgrading is a RoundTripper that upgrades every request to a WebSocket.
type upgrading struct{ conn net.Conn }

func (u upgrading) RoundTrip(r *http.Request) (*http.Response, error) {
	const salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11" // of RFC 6455
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + salt))
	return &http.Response{
		StatusCode: http.StatusSwitchingProtocols, Request: r, Body: u.conn,
		Header: http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Accept": {base64.StdEncoding.EncodeToString(sum[:])},
		},
	}, nil
}
