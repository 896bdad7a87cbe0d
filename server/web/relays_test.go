package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/relay/envelope"
	"github.com/hexarena/hexarena/server/web"
)

// subscriber is the connection of a relay.
type subscriber struct {
	*websocket.Conn
	t *testing.T
}

func (s *stage) subscribe(t *testing.T, held string) *subscriber {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.URL(), "http")+strings.TrimPrefix(envelope.Path, "/"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.WriteMessage(websocket.TextMessage, []byte(held)); err != nil {
		t.Fatal(err)
	}
	return &subscriber{conn, t}
}

func (s *subscriber) next() *envelope.Envelope {
	s.t.Helper()
	_ = s.SetReadDeadline(time.Now().Add(patience))
	_, message, err := s.ReadMessage()
	if err != nil {
		s.t.Fatal(err)
	}
	e, err := envelope.Parse(message)
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// until returns the envelopes up to the first of a kind.
func (s *subscriber) until(kind feed.Kind) (list []*envelope.Envelope) {
	s.t.Helper()
	for {
		e := s.next()
		if list = append(list, e); e.Kind == kind {
			return list
		}
	}
}

// A relay gets the list of matches and all events, with whole states between them, also when it connects again.
func TestSubscribe(t *testing.T) {
	s := newStage(t, func(_ *web.Options, _ *web.Match, o *match.Options) { o.Settings.Turns = 130 })
	r := s.subscribe(t, `{}`)
	list := r.until(envelope.Matches)
	if first, last := list[0], list[len(list)-1]; first.Kind != envelope.Hello || first.Version != envelope.Version ||
		last.Current != s.feed.ID() || list[1].Kind != feed.LobbyRecord || list[1].About == nil {
		t.Fatalf("%+v, %+v, %+v: want hello, the lobby and the matches", *first, *list[1], *last)
	}
	s.begin()
	s.play(129)
	history := r.until(feed.EndRecord)
	for history[0].Kind == feed.LobbyRecord {
		history = history[1:]
	}
	v := s.watch("")
	for k, e := range history {
		if want := v.next().raw; string(e.Event) != want {
			t.Fatalf("event %d is %.100s, want %.100s", k, e.Event, want)
		}
		kind := feed.DeltaRecord
		switch {
		case k == 131:
			kind = feed.EndRecord
		case k%64 == 0:
			kind = feed.KeyRecord
		}
		if e.Kind != kind || e.Turn != k {
			t.Errorf("envelope %d is %s %d", k, e.Kind, e.Turn)
		}
		if e.State != nil && string(e.State) != s.state(k) {
			t.Errorf("the state of turn %d is %.100s, want %.100s", k, e.State, s.state(k))
		}
	}
	again := s.subscribe(t, `{"held": {"`+s.feed.ID()+`": 131}}`)
	if list := again.until(envelope.Matches); len(list) != 3 || list[1].Kind != feed.EndRecord {
		t.Errorf("a relay that lacks the end gets %d envelopes", len(list))
	}
	if _, body, _ := s.get("/api/health"); !strings.Contains(body, `"relays":2,`) || !strings.Contains(body, `"viewers":1`) {
		t.Errorf("health is %s, want two relays and one viewer", body)
	}
}

func TestRelaysNeedTokens(t *testing.T) {
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) {
		o.Relays = func(token string) bool { return token == "secret" }
	})
	for token, want := range map[string]int{"": 401, "wrong": 401, "secret": 101} {
		_, answer, _ := websocket.DefaultDialer.Dial("ws://"+s.Addr().String()+envelope.Path, http.Header{"Authorization": {"Bearer " + token}})
		if answer == nil || answer.StatusCode != want {
			t.Errorf("token %q: %v, want %d", token, answer, want)
		}
	}
}

// A relay that says something else, or too much, is disconnected.
func TestHostileRelays(t *testing.T) {
	s := newStage(t)
	for _, first := range []string{"no JSON", `{"held": 1}`, strings.Repeat(" ", envelope.MaxHeld+1)} {
		r := s.subscribe(t, first)
		_ = r.SetReadDeadline(time.Now().Add(patience))
		if _, _, err := r.ReadMessage(); !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
			t.Errorf("after %.20q: %v", first, err)
		}
	}
	r := s.subscribe(t, `{"held": {"another": 3}}`)
	r.until(envelope.Matches)
	if err := r.WriteMessage(websocket.TextMessage, []byte("more")); err != nil {
		t.Fatal(err)
	}
	_ = r.SetReadDeadline(time.Now().Add(patience))
	if _, _, err := r.ReadMessage(); !websocket.IsCloseError(err, websocket.ClosePolicyViolation, websocket.CloseMessageTooBig) {
		t.Errorf("after a second message: %v", err)
	}
}
