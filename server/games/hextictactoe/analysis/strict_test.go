package analysis

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// strict is a judge that hangs up as soon as it is sent what it did not declare.
// It plays the first free cells of a row that leads nowhere, and thinks more of x
// with each piece on the board. It notes every packet.
type strict struct {
	socket    *htttx.Socket
	stateless *htttx.Stateless
	quiet     func(p htttx.Packet) bool // packets that are never answered
	silent    bool                      // its moves come without evaluation
	retort    string                    // instead of answers

	mu       sync.Mutex
	heard    []string // each with the number of its session
	wrong    []string
	sessions int
	fetched  int // how often the capabilities were asked for
}

func (b *strict) start(t *testing.T) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/game"):
			b.hold(w, r)
		case strings.HasSuffix(r.URL.Path, "/turn"):
			b.turn(w, r)
		default:
			b.mu.Lock()
			b.fetched++
			b.mu.Unlock()
			_, _ = w.Write(
				htttx.Capabilities{
					Meta: htttx.Meta{Name: "strict"}, Socket: b.socket, Stateless: b.stateless,
				}.Append(nil),
			)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func (b *strict) turn(w http.ResponseWriter, r *http.Request) {
	var text strings.Builder
	if _, err := fmt.Fprint(&text, "turn "); err == nil {
		buf := make([]byte, 1<<16)
		n, _ := r.Body.Read(buf)
		text.Write(buf[:n])
		_, pieces, err := htttx.ParseTurnRequest(buf[:n])
		if err != nil {
			b.complain(err.Error())
		}
		_, _ = w.Write(htttx.AppendTurnResponse(nil, b.answer(pieces, nil)))
	}
	b.note(text.String())
}

func (b *strict) note(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, line)
}

func (b *strict) complain(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, why)
}

// lines are those noted that hold all of the texts.
func (b *strict) lines(texts ...string) (found []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.heard {
		if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(line, s) }) {
			found = append(found, line)
		}
	}
	return found
}

func (b *strict) hold(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	b.mu.Lock()
	b.sessions++
	s := &strictSession{bot: b, can: b.socket, number: b.sessions}
	b.mu.Unlock()
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		b.note(fmt.Sprintf("%d %s", s.number, data))
		p, err := htttx.ParseFromServer(data)
		if err == nil {
			err = s.check(p)
		}
		if err != nil {
			b.complain(fmt.Sprintf("%v: %s", err, data))
			return
		}
		if a := s.react(p); a != nil {
			_ = c.WriteMessage(websocket.TextMessage, a)
		}
	}
}

// strictSession is what a strict judge knows in one session.
type strictSession struct {
	bot    *strict
	can    *htttx.Socket
	number int

	set    bool
	pieces []htttx.Piece
	next   htttx.Side // to move
	asked  htttx.Side // for the last move
	own    []htttx.Cell
	pledge htttx.Side // the only side that it judges
}

func (s *strictSession) check(p htttx.Packet) error {
	switch p := p.(type) {
	case htttx.Config:
		if !s.can.Config || s.set && !s.can.DynamicConfig {
			return fmt.Errorf("config")
		}
	case htttx.Setup:
		pieces, _ := htttx.ParseBoard(p.Board)
		usual := len(pieces) == 1 && pieces[0] == htttx.Piece{Side: htttx.Cross}
		if s.set && !s.can.ResettableState || !usual && !s.can.FreeSetup {
			return fmt.Errorf("setup")
		}
		s.set, s.pieces, s.asked, s.own, s.next = true, pieces, 0, nil, 0
		if usual {
			s.next = htttx.Circle
		}
	case htttx.MoveRequest:
		return s.checkMove(p)
	case htttx.EvalRequest:
		if !s.can.Evaluation || p.Limit > 0 && !s.can.EvaluationTimeLimit {
			return fmt.Errorf("eval_request")
		}
		return s.checkSide(p.Side)
	case htttx.Interrupt:
		if !s.can.Interruptible || p.RequestID != nil && !s.can.RequestID {
			return fmt.Errorf("interrupt")
		}
	default:
		return fmt.Errorf("%T", p)
	}
	return nil
}

func (s *strictSession) checkSide(side htttx.Side) error {
	switch {
	case !s.set:
		return fmt.Errorf("no setup")
	case !s.can.DualSided && s.pledge != 0 && s.pledge != side:
		return fmt.Errorf("both sides")
	case !s.can.FreeMoveOrder && s.next != 0 && s.next != side:
		return fmt.Errorf("out of order")
	}
	s.pledge = side
	return nil
}

func (s *strictSession) checkMove(p htttx.MoveRequest) error {
	if (p.RequestID != nil) != s.can.RequestID || (p.Limit > 0) != s.can.MoveTimeLimit {
		return fmt.Errorf("request_id or move_time_limit")
	}
	own := p.Previous
	if s.asked != 0 && !s.can.MoveSkips &&
		(len(own) == 0 || own[0].Side != s.asked || !slices.Equal(own[0].Pieces, s.own)) {
		return fmt.Errorf("its own move is another one")
	}
	if !s.can.MoveSkips && len(own) > 2 {
		return fmt.Errorf("moves were skipped")
	}
	for _, m := range p.Previous {
		for _, c := range m.Pieces {
			s.pieces = append(s.pieces, htttx.Piece{Cell: c, Side: m.Side})
		}
		s.next = m.Side.Other()
	}
	board, err := htttx.ParseBoard(p.Board)
	if err != nil || !slices.Equal(board, s.pieces) {
		return fmt.Errorf("the board is another one")
	}
	s.asked = p.Side
	s.own = s.bot.answer(s.pieces, nil).Move.Pieces
	return s.checkSide(p.Side)
}

// react is the answer, or nil.
func (s *strictSession) react(p htttx.Packet) []byte {
	if s.bot.quiet != nil && s.bot.quiet(p) {
		return nil
	}
	switch p := p.(type) {
	case htttx.MoveRequest:
		if s.bot.retort != "" {
			return []byte(s.bot.retort)
		}
		return s.bot.answer(s.pieces, p.RequestID).Append(nil)
	case htttx.EvalRequest:
		return htttx.EvalResponse{Evaluation: thought(s.pieces)}.Append(nil)
	}
	return nil
}

func thought(pieces []htttx.Piece) htttx.Evaluation {
	return htttx.Evaluation{Heuristic: new(float64(len(pieces)) / 100)}
}

func (b *strict) answer(pieces []htttx.Piece, id *int64) htttx.MoveResponse {
	var cells []htttx.Cell
	for i := int32(1); len(cells) < 2; i++ {
		c := htttx.Cell{Q: -1 - i%2*2, R: i}
		if !slices.ContainsFunc(pieces, func(p htttx.Piece) bool { return p.Cell == c }) {
			cells = append(cells, c)
		}
	}
	m := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: cells}, RequestID: id}
	if !b.silent {
		e := thought(pieces)
		m.Move.Evaluation = &e
	}
	return m
}
