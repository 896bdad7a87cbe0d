package servertest

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Bot is a bot of the HTTTX Bot API that has dialled in, or a person's client. It parses packets
// with the package that bots use, which has tests of its own.
type Bot struct {
	*websocket.Conn
	t      testing.TB
	person bool // it is asked for one piece at a time
}

// DialIn dials in at a URL with the scheme ws and sends the capabilities. The connection is closed
// at the end of the test.
func DialIn(t testing.TB, url, capabilities string) *Bot {
	t.Helper()
	c, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatalf("dialling in at %s: %v", url, err)
	}
	t.Cleanup(func() { _ = c.Close() })
	b := &Bot{Conn: c, t: t}
	b.Send(capabilities)
	return b
}

// Sit asks for a person's seat at a URL with the scheme ws.
func Sit(t testing.TB, url string, ask htttx.Sit) *Bot {
	t.Helper()
	b := DialIn(t, url, string(ask.Append(nil)))
	b.person = true
	return b
}

// Send sends a packet. A server that has hung up is noticed by Next.
func (b *Bot) Send(packet string) { _ = b.WriteMessage(websocket.TextMessage, []byte(packet)) }

// Next returns the next packet other than heartbeats, nil if the server has hung up. After the last
// packet, which tells the end or a refusal, it closes the connection.
func (b *Bot) Next() htttx.Packet {
	b.t.Helper()
	for {
		_ = b.SetReadDeadline(time.Now().Add(patience))
		_, data, err := b.ReadMessage()
		if err != nil {
			if !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
				b.t.Errorf("the connection ended with %v", err)
			}
			return nil
		}
		p, err := htttx.ParseFromServer(data)
		if err != nil {
			b.t.Errorf("received %s: %v", data, err)
		}
		switch p.(type) {
		case htttx.Heartbeat:
			continue
		case htttx.End, htttx.Nope:
			_ = b.Close() // otherwise the server waits a second for the closing handshake
		}
		return p
	}
}

// Request returns the next request for a move. It drops the packets before it.
func (b *Bot) Request() (m htttx.MoveRequest) {
	b.t.Helper()
	for p := b.Next(); p != nil; p = b.Next() {
		if m, ok := p.(htttx.MoveRequest); ok {
			return m
		}
	}
	b.t.Fatal("the connection ended before a request")
	return m
}

// Answer answers a request as Play does.
func (b *Bot) Answer(m htttx.MoveRequest) {
	board, _ := htttx.ParseBoard(m.Board)
	move := Rightmost(board)
	if b.person {
		move.Move.Pieces = move.Move.Pieces[:1]
	}
	b.Send(string(move.Append(nil)))
}

// Play answers requests until the server sends a packet that is neither a request nor a setup,
// which it returns; nil if the server has hung up. The bot places its pieces to the right of all
// others, and reports an error if a setup and the moves that it is told of from then on do not lead
// to the board that it is shown. A person is not told of all moves.
func (b *Bot) Play() htttx.Packet {
	b.t.Helper()
	var known []htttx.Piece
	setUp := false // else the setup came before Play was called
	for {
		switch m := b.Next().(type) {
		case htttx.Setup:
			known, _ = htttx.ParseBoard(m.Board)
			setUp = !b.person
		case htttx.MoveRequest:
			for _, move := range m.Previous {
				for _, cell := range move.Pieces {
					known = append(known, htttx.Piece{Cell: cell, Side: move.Side})
				}
			}
			shown, _ := htttx.ParseBoard(m.Board)
			if setUp && !slices.Equal(known, shown) {
				b.t.Errorf("told of %v, shown %v", known, shown)
			}
			b.Answer(m)
		default:
			return m
		}
	}
}

// Rightmost returns a move with both pieces to the right of all others.
func Rightmost(board []htttx.Piece) htttx.MoveResponse {
	q := int32(0)
	for _, p := range board {
		q = max(q, p.Q)
	}
	return htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: q + 2}, {Q: q + 4}}}}
}

// PlayPieces plays over netorcai's wire as Play does, for a side of the same game, until the game
// ends.
func (c *Client) PlayPieces(side htttx.Side) {
	for {
		m, err := c.Receive()
		switch {
		case err != nil:
			c.t.Error(err)
			return
		case m.Type == "GAME_ENDS":
			return
		case m.Type != "TURN":
			continue
		}
		var state struct {
			Board  json.RawMessage `json:"board"`
			ToMove htttx.Side      `json:"to_move"`
		}
		if err := json.Unmarshal(m.State, &state); err != nil {
			c.t.Error(err)
			return
		}
		actions := "[]"
		if board, _ := htttx.ParseBoard(jsonscan.Value(state.Board)); state.ToMove == side {
			actions = "[" + string(Rightmost(board).Move.Append(nil)) + "]"
		}
		c.Answer(m.Turn, actions)
	}
}
