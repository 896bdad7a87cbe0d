package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/feed"
)

// event is an event as a viewer parses it.
type event struct {
	Type    string
	ID      string
	Turn    int
	State   json.RawMessage
	Delta   json.RawMessage
	Present []any
	Count   int
	raw     string
}

func parse(t testing.TB, data []byte) (e event) {
	t.Helper()
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("event %.200q: %v", data, err)
	}
	e.raw = string(data)
	return e
}

// testViewer is a viewer of a test.
type testViewer struct {
	*websocket.Conn
	t testing.TB
}

// watch connects a viewer; query is such as "?from=3".
func (s *stage) watch(query string) *testViewer {
	s.t.Helper()
	d := websocket.Dialer{EnableCompression: true}
	conn, _, err := d.Dial(s.live(query), nil)
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &testViewer{conn, s.t}
}

// watchSlowly is watch for a viewer with a small receive buffer.
func (s *stage) watchSlowly() *testViewer {
	s.t.Helper()
	d := websocket.Dialer{NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	conn, _, err := d.Dial(s.live(""), nil)
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &testViewer{conn, s.t}
}

func (s *stage) live(query string) string {
	return "ws" + strings.TrimPrefix(s.URL(), "http") + "api/live" + query
}

// next returns the next event, skipping counts of viewers.
func (a *testViewer) next() event {
	a.t.Helper()
	for {
		_ = a.SetReadDeadline(time.Now().Add(patience))
		_, data, err := a.ReadMessage()
		if err != nil {
			a.t.Fatalf("next event: %v", err)
		}
		if e := parse(a.t, data); e.Type != "viewers" {
			return e
		}
	}
}

// until reads up to a turn and returns all events.
func (a *testViewer) until(turn int) (list []event) {
	a.t.Helper()
	for {
		e := a.next()
		list = append(list, e)
		if e.Type == "turn" && e.Turn >= turn {
			return list
		}
	}
}

// closed reads until the connection is over and returns the closing code.
func (a *testViewer) closed() int {
	a.t.Helper()
	for {
		_ = a.SetReadDeadline(time.Now().Add(patience))
		if _, _, err := a.ReadMessage(); err != nil {
			if c, ok := err.(*websocket.CloseError); ok {
				return c.Code
			}
			if os.IsTimeout(err) {
				a.t.Fatal("the connection stays open")
			}
			return 0
		}
	}
}

// replay compares events, beginning with the start, with the match's states.
func (s *stage) replay(list []event) {
	s.t.Helper()
	var state []byte
	for k, e := range list {
		var err error
		switch {
		case e.State != nil:
			state = e.State
		default:
			state, err = feed.Apply(state, e.Delta)
		}
		if want := s.state(e.Turn); err != nil || k%16 == 0 && !sameJSON(state, []byte(want)) {
			s.t.Fatalf("state after turn %d = %s, %v, want %s", e.Turn, state, err, want)
		}
	}
}

// consecutive returns an error if the events of these turns have a gap or a duplicate.
func consecutive(list []event, first int) error {
	for i, e := range list {
		if kind := map[bool]string{true: "start", false: "turn"}[first+i == 0]; e.Type != kind ||
			e.Turn != first+i {
			return fmt.Errorf("event %d is %s %d, want %s %d", i, e.Type, e.Turn, kind, first+i)
		}
	}
	return nil
}

// inOrder returns an error if events, beginning with the start, have a gap without a whole
// state after it: on a busy machine a viewer may skip turns.
func inOrder(list []event) error {
	for i, e := range list[1:] {
		if before := list[i].Turn; e.Type != "turn" || e.Turn <= before ||
			e.Turn > before+1 && e.State == nil {
			return fmt.Errorf("%s %d without a state follows turn %d", e.Type, e.Turn, before)
		}
	}
	return nil
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
