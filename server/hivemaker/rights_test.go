package hivemaker

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// postAsStranger requests a game as a client that is not the operator.
func (s *hosted) postAsStranger(t *testing.T, body string) (status int, created htttx.GameCreated) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.url+"/game/new", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Stranger", "yes")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(&created); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, created
}

// Only the operator creates games, unless AnyoneMayRequest is set; seats are taken
// with their tokens.
func TestOnlyTheOperatorMakesGames(t *testing.T) {
	h := open(t, Options{})
	for _, body := range []string{`{}`, `{"player_o":{"type":"bot"}}`, `hello`} {
		if status, _ := h.postAsStranger(t, body); status != http.StatusUnauthorized {
			t.Errorf("a stranger's POST %s: %d, want 401", body, status)
		}
	}
	bot := &bot{}
	g := h.create(t, `{"player_o":{"type":"bot","bot_url":"`+bot.start(t)+`"}}`)
	if p, ok := h.dial(t, "/ws?token="+g.TokenCross).next().(htttx.Setup); !ok {
		t.Errorf("with a seat's token, the first packet is %v, want the setup", p)
	}
}

// The server dials no bot on its own network for a client that is not the operator.
func TestStrangersReachNoPrivateAddress(t *testing.T) {
	h := open(t, Options{AnyoneMayRequest: true})
	dialled := make(chan struct{}, 8)
	inside := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { dialled <- struct{}{} }))
	defer inside.Close()
	status, g := h.postAsStranger(t, `{"player_o":{"type":"bot","bot_url":"`+inside.URL+`"}}`)
	if status != http.StatusOK {
		t.Fatalf("a stranger's POST: %d", status)
	}
	c := h.dial(t, "/ws?token="+g.TokenCross)
	if got := c.readRest(); !strings.Contains(got, `{"type":"end","winner":"x","reason":"forfeit"`) {
		t.Errorf("received %s, want the bot to lose", got)
	}
	select {
	case <-dialled:
		t.Error("the server dialled a bot at a private address")
	default:
	}
}

// A bot that dials in and says nothing does not keep the server from stopping.
func TestStopWhileABotIsSilent(t *testing.T) {
	h := open(t, Options{})
	g := h.create(t, `{}`)
	c := h.dial(t, "/htttx/session?token="+g.TokenCross)
	h.stop()
	_ = c.SetReadDeadline(time.Now().Add(8 * time.Second)) // less than firstFrameTimeout of botapi
	if _, data, err := c.ReadMessage(); err == nil || os.IsTimeout(err) {
		t.Errorf("received %s, %v; want the end", data, err)
	}
	<-h.done
}

// Games of other clients leave some for the operator.
func TestStrangersLeaveGamesForOperator(t *testing.T) {
	h := open(t, Options{AnyoneMayRequest: true, MaxGames: 4})
	for i, want := range []int{
		http.StatusOK, http.StatusOK, http.StatusOK, http.StatusServiceUnavailable,
	} {
		if status, _ := h.postAsStranger(t, `{}`); status != want {
			t.Errorf("game %d of a stranger: %d, want %d", i+1, status, want)
		}
	}
	for i, want := range []int{http.StatusOK, http.StatusServiceUnavailable} {
		if status, _, _ := h.post(t, `{}`); status != want {
			t.Errorf("game %d of the operator: %d, want %d", i+1, status, want)
		}
	}
}

// Games that a client requests without joining them keep it from requesting more, but neither
// the operator nor games that are played count.
func TestStrangersGamesThatWait(t *testing.T) {
	h := open(t, Options{AnyoneMayRequest: true})
	status, first := h.postAsStranger(t, `{}`)
	server := &Server{opts: Options{WaitTime: time.Hour}}
	if own, guests := (&game{server: server}).waitTime(), (&game{server: server, guest: "10.0.0.1"}).waitTime(); own <= guests || guests != guestWaitTime {
		t.Errorf("games wait %v, those of guests %v; want less for guests", own, guests)
	}
	for i := 1; i < maxWaiting && status == http.StatusOK; i++ {
		status, _ = h.postAsStranger(t, `{}`)
	}
	if status != http.StatusOK {
		t.Fatalf("a game of a stranger: %d", status)
	}
	if status, _ := h.postAsStranger(t, `{}`); status != http.StatusServiceUnavailable {
		t.Errorf("a game beyond those that wait: %d, want 503", status)
	}
	if status, _, _ := h.post(t, `{}`); status != http.StatusOK {
		t.Errorf("a game of the operator: %d", status)
	}
	x, o := h.dial(t, "/ws?token="+first.TokenCross), h.dial(t, "/ws?token="+first.TokenCircle)
	x.next() // the game has begun
	o.next()
	if status, _ := h.postAsStranger(t, `{}`); status != http.StatusOK {
		t.Errorf("a game when one of those that waited is played: %d", status)
	}
}
