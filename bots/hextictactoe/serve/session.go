package serve

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// session is one game over a WebSocket. Its fields belong to the goroutine that answers.
type session struct {
	server *server
	conn   *websocket.Conn
	ctx    context.Context

	board  []htttx.Piece // nil before the setup
	before []htttx.Piece // the board before the moves of the last request
	asked  *int64        // the ID of the last request
	limit  time.Duration // the limit of the last request
	depth  int

	thinking context.CancelFunc // cancels the running search, or nil
	answers  chan htttx.Packet  // receives the result of the search, nil if it was interrupted
}

// play serves one session until either side ends it.
func (s *server) play(w http.ResponseWriter, r *http.Request) {
	conn, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has sent an error
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(r.Context())
	g := &session{server: s, conn: conn, ctx: ctx, answers: make(chan htttx.Packet, 1)}
	packets := make(chan htttx.Packet)
	read := make(chan string, 1) // why reading ended
	go func() { read <- g.read(packets) }()
	why := g.serve(packets, read)
	cancel()
	if g.thinking != nil {
		g.thinking()
		<-g.answers
	}
	_ = conn.WriteControl(websocket.CloseMessage,
		websocket.FormatCloseMessage(websocket.CloseNormalClosure,
			strings.ToValidUTF8(why[:min(len(why), 120)], "")), // a character may have been cut
		time.Now().Add(closeTime))
	hard := time.AfterFunc(closeTime, func() { _ = conn.Close() })
	defer hard.Stop()
	for range packets {
	}
	// closing a connection with unread data would reset it, and the reason would be lost
	for err == nil {
		_, _, err = conn.NextReader()
	}
}

// read reads packets until the connection ends and returns the reason.
func (g *session) read(packets chan<- htttx.Packet) (why string) {
	defer close(packets)
	g.conn.SetReadLimit(maxBody)
	extendDeadline := func() { _ = g.conn.SetReadDeadline(time.Now().Add(idleTime)) }
	pong := g.conn.PingHandler()
	g.conn.SetPingHandler(func(text string) error {
		extendDeadline()
		return pong(text)
	})
	for {
		extendDeadline()
		kind, data, err := g.conn.ReadMessage()
		if err != nil {
			return ""
		}
		if kind != websocket.TextMessage {
			return "packets must be text frames"
		}
		p, err := htttx.ParseFromServer(data)
		if err != nil {
			return err.Error()
		}
		select {
		case packets <- p:
		case <-g.ctx.Done():
			return ""
		}
	}
}

// serve answers packets and returns the reason for closing the session.
func (g *session) serve(packets <-chan htttx.Packet, read <-chan string) (why string) {
	for {
		select {
		case p, ok := <-packets:
			if !ok {
				return <-read
			}
			if why, over := g.handle(p); over {
				return why
			}
		case a := <-g.answers:
			g.thinking()
			g.thinking = nil
			if why, over := g.send(a); over {
				return why
			}
		case <-g.ctx.Done():
			return "the bot has been stopped"
		}
	}
}

func (g *session) send(p htttx.Packet) (why string, over bool) {
	_ = g.conn.SetWriteDeadline(time.Now().Add(writeTime))
	return "", g.conn.WriteMessage(websocket.TextMessage, p.Append(nil)) != nil
}

// handle processes one packet.
func (g *session) handle(p htttx.Packet) (why string, over bool) {
	switch p := p.(type) {
	case htttx.Interrupt:
		g.interrupt(p)
		return "", false
	case htttx.Heartbeat:
		return "every request has been answered", p.Waiting && g.thinking == nil
	case htttx.End, htttx.Nope:
		return "", true
	case htttx.BoardUpdate:
		return "this packet is for spectators, not for bots", true
	case htttx.Unknown:
		return "", false
	case htttx.Config:
		if p.Depth != nil {
			g.depth = min(max(int(*p.Depth), 1), bots.Deepest)
		}
		return "", false
	}
	if g.thinking != nil {
		return "the previous request has not been answered; interrupt it first", true
	}
	switch p := p.(type) {
	case htttx.Setup:
		return g.set(p)
	case htttx.MoveRequest:
		return g.move(p)
	case htttx.EvalRequest:
		g.asked, g.before = nil, g.board
		return g.think(p.Side, p.Limit, func(ctx context.Context, q bots.Question) htttx.Packet {
			return htttx.EvalResponse{Evaluation: evaluation(g.server.Bot.Judge(ctx, q))}
		})
	}
	return "", false
}

func (g *session) set(p htttx.Setup) (why string, over bool) {
	board, err := htttx.ParseBoard(p.Board)
	if err != nil {
		return err.Error(), true
	}
	g.board, g.before = board, board
	return "", false
}

// move updates the board and starts a search for a move.
func (g *session) move(p htttx.MoveRequest) (why string, over bool) {
	g.before = slices.Clone(g.board)
	g.asked = p.RequestID
	if p.Board != nil {
		board, err := htttx.ParseBoard(p.Board)
		if err != nil {
			return err.Error(), true
		}
		g.board = board
	} else {
		for _, m := range p.Previous {
			for _, c := range m.Pieces {
				g.board = append(g.board, htttx.Piece{Cell: c, Side: m.Side})
			}
		}
	}
	return g.think(p.Side, p.Limit, func(ctx context.Context, q bots.Question) htttx.Packet {
		m := moveResponse(g.server.Bot.Move(ctx, q))
		m.RequestID = p.RequestID
		return m
	})
}

// think starts a search on the current board; its result is sent to g.answers.
func (g *session) think(
	side htttx.Side, limit time.Duration, of func(context.Context, bots.Question) htttx.Packet,
) (why string, over bool) {
	if g.board == nil {
		return "the first request needs a setup before it", true
	}
	q, err := g.server.question(g.board, side)
	if err != nil {
		return fmt.Sprintf("the board: %v", err), true
	}
	q.Seed, q.Depth = g.server.Seed, g.depth
	// a limit that does not change is one per move, not the time left on a clock
	g.server.setTime(&q, limit, limit == g.limit)
	g.limit = limit
	ctx, cancel := q.WithLimit(g.ctx)
	g.thinking = cancel
	go func() { g.answers <- of(ctx, q) }()
	return "", false
}

// interrupt abandons the pending request, or the one that was answered while the
// interrupt was under way; the moves of the request are void.
func (g *session) interrupt(p htttx.Interrupt) {
	if p.RequestID != nil && (g.asked == nil || *p.RequestID != *g.asked) {
		return // an older request
	}
	if g.thinking != nil {
		g.thinking()
		<-g.answers
		g.thinking = nil
	}
	g.board = g.before
}
