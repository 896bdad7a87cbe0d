package botapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// answersLog is a watcher that keeps the debug data and times of all answers.
type answersLog struct {
	match.BaseWatcher
	debug []string
	took  []time.Duration
}

func (l *answersLog) Played(p *match.Play) {
	for _, a := range p.Answers {
		l.debug = append(l.debug, string(a.Debug))
		l.took = append(l.took, a.Took)
	}
}

// Evaluations and considered moves are kept with the answer.
func TestEvaluationsAreKept(t *testing.T) {
	t.Parallel()
	x, o := &testBot{caps: baseCaps}, &testBot{caps: `{"stateless":{"versions":{"v1-alpha":{}}}}`}
	x.play = func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			r := goodMove(m.Board, m.RequestID)
			r.Move.Evaluation = &htttx.Evaluation{Heuristic: new(-1e12), WinIn: new(int32(-3))}
			r.Considerations = []htttx.MoveOption{{Pieces: r.Move.Pieces}}
			sendText(c, r.Append(nil))
		}
	}
	log := &answersLog{}
	testMatch{watchers: []match.Watcher{log}}.bots(t, x.start(t), o.start(t))
	if len(log.debug) != 6 {
		t.Fatalf("%d answers, want 6", len(log.debug))
	}
	want := []string{
		`{"values":{"heuristic":0.25},"considerations":[]}`,
		`{"values":{"heuristic":-1e+12,"win_in":-3},"considerations":[{"pieces":[{"q":6,"r":0},{"q":8,"r":0}]}]}`,
	}
	for i := range want {
		if log.debug[i] != want[i] || log.took[i] <= 0 {
			t.Errorf("answer %d shows %s after %v, want %s", i, log.debug[i], log.took[i], want[i])
		}
	}
}

func TestDebugFits(t *testing.T) {
	m := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: 1, R: 2}}}}
	if b := debugOf(m); b != nil {
		t.Errorf("debugOf of nothing = %s", b)
	}
	const far = -1 << 31
	for range htttx.MaxConsiderations {
		m.Considerations = append(m.Considerations, htttx.MoveOption{
			Pieces:     []htttx.Cell{{Q: far, R: far}, {Q: far, R: far}},
			Evaluation: &htttx.Evaluation{Heuristic: new(-1.2345678901234567e-300), WinIn: new(int32(far))},
		})
	}
	b := debugOf(m)
	v, err := jsonscan.Parse(b)
	if err == nil {
		err = netorcai.CheckDebug(v)
	}
	if n := strings.Count(string(b), "pieces"); err != nil || n < 20 || n == htttx.MaxConsiderations {
		t.Errorf("debugOf = %d bytes with %d moves: %v", len(b), n, err)
	}
}

// The recording has the nodes of a search that a time limit ended.
func TestDebugHasNodes(t *testing.T) {
	m := htttx.MoveResponse{
		Move: htttx.MoveOption{
			Evaluation: &htttx.Evaluation{Heuristic: new(0.5), Nodes: []int32{100, 90, 0}},
		},
	}
	const want = `{"nodes":[100,90,0],"values":{"heuristic":0.5},"considerations":[]}`
	b := debugOf(m)
	if v, err := jsonscan.Parse(b); err != nil || netorcai.CheckDebug(v) != nil || string(b) != want {
		t.Errorf("debugOf = %s, %v; want %s", b, err, want)
	}
}

// The recording tells when the time limit cut a search off.
func TestDebugTellsOfCutOff(t *testing.T) {
	m := htttx.MoveResponse{
		Move: htttx.MoveOption{Evaluation: &htttx.Evaluation{Heuristic: new(0.5), CutOff: true}},
	}
	const want = `{"text":"cut off by the time limit: not reproducible","values":{"heuristic":0.5},"considerations":[]}`
	b := debugOf(m)
	if v, err := jsonscan.Parse(b); err != nil || netorcai.CheckDebug(v) != nil || string(b) != want {
		t.Errorf("debugOf = %s, %v; want %s", b, err, want)
	}
}

// Unrequested packets are dropped, as long as they are not a flood.
func TestUnsolicitedPacketsAreDropped(t *testing.T) {
	t.Parallel()
	x := &testBot{caps: `{"basic_websocket":{"versions":{"v1-alpha":{"request_id":true}}}}`}
	x.play = func(b *testBot, c *websocket.Conn) {
		sendText(c, []byte(move(`{"q":0,"r":3},{"q":0,"r":4}`))) // before the first request
		sendText(c, []byte(`{"type":"eval_response","evaluation":{"heuristic":1}}`))
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			other := fmt.Sprintf(
				`{"type":"move_response","request_id":%d,"move":{"pieces":[{"q":0,"r":0}]}}`, *m.RequestID+7)
			sendText(c, []byte(other))
			sendText(c, goodMove(m.Board, m.RequestID).Append(nil))
		}
	}
	o := &testBot{caps: baseCaps}
	if e := (testMatch{}).bots(t, x.start(t), o.start(t)); e.Reason != "draw: turn limit" {
		t.Errorf("ending = %+v, want a complete game", e)
	}
}

// A bot that cannot be dialled dials in, and sends its capabilities first.
func TestBotsDialIn(t *testing.T) {
	t.Parallel()
	peers := make(chan *Peer, 1)
	faults := make(chan error, 1)
	acceptor := NewAcceptor(zerolog.Nop())
	guest := &testBot{}
	guest.closed = make(chan struct{})
	url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		p, err := acceptor.AcceptBot(w, r, "nameless")
		if err != nil {
			faults <- err
			return
		}
		peers <- p
	})
	connect := func(first string) *websocket.Conn {
		c, _, err := websocket.DefaultDialer.Dial(strings.Replace(url, "http", "ws", 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		sendText(c, []byte(first))
		return c
	}
	c := connect("hello")
	if err := <-faults; !strings.Contains(err.Error(), "the first frame has to hold the capabilities: the message is not JSON: hello") {
		t.Errorf("a bot without capabilities: %v", err)
	}
	if _, data, _ := c.ReadMessage(); !strings.Contains(string(data), `"nope"`) {
		t.Errorf("it received %s, want a nope", data)
	}
	c = connect(
		`{"meta":{"name":"guest"},"basic_websocket":{"versions":{"v1-alpha":{"request_id":true}}}}`)
	go guest.playWell(c)
	host := &testBot{caps: baseCaps}
	e := testMatch{heartbeat: 5 * time.Millisecond}.play(t, <-peers,
		mustDial(t, t.Output(), host.start(t)))
	if e.Reason != "draw: turn limit" || e.Seats[0].Nickname != "guest" {
		t.Errorf("ending = %+v, want a complete game", e)
	}
}
