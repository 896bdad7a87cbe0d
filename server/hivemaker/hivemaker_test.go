package hivemaker

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/host"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestBotsOfEveryURLForm(t *testing.T) {
	h := open(t, Options{})
	for _, form := range []string{"http://%s", "ws://%s", "%s", "http://%s/", "ws://%s/some/path"} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			x, o := &bot{}, &bot{}
			address := func(b *bot) string { return fmt.Sprintf(form, b.start(t)) }
			created := h.create(t, fmt.Sprintf(`{"player_x":{"type":"bot","bot_url":%q},"player_o":{"type":"bot","bot_url":%q},"match_config":{"turn_limit":4}}`, address(x), address(o)))
			if created.GameID == "" || created.TokenCross != "" || created.TokenCircle != "" {
				t.Errorf("created = %+v, want a game without tokens", created)
			}
			for _, b := range []*bot{x, o} {
				select {
				case e := <-b.end:
					if e.Reason != htttx.EndDraw || e.Winner != 0 {
						t.Errorf("end = %+v, want a draw", e)
					}
				case <-time.After(20 * time.Second):
					t.Fatal("the game does not end")
				}
			}
		})
	}
}

// Two people play, and a spectator watches.
func TestPeopleAndSpectators(t *testing.T) {
	h := open(t, Options{})
	g := h.create(t, `{"match_config":{"win_distance":3}}`)
	if g.TokenCross == "" || g.TokenCircle == "" || g.TokenCross == g.TokenCircle {
		t.Fatalf("created = %+v, want two tokens", g)
	}
	watcher := h.dial(t, "/spectate/"+g.GameID)
	x, o := h.dial(t, "/ws?token="+g.TokenCross), h.dial(t, "/ws?token="+g.TokenCircle)
	again := h.dial(t, "/ws?token="+g.TokenCross)
	if got := again.readRest(); got != `{"type":"nope","reason":"invalid token"}`+"\n" {
		t.Errorf("a token used a second time: %s", got)
	}
	done := make(chan string)
	go func() {
		o.playPieces(htttx.Cell{Q: 5, R: 0}, htttx.Cell{Q: -5, R: 0})
		done <- o.readRest()
	}()
	go func() {
		x.playPieces(htttx.Cell{Q: 0, R: 1}, htttx.Cell{Q: 0, R: 2})
		done <- x.readRest()
	}()
	const end = `{"type":"end","winner":"x","reason":"win","board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":5,"r":0,"p":"o"},{"q":-5,"r":0,"p":"o"},{"q":0,"r":1,"p":"x"},{"q":0,"r":2,"p":"x"}]}}` + "\n"
	for range 2 {
		if got := <-done; got != end {
			t.Errorf("a person received %s\nwant %s", got, end)
		}
	}
	want := `{"type":"setup","board":{"cells":[{"q":0,"r":0,"p":"x"}]}}
{"type":"board_update","board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":5,"r":0,"p":"o"},{"q":-5,"r":0,"p":"o"}]},"to_move":"x","status":"in_progress"}
{"type":"board_update","board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":5,"r":0,"p":"o"},{"q":-5,"r":0,"p":"o"},{"q":0,"r":1,"p":"x"},{"q":0,"r":2,"p":"x"}]},"to_move":"o","status":"x_wins"}
` + end
	if got := watcher.readRest(); got != want {
		t.Errorf("a spectator saw\n%swant\n%s", got, want)
	}
	late := strings.Replace(end, `{"type":"end","winner":"x","reason":"win",`, `{"type":"setup",`,
		1) + end
	if got := h.dial(t, "/spectate/"+g.GameID).readRest(); got != late {
		t.Errorf("a late spectator saw\n%swant\n%s", got, late)
	}
}

func TestNope(t *testing.T) {
	h := open(t, Options{})
	for path, want := range map[string]string{
		"/ws?token=":                "invalid token",
		"/ws?token=guess":           "invalid token",
		"/htttx/session?token=none": "invalid token",
		"/spectate/none":            "game not found",
	} {
		if got := h.dial(t, path).readRest(); got != string(htttx.Nope{Reason: want}.Append(nil))+"\n" {
			t.Errorf("%s: %q, want nope: %s", path, got, want)
		}
	}
	_, answer, err := websocket.DefaultDialer.Dial(strings.Replace(h.url, "http", "ws", 1)+"/ws", nil)
	if err == nil || answer == nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("/ws without a token: %v, %v, want 403", answer, err)
	}
}

func TestRequestsThatCannotBeMet(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	h := open(t, Options{MaxGames: 2})
	for _, tt := range []struct {
		body   string
		status int
		detail string
	}{
		{"hello", 422, "the message is not JSON: hello"},
		{`{"match_config":{"win_distance":1}}`, 422, "match_config.win_distance is not from 2 to 64: 1"},
		{`{"player_x":{"type":"bot","bot_url":"file:///x"}}`, 422, `player_x.bot_url cannot be used: the bot's address "file:///x" begins with file://; use http, https, ws or wss`},
		{`"` + strings.Repeat("x", maxBody) + `"`, 413, "http: request body too large"},
		{`{}`, 200, ""},
		{`{}`, 200, ""},
		{`{}`, 503, "too many games at once; try again later"},
	} {
		if status, _, detail := h.post(t, tt.body); status != tt.status || detail != tt.detail {
			t.Errorf("POST %.40s: %d %q, want %d %q", tt.body, status, detail, tt.status, tt.detail)
		}
	}
	resp, err := http.Post(h.url+"/game/new", "text/plain", bytes.NewReader([]byte("{}")))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("POST of text/plain: %d, want 415", resp.StatusCode)
	}
}

// A bot that cannot be reached, or that thinks for too long, loses.
func TestForfeits(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	h := open(t, Options{BotMoveTime: 200 * time.Millisecond})
	good, slow := &bot{}, &bot{hangs: true}
	slowAt := slow.start(t)
	for _, config := range []string{
		`"player_o":{"type":"bot","bot_url":"127.0.0.1:1"}`,
		`"player_o":{"type":"bot","bot_url":"` + slowAt + `"}`,
		`"player_o":{"type":"bot","bot_url":"` + slowAt + `"},"match_config":{"clock_type":"turn","clock":0.1}`,
		`"player_o":{"type":"bot","bot_url":"` + slowAt + `"},"match_config":{"clock_type":"match","clock":0.2}`,
		`"player_o":{"type":"bot","bot_url":"` + slowAt + `"},"match_config":{"clock_type":"incremental","clock":0.2,"clock_increment":0.1}`,
	} {
		h.create(t, `{"player_x":{"type":"bot","bot_url":"`+good.start(t)+`"},`+config+`}`)
		select {
		case e := <-good.end:
			if e.Winner != htttx.Cross || e.Reason != htttx.EndForfeit {
				t.Errorf("with %s: end %+v, want x to win by forfeit", config, e)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("with %s: no end", config)
		}
	}
}

// In public mode, bots at private addresses are not dialled, and lose.
func TestPublic(t *testing.T) {
	h := open(t, Options{Public: true})
	inside := &bot{}
	g := h.create(t, `{"player_o":{"type":"bot","bot_url":"`+inside.start(t)+`"}}`)
	c := h.dial(t, "/ws?token="+g.TokenCross)
	if got := c.readRest(); !strings.Contains(got, `{"type":"end","winner":"x","reason":"forfeit"`) {
		t.Errorf("received %s, want the bot to lose", got)
	}
}

// A bot takes a person's place, and sends its capabilities first.
func TestSession(t *testing.T) {
	var begun []host.Spec
	rooms := newHost(t)
	h := open(t, Options{Start: func(ctx context.Context, s host.Spec) (*host.Room, error) {
		begun = append(begun, s)
		return rooms.Start(ctx, s)
	}})
	other := &bot{}
	g := h.create(t,
		`{"player_o":{"type":"bot","bot_url":"`+other.start(t)+`"},"match_config":{"turn_limit":3}}`)
	c := h.dial(t, "/htttx/session?token="+g.TokenCross)
	_ = c.WriteMessage(websocket.TextMessage,
		[]byte(`{"basic_websocket":{"versions":{"v1-alpha":{}}}}`))
	guest := &bot{end: make(chan htttx.End, 1)}
	guest.play(c.Conn)
	if e := <-guest.end; e.Reason != htttx.EndDraw {
		t.Errorf("end = %+v, want a draw", e)
	}
	if len(begun) != 1 || begun[0].Page.ID != g.GameID ||
		!strings.Contains(string(begun[0].Game.Setup), `"turn_limit":3`) {
		t.Errorf("the matches are %+v, want that game", begun)
	}
}

func TestNoPlayersArrive(t *testing.T) {
	thorough.Long(t)
	h := open(t, Options{WaitTime: 50 * time.Millisecond})
	g := h.create(t, `{}`)
	if got := h.dial(t, "/spectate/"+g.GameID).readRest(); got != `{"type":"nope","reason":"the game was broken off"}`+"\n" {
		t.Errorf("a spectator saw %s", got)
	}
	if got := h.dial(t, "/ws?token="+g.TokenCross).readRest(); !strings.Contains(got, invalidToken) {
		t.Errorf("a token of a finished game: %s", got)
	}
}

// When the server stops, players, waiting people and spectators are disconnected
// with a reason.
func TestStop(t *testing.T) {
	rooms := newHost(t)
	h := open(t, Options{Start: func(ctx context.Context, s host.Spec) (*host.Room, error) {
		late, abort := context.WithCancel(context.WithoutCancel(ctx)) // matches learn of it last
		context.AfterFunc(ctx, func() { time.AfterFunc(50*time.Millisecond, abort) })
		return rooms.Start(late, s)
	}})
	waiting := h.create(t, `{}`)
	alone := h.dial(t, "/ws?token="+waiting.TokenCross)
	g := h.create(t, `{}`)
	x, o := h.dial(t, "/ws?token="+g.TokenCross), h.dial(t, "/ws?token="+g.TokenCircle)
	watcher := h.dial(t, "/spectate/"+g.GameID)
	for {
		if _, ok := o.next().(htttx.MoveRequest); ok {
			break
		}
	}
	h.stop()
	if got := x.readRest() + o.readRest(); strings.Count(got, `{"type":"nope","reason":`) != 2 {
		t.Errorf("the players received %s", got)
	}
	if got := watcher.readRest(); !strings.Contains(got, gameAborted) {
		t.Errorf("a spectator saw %s", got)
	}
	alone.readRest()
	<-h.done
	if status, _, detail := h.post(t, `{}`); status != http.StatusServiceUnavailable {
		t.Errorf("a game after the end: %d %s", status, detail)
	}
}

// A built-in bot needs no address and no token.
func TestBuiltIn(t *testing.T) {
	s := open(t, Options{Builtins: []string{"first"}, Builtin: first})
	created := s.create(t, `{"player_x":{"type":"built-in","name":"first"},"player_o":{"type":"built-in","name":"first"},"match_config":{"turn_limit":4}}`)
	if created.TokenCross != "" || created.TokenCircle != "" {
		t.Errorf("created %+v, want no tokens", created)
	}
	if status, _, detail := s.post(t, `{"player_x":{"type":"built-in","name":"deep"}}`); status != http.StatusUnprocessableEntity || !strings.Contains(detail, `"deep"`) {
		t.Errorf("an unknown bot: %d %s", status, detail)
	}
}
