package web_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

func TestLobbyStartTurnsEnd(t *testing.T) {
	s := newStage(t, func(_ *web.Options, _ *web.Match, o *match.Options) { o.Settings.Turns = 5 })
	v := s.watch("")
	if e := v.next(); e.Type != "lobby" || len(e.Present) != 0 {
		t.Fatalf("first event %+v, want an empty lobby", e)
	}
	wait(t, s.Seen())
	s.begin()
	for e := v.next(); e.Type != "start"; e = v.next() {
		if e.Type != "lobby" {
			t.Fatalf("before the start: %s", e.raw)
		}
	}
	s.play(4)
	for k := 1; k <= 5; k++ {
		if e := v.next(); e.Turn != k {
			t.Fatalf("event %s, want turn %d", e.raw, k)
		}
	}
	if e := v.next(); e.Type != "end" || e.Turn != 5 ||
		!strings.Contains(e.raw, `"tally":[{"player":0,"score":`) {
		t.Errorf("last event %s, want the end with the accounts", e.raw)
	}
}

// The lobby shows the operator's settings.
func TestSettingsInTheLobby(t *testing.T) {
	s := newStage(t)
	v := s.watch("")
	v.next()
	s.match.Update(func(set *match.Settings) { set.Players = 3 })
	if e := v.next(); e.Type != "lobby" || !strings.Contains(e.raw, `"players":3`) {
		t.Errorf("after the operator has set 3 seats: %s", e.raw)
	}
}

// Viewers that connect at any time during a match get all events, in order, once.
func TestLateViewersMissNothing(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	s := newStage(t)
	s.begin()
	const turns, viewers = 300, 16
	var all sync.WaitGroup
	errs := make(chan error, viewers)
	watch := func(i, from int) {
		v := s.watch("?held=" + s.feed.ID() + "&from=" + strconv.Itoa(from))
		all.Go(func() {
			list := v.until(turns)
			errs <- consecutive(list, from)
			if i == 0 {
				s.replay(list)
			}
		})
	}
	for i := range viewers {
		s.play((turns - 1) / viewers)
		watch(i, map[bool]int{true: 0, false: s.turns / 2}[i%2 == 0])
	}
	s.play(turns - s.turns)
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestReconnect(t *testing.T) {
	s := newStage(t)
	s.begin()
	s.play(9)
	v := s.watch("")
	if err := consecutive(v.until(10), 0); err != nil {
		t.Fatal(err)
	}
	_ = v.Close()
	s.play(10)
	for query, first := range map[string]int{
		"?from=11": 11, "?from=11&held=" + s.feed.ID(): 11, "?from=11&match=" + s.feed.ID(): 11,
		"?from=11&held=another": 0, "?from=1000": 0,
	} {
		if err := consecutive(s.watch(query).until(20), first); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	if status, body, _ := s.get("/api/live?from=-1"); status != http.StatusBadRequest ||
		!strings.Contains(body, `from=`) {
		t.Errorf("from=-1: %d %s, want %d", status, body, http.StatusBadRequest)
	}
}

// A viewer that does not read for a while delays no other viewer and skips to the newest
// turn.
func TestSlowViewer(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const maxLag = 400 * time.Millisecond
	s := newStageFor(t, maxLag)
	// the slow viewer must not be disconnected, however long the race detector takes
	s.SetViewerWait(time.Hour)
	s.begin()
	slow := s.watchSlowly()
	quick := s.watch("")
	const full = 1000 // turns, which the buffers between server and viewer do not hold
	begun := time.Now()
	for s.turns < full || time.Since(begun) < maxLag*3/2 {
		asked := time.Now()
		s.play(10)
		if got := quick.until(s.turns); got[len(got)-1].State != nil && time.Since(asked) < maxLag {
			t.Fatal("a quick viewer was made to skip")
		}
	}
	skipped := false
	for turn := 0; turn < s.turns; {
		e := slow.next()
		if e.Type == "turn" && e.State != nil {
			skipped = true
			if e.Turn <= turn || !sameJSON(e.State, []byte(s.state(e.Turn))) {
				t.Fatalf("after turn %d it skips to turn %d, whose state is right: %v", turn, e.Turn,
					sameJSON(e.State, []byte(s.state(e.Turn))))
			}
		} else if e.Type == "turn" && e.Turn != turn+1 {
			t.Fatalf("turn %d follows turn %d without a state", e.Turn, turn)
		}
		turn = e.Turn
	}
	if !skipped {
		t.Errorf("the slow viewer got all of %d turns", s.turns)
	}
	s.play(2)
	if err := consecutive(slow.until(s.turns), s.turns-1); err != nil {
		t.Errorf("after it has skipped: %v", err)
	}
}

// Viewers that send messages are disconnected, and others are not affected.
func TestGarbage(t *testing.T) {
	s := newStage(t)
	s.begin()
	good := s.watch("")
	talk := map[string]func(*testViewer){
		"text": func(v *testViewer) {
			_ = v.WriteMessage(websocket.TextMessage,
				[]byte("hello"))
		},
		"nothing": func(v *testViewer) { _ = v.WriteMessage(websocket.TextMessage, nil) },
		"a lot": func(v *testViewer) {
			_ = v.WriteMessage(websocket.BinaryMessage,
				make([]byte, 1<<20))
		},
		"no frame": func(v *testViewer) { _, _ = v.NetConn().Write(bytes.Repeat([]byte{0xFF}, 100)) },
		// not masked
		"an old frame": func(v *testViewer) { _, _ = v.NetConn().Write([]byte{0x81, 0x01, 'x'}) },
		"half a frame": func(v *testViewer) {
			_, _ = v.NetConn().Write([]byte{0x81, 0xFE, 0x7F})
			_ = v.NetConn().(*net.TCPConn).CloseWrite()
		},
		"a flood":      func(v *testViewer) { flood(v, websocket.PingMessage) },
		"a pong flood": func(v *testViewer) { flood(v, websocket.PongMessage) },
		"a huge control": func(v *testViewer) {
			_, _ = v.NetConn().Write(
				[]byte{0x89, 0xFE, 0xFF, 0xFF, 0, 0, 0, 0})
		},
	}
	for name, garbage := range talk {
		v := s.watch("")
		garbage(v)
		if code := v.closed(); code == websocket.CloseNormalClosure {
			t.Errorf("%s: closed with code %d", name, code)
		}
	}
	s.play(5)
	if err := consecutive(good.until(6), 0); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(patience); ; {
		_, body, _ := s.get("/api/health")
		if strings.Contains(body, `"viewers":1`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("viewers that talked are kept: %s", body)
		}
	}
}

func flood(v *testViewer, kind int) {
	for range 100 {
		if v.WriteControl(kind, []byte("x"), time.Now().Add(time.Second)) != nil {
			return
		}
	}
}

func TestOrigin(t *testing.T) {
	s := newStage(t)
	host := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/")
	for origin, want := range map[string]int{
		"http://" + host: http.StatusSwitchingProtocols,
		"":               http.StatusSwitchingProtocols,
		"http://evil":    http.StatusForbidden,
		"null":           http.StatusForbidden,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		conn, answer, err := websocket.DefaultDialer.Dial(s.live(""), header)
		if err == nil {
			_ = conn.Close()
		}
		if answer == nil || answer.StatusCode != want {
			t.Errorf("origin %q: %v, %v, want %d", origin, answer, err, want)
		} else if body, _ := io.ReadAll(answer.Body); want == http.StatusForbidden &&
			!strings.Contains(string(body), "does not pass on Host") {
			t.Errorf("origin %q is told %s", origin, body)
		}
	}
}

func TestViewersAreCounted(t *testing.T) {
	thorough.Full(t)
	t.Parallel()
	s := newStage(t)
	v := s.watch("")
	s.watch("")
	for {
		_ = v.SetReadDeadline(time.Now().Add(patience))
		_, data, err := v.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		if e := parse(t, data); e.Type == "viewers" && e.Count == 2 {
			return
		}
	}
}

// 300 viewers watch one match, and each message is compressed once.
func TestManyViewers(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	s := newStage(t)
	const turns = 20
	viewers := thorough.Size(100, 300)
	var all sync.WaitGroup
	errs := make(chan error, viewers)
	var list []*testViewer
	for range viewers {
		list = append(list, s.watch(""))
	}
	s.begin()
	for i, v := range list {
		all.Go(func() {
			e := v.next()
			for e.Type == "lobby" {
				e = v.next()
			}
			events := append([]event{e}, v.until(turns)...)
			errs <- inOrder(events)
			if i == 0 {
				s.replay(events)
			}
		})
	}
	s.play(turns - 1)
	all.Wait()
	for range viewers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// When the server ends, viewers get the remaining events and a close message.
func TestServerStops(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	s := newStage(t)
	s.SetGrace(patience)
	s.begin()
	v := s.watch("")
	s.play(1)
	v.until(1) // it is connected
	s.play(20)
	stopped := s.stopped()
	if err := consecutive(v.until(s.turns), 2); err != nil {
		t.Error(err)
	}
	if code := v.closed(); code != websocket.CloseGoingAway {
		t.Errorf("closed with code %d, want %d", code, websocket.CloseGoingAway)
	}
	wait(t, stopped)
	if _, err := net.Dial("tcp", s.Addr().String()); err == nil {
		t.Error("the server still listens")
	}
}

// When the server ends, viewers that do not read are disconnected.
func TestServerStopsWithASlowViewer(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	s := newStage(t)
	s.begin()
	s.watchSlowly()
	s.play(2000)
	wait(t, s.stopped())
}
