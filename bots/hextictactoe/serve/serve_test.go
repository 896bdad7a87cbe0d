package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/servertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// waitLimit is the longest time that a test waits for anything.
const waitLimit = 20 * time.Second

// serveBot serves a bot during the test and returns its address.
func serveBot(t *testing.T, b bots.Bot) (address string) {
	t.Helper()
	l := servertest.Listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, l, Options{Bot: b, Name: "threat", Version: "test", Seed: 1}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return l.Addr().String()
}

func named(t *testing.T, name string) bots.Bot {
	t.Helper()
	b, ok := bots.New(name)
	if !ok {
		t.Fatalf("there is no bot %s", name)
	}
	return b
}

// do sends an HTTP request and returns the answer.
func do(t *testing.T, method, url, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

func TestCapabilities(t *testing.T) {
	status, text := do(t, "GET", "http://"+serveBot(t, named(t, "threat"))+"/capabilities.json", "")
	c, err := htttx.ParseCapabilities([]byte(text))
	if status != http.StatusOK || err != nil || len(c.Warnings) > 0 {
		t.Fatalf("%d %s: %v, %q", status, text, err, c.Warnings)
	}
	want := htttx.Socket{
		APIRoot: htttx.DefaultSocketRoot, MoveTimeLimit: true, Evaluation: true,
		EvaluationTimeLimit: true,
		Config:              true, DynamicConfig: true, FreeSetup: true, ResettableState: true,
		MoveSkips: true,
		DualSided: true, FreeMoveOrder: true, Interruptible: true, RequestID: true,
	}
	if c.Socket == nil || *c.Socket != want || c.Stateless == nil || !c.Stateless.MoveTimeLimit ||
		!c.Stateless.RequestID || c.Meta.Name != "threat" {
		t.Errorf("capabilities are %s", text)
	}
}

const five = `[{"q":0,"r":0,"p":"x"},{"q":1,"r":0,"p":"x"},{"q":2,"r":0,"p":"x"},{"q":3,"r":0,"p":"x"},{"q":0,"r":3,"p":"o"},{"q":1,"r":3,"p":"o"}]`

func TestStateless(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	url := "http://" + serveBot(t, named(t, "threat")) + "/stateless/v1-alpha/turn"
	status, text := do(t, "POST", url,
		`{"board":{"to_move":"x","cells":`+five+`},"time_limit":5,"request_id":7}`)
	m, err := htttx.ParseTurnResponse([]byte(text))
	if status != http.StatusOK || err != nil || m.RequestID == nil || *m.RequestID != 7 ||
		len(m.Considerations) == 0 {
		t.Fatalf("%d %s: %v", status, text, err)
	}
	if e := m.Move.Evaluation; e == nil || e.Heuristic == nil || *e.Heuristic != 1 ||
		len(m.Move.Pieces) != 2 {
		t.Errorf("the move does not win: %s", text)
	}
	var crowd strings.Builder
	for i := range maxPieces + 1 {
		fmt.Fprintf(&crowd, `,{"q":%d,"r":0,"p":%q}`, i, "xo"[i%2:i%2+1])
	}
	for name, body := range map[string]string{
		"nothing":         ``,
		"no board":        `{}`,
		"an empty board":  `{"board":{"to_move":"x","cells":[]}}`,
		"no side to move": `{"board":{"cells":` + five + `}}`,
		"two on one cell": `{"board":{"to_move":"x","cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":0,"p":"o"}]}}`,
		"a float":         `{"board":{"to_move":"x","cells":[{"q":0.5,"r":0,"p":"x"}]}}`,
		"too far out":     `{"board":{"to_move":"x","cells":[{"q":2147483647,"r":0,"p":"x"}]}}`,
		"too large":       strings.Repeat(" ", maxBody+1),
		"too many pieces": `{"board":{"to_move":"x","cells":[` + crowd.String()[1:] + `]}}`,
	} {
		if status, text := do(t, "POST", url, body); status < 400 || !strings.Contains(text, `"error"`) {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}

// TestWinsWithTwoPieces checks that a move is two pieces even if one wins, because
// servers that follow the schema refuse anything else.
func TestWinsWithTwoPieces(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	served := map[string]string{
		"threat": serveBot(t, named(t, "threat")), "easy": serveBot(t, named(t, "threat:easy")),
	}
	for _, k := range kits.With("hextictactoe") {
		served[k.Folder] = startKit(t, k)
	}
	for name, bot := range served {
		for side, cells := range map[string]string{
			"o": `{"q":0,"r":0,"p":"x"},{"q":1,"r":0,"p":"o"},{"q":2,"r":0,"p":"o"},{"q":3,"r":0,"p":"o"},{"q":4,"r":0,"p":"o"},{"q":5,"r":0,"p":"o"}`,
			"x": `{"q":0,"r":0,"p":"x"},{"q":1,"r":0,"p":"x"},{"q":2,"r":0,"p":"x"},{"q":4,"r":0,"p":"x"},{"q":5,"r":0,"p":"x"},{"q":6,"r":0,"p":"o"},{"q":-1,"r":0,"p":"o"}`,
		} {
			status, text := do(t, "POST", "http://"+bot+"/stateless/v1-alpha/turn",
				`{"board":{"to_move":"`+side+`","cells":[`+cells+`]}}`)
			m, err := htttx.ParseTurnResponse([]byte(text))
			if status != http.StatusOK || err != nil || len(m.Move.Pieces) != 2 ||
				m.Move.Pieces[0] == m.Move.Pieces[1] {
				t.Fatalf("%s as %s: %d %s, %v; want two pieces", name, side, status, text, err)
			}
			if win := map[string]int32{"o": 6, "x": 3}[side]; m.Move.Pieces[0].Q != win &&
				m.Move.Pieces[1].Q != win {
				t.Errorf("%s as %s does not win: %s", name, side, text)
			}
		}
	}
}

// TestWinIn plays the specification's example: four o, a gap and four o, with x to move,
// is won by o in two moves, x's and o's. The evaluation sent with a move is of the
// position after it.
func TestWinIn(t *testing.T) {
	const gap = `{"q":0,"r":0,"p":"o"},{"q":1,"r":0,"p":"o"},{"q":2,"r":0,"p":"o"},{"q":3,"r":0,"p":"o"},` +
		`{"q":5,"r":0,"p":"o"},{"q":6,"r":0,"p":"o"},{"q":7,"r":0,"p":"o"},{"q":8,"r":0,"p":"o"}`
	p := dial(t, serveBot(t, named(t, "threat")))
	p.send(`{"type":"setup","board":{"cells":[` + gap + `]}}`)
	for _, tt := range []struct {
		side   string
		before int32 // of the position before the move
		after  int32 // of the position after the bot's move; 0: no evaluation
	}{{"x", -2, -1}, {"o", -1, 0}} {
		p.send(`{"type":"eval_request","side":"` + tt.side + `"}`)
		if e, ok := p.receive().(htttx.EvalResponse); !ok || e.Evaluation.WinIn == nil ||
			*e.Evaluation.WinIn != tt.before {
			t.Errorf("%s to move: the evaluation is %+v, want %d", tt.side, e, tt.before)
		}
		p.send(
			`{"type":"move_request","side":"` + tt.side + `","previous":[],"board":{"cells":[` + gap + `]}}`)
		e := p.moved().Move.Evaluation
		if tt.after == 0 && (e.WinIn != nil || *e.Heuristic != -1) ||
			tt.after != 0 && (e.WinIn == nil || *e.WinIn != tt.after) {
			t.Errorf("%s moves: the evaluation after it is %+v, want %d", tt.side, e, tt.after)
		}
	}
}

// TestUnknownTypes checks that packets of unknown types are ignored.
func TestUnknownTypes(t *testing.T) {
	p := dial(t, serveBot(t, named(t, "nearest")))
	p.send(`{"type":"hello"}`, setup, `{"type":"move_request","side":"o","previous":[]}`,
		`{"type":"chat","text":"hi"}`)
	p.moved()
}

// peer is the client's end of a session.
type peer struct {
	t    *testing.T
	conn *websocket.Conn
}

func dial(t *testing.T, address string) *peer {
	t.Helper()
	conn, res, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+address+"/bws/v1-alpha/game", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetReadDeadline(time.Now().Add(waitLimit))
	return &peer{t, conn}
}

func (p *peer) send(packets ...string) {
	p.t.Helper()
	for _, text := range packets {
		if err := p.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *peer) receive() htttx.Packet {
	p.t.Helper()
	_, data, err := p.conn.ReadMessage()
	if err != nil {
		p.t.Fatal(err)
	}
	packet, err := htttx.ParseFromBot(data)
	if err != nil {
		p.t.Fatalf("%s: %v", data, err)
	}
	return packet
}

// moved receives a packet that must be a move.
func (p *peer) moved() htttx.MoveResponse {
	p.t.Helper()
	m, ok := p.receive().(htttx.MoveResponse)
	if !ok || len(m.Move.Pieces) != 2 || len(m.Ignored) > 0 {
		p.t.Fatalf("received %+v, want a move", m)
	}
	return m
}

const setup = `{"type":"setup","board":{"cells":[{"q":0,"r":0,"p":"x"}]}}`

// TestSession uses every packet of the protocol for its purpose.
func TestSession(t *testing.T) {
	p := dial(t, serveBot(t, named(t, "threat")))
	p.send(`{"type":"config","depth":1,"x-mood":"good"}`, setup,
		`{"type":"heartbeat","waiting":false}`)
	p.send(`{"type":"move_request","side":"o","previous":[],"request_id":1,"move_time_limit":10}`)
	first := p.moved()
	if first.RequestID == nil || *first.RequestID != 1 {
		t.Errorf("the first move answers request %v", first.RequestID)
	}
	p.send(`{"type":"eval_request","side":"x","evaluation_time_limit":10}`)
	if e, ok := p.receive().(htttx.EvalResponse); !ok || e.Evaluation.Heuristic == nil {
		t.Errorf("the evaluation is %+v", e)
	}
	// A skipped move, and requests for both sides in one session, in any order.
	p.send(`{"type":"move_request","side":"x","request_id":2,"previous":[` +
		`{"side":"o","pieces":[{"q":5,"r":5},{"q":6,"r":5}]},{"side":"x","pieces":[{"q":1,"r":0},{"q":2,"r":0}]},` +
		`{"side":"o","pieces":[{"q":7,"r":1},{"q":-3,"r":5}]}]}`)
	p.moved()
	// The request and its previous are void: the same pieces can be sent again.
	p.send(`{"type":"interrupt","request_id":2}`, `{"type":"move_request","side":"o","request_id":3,"previous":[`+
		`{"side":"o","pieces":[{"q":5,"r":5},{"q":6,"r":5}]},{"side":"x","pieces":[{"q":1,"r":0},{"q":2,"r":0}]}]}`)
	if m := p.moved(); *m.RequestID != 3 {
		t.Errorf("after the interrupt, the answer is to request %d", *m.RequestID)
	}
	// Another position, with a win in one.
	p.send(`{"type":"setup","board":{"cells":`+five+`}}`, `{"type":"config","depth":2}`,
		`{"type":"move_request","side":"x","previous":[]}`)
	if m := p.moved(); *m.Move.Evaluation.Heuristic != 1 || m.RequestID != nil {
		t.Errorf("the move in the second position is %+v", m)
	}
	// The whole board, as Hivemaker sends it.
	p.send(`{"type":"move_request","side":"o","previous":[],"board":{"cells":` + five + `}}`)
	for _, c := range p.moved().Move.Pieces {
		if c.R != 0 {
			t.Errorf("the move does not block: %+v", c)
		}
	}
	p.send(`{"type":"end","winner":"x","reason":"win","board":{"cells":[]}}`)
	if _, _, err := p.conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("after the end: %v", err)
	}
}

// slow is a bot that thinks until it is interrupted.
type slow struct{ began chan struct{} }

func (s slow) Move(ctx context.Context, q bots.Question) bots.Answer {
	s.began <- struct{}{}
	<-ctx.Done()
	b, _ := bots.New("nearest")
	return b.Move(ctx, q)
}

func (s slow) Judge(ctx context.Context, q bots.Question) bots.Evaluation {
	return s.Move(ctx, q).Evaluation
}

// TestInterrupt checks that a search can be interrupted, tolerates heartbeats, and is
// stopped by a limit and by the end of the session.
func TestInterrupt(t *testing.T) {
	s := slow{make(chan struct{}, 10)}
	p := dial(t, serveBot(t, s))
	p.send(setup, `{"type":"move_request","side":"o","previous":[],"request_id":1}`)
	<-s.began
	p.send(`{"type":"heartbeat","waiting":true}`, `{"type":"interrupt","request_id":0}`,
		`{"type":"interrupt","request_id":1}`)
	p.send(`{"type":"move_request","side":"o","previous":[],"request_id":2,"move_time_limit":0.05}`)
	<-s.began
	if m := p.moved(); *m.RequestID != 2 {
		t.Errorf("the answer is to request %d, want the one that was not interrupted", *m.RequestID)
	}
	p.send(`{"type":"move_request","side":"o","previous":[],"request_id":3}`)
	<-s.began // now the test ends
}

// TestViolations checks that every violation of the protocol ends the session, with a
// reason if possible.
func TestViolations(t *testing.T) {
	address := serveBot(t, named(t, "nearest"))
	for name, packets := range map[string][]string{
		"invalid JSON":               {`{`},
		"no type":                    {`{}`},
		"a request before the setup": {`{"type":"move_request","side":"o","previous":[]}`},
		"an empty board":             {`{"type":"setup","board":{"cells":[]}}`, `{"type":"move_request","side":"o","previous":[]}`},
		"a piece on another":         {setup, `{"type":"move_request","side":"x","previous":[{"side":"o","pieces":[{"q":0,"r":0},{"q":1,"r":0}]}]}`},
		"a heartbeat that waits without a request": {setup, `{"type":"heartbeat","waiting":true}`},
		"a spectator's packet":                     {`{"type":"board_update","board":{"cells":[]},"to_move":"x","status":"in_progress"}`},
		"a side of many bytes": {setup, `{"type":"move_request","previous":[],"side":"` +
			strings.Repeat("é", 25) + `"}`},
		"a nope": {`{"type":"nope","reason":"no"}`},
		"a packet that is too large": {`{"type":"config","x-a":"` + strings.Repeat("a",
			maxBody) + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			p := dial(t, address)
			for _, text := range packets {
				_ = p.conn.WriteMessage(websocket.TextMessage, []byte(text))
			}
			_, data, err := p.conn.ReadMessage()
			if closed := new(websocket.CloseError); !errors.As(err, &closed) {
				t.Errorf("the answer is %q, %v, want a close frame", data, err)
			}
		})
	}
	t.Run("a binary frame", func(t *testing.T) {
		p := dial(t, address)
		_ = p.conn.WriteMessage(websocket.BinaryMessage, []byte(setup))
		if _, data, err := p.conn.ReadMessage(); err == nil {
			t.Errorf("the answer is %s", data)
		}
	})
}

// TestLastPacketsUnread checks that a client is told why a session ends, even if it has sent
// more packets meanwhile.
func TestLastPacketsUnread(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	address := serveBot(t, named(t, "nearest"))
	p := dial(t, address)
	p.send(`{"type":"config","depth":"x"}`)
	for range 1000 { // more than is buffered
		p.send(setup)
	}
	// an answer would consume the error of a reset
	p.conn.SetCloseHandler(func(int, string) error { return nil })
	_, _, err := p.conn.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != websocket.CloseNormalClosure ||
		!strings.Contains(closed.Text, "depth") {
		t.Errorf("the session ends with %v, want the reason", err)
	}
	// many libraries lose the reason when the connection is reset
	if _, err := p.conn.NetConn().Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the connection ends with %v, want EOF", err)
	}
}

// TestPagesOfOtherSites checks that a browser lets the pages of all sites ask the bot.
func TestPagesOfOtherSites(t *testing.T) {
	address := "http://" + serveBot(t, named(t, "nearest"))
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, "/capabilities.json", http.StatusOK},
		{http.MethodOptions, "/stateless/v1-alpha/turn", http.StatusNoContent},
		{http.MethodPost, "/stateless/v1-alpha/turn", http.StatusBadRequest},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tt.method, address+tt.path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		headers := res.Header.Get("Access-Control-Allow-Headers")
		if res.StatusCode != tt.status || res.Header.Get("Access-Control-Allow-Origin") != "*" ||
			tt.method == http.MethodOptions && headers != "Content-Type" {
			t.Errorf("%s %s: %s %v", tt.method, tt.path, res.Status, res.Header)
		}
	}
}

// TestSocketsOfOtherSites checks that so do WebSockets.
func TestSocketsOfOtherSites(t *testing.T) {
	address := "ws://" + serveBot(t, named(t, "nearest")) + "/" + htttx.DefaultSocketRoot + "/game"
	header := http.Header{"Origin": {"https://other.example"}}
	conn, res, err := websocket.DefaultDialer.DialContext(t.Context(), address, header)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	conn.Close()
}

// TestManySessions checks that the number of sessions is limited, and that ended ones
// make room for others.
func TestManySessions(t *testing.T) {
	address := serveBot(t, named(t, "nearest"))
	var peers []*peer
	for range maxSessions {
		peers = append(peers, dial(t, address))
	}
	_, res, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+address+"/bws/v1-alpha/game", nil)
	if err == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one session above the limit: %v", err)
	}
	peers[0].conn.Close()
	for status := 0; status != http.StatusBadRequest; { // until there is room and the body is read
		status, _ = do(t, "POST", "http://"+address+"/stateless/v1-alpha/turn", "{}")
	}
}
