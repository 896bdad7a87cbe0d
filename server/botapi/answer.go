package botapi

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// handle handles a message of the peer. Packets that were not requested are
// dropped and counted; a second answer to the same request is a violation.
func (t *conversation) handle(h message) error {
	if h.err != nil {
		return h.err
	}
	var m htttx.MoveResponse
	switch p := h.packet.(type) {
	case htttx.Unknown:
		return t.ignoreUnknown(p)
	case htttx.MoveResponse:
		m = p
	case htttx.Resign:
		if t.peer.person && (t.seat.place() != nil || t.seat.opts.Lobby) {
			return errResigned
		}
		return t.handleUnsolicited()
	default:
		return t.handleUnsolicited()
	}
	r := t.request
	if r == nil {
		return t.handleUnrequested(m)
	}
	if !t.answersRequest(m) {
		return t.handleUnsolicited()
	}
	for _, what := range m.Ignored {
		t.log.Debug().Int("turn", r.turn).Str("ignored", what).Msg("Odd answer")
	}
	if t.peer.person {
		return t.addPiece(r, m, h.at)
	}
	t.submit(r, m.Move.Pieces, m, h.at)
	return nil
}

// answersRequest reports whether m answers the newest request. A bot that declared
// request_id echoes it; for other peers, any move answers the newest request.
func (t *conversation) answersRequest(m htttx.MoveResponse) bool {
	return !t.peer.socket.RequestID || m.RequestID != nil && *m.RequestID == t.requests
}

// handleUnrequested handles a move that arrived while no request was open. Such a
// move is a violation unless the game is over.
func (t *conversation) handleUnrequested(m htttx.MoveResponse) error {
	if t.requests == 0 || !t.answersRequest(m) || t.current.Status != htttx.InProgress {
		return t.handleUnsolicited()
	}
	return &violation{"answered the same request twice"}
}

func (t *conversation) handleUnsolicited() error {
	t.unsolicited++
	if t.unsolicited > maxUnsolicited {
		return &violation{fmt.Sprintf("sent %d packets that were not requested", t.unsolicited)}
	}
	return nil
}

// ignoreUnknown counts a packet of an undefined type: some bots send their log, or
// answer heartbeats. Only a flood of them is a violation.
func (t *conversation) ignoreUnknown(p htttx.Unknown) error {
	if t.unknown++; t.unknown == 1 {
		t.log.Info().Str("type", displayName(p.Type)).Msg("Ignoring packets of an unknown type")
	}
	if t.unknown > maxUnknown+t.heartbeats {
		return &violation{fmt.Sprintf("sent %d packets of unknown types", t.unknown)}
	}
	return nil
}

// addPiece adds a person's piece to the move. It requests the second piece unless
// the first decides the game.
func (t *conversation) addPiece(r *request, m htttx.MoveResponse, at time.Time) error {
	if len(m.Move.Pieces) != 1 {
		return &violation{"human must respond with exactly 1 piece"}
	}
	pieces := append(r.first, m.Move.Pieces...)
	if r.first == nil && !r.position.completesMove(pieces[0]) {
		return t.ask(
			&request{turn: r.turn, position: r.position, askedAt: r.askedAt, first: pieces[:1:1]})
	}
	t.submit(r, pieces, m, at)
	return nil
}

// submit passes a move to the match.
func (t *conversation) submit(r *request, pieces []htttx.Cell, m htttx.MoveResponse, at time.Time) {
	t.request, t.pinged, t.answered = nil, at, pieces
	if e := m.Move.Evaluation; e != nil && e.CutOff {
		t.cutOff++
	}
	actions := append(htttx.MoveOption{Pieces: pieces}.Append([]byte{'['}), ']')
	t.seat.place().Answer(r.turn, actions, debugOf(m), at.Sub(r.askedAt))
}

// debugOf returns a peer's evaluation of its move in the form that matches keep and
// the page charts, or nil if the peer sent no evaluation:
//
//	{"values":{"heuristic":0.3,"win_in":2},"considerations":[{"pieces":[…]},…]}
//
// A move whose search a time limit cut off has a text that says so, and one with
// which the peer sent nodes has them. Considered moves that do not fit are left out,
// the worst first.
func debugOf(m htttx.MoveResponse) []byte {
	if m.Move.Evaluation == nil && len(m.Considerations) == 0 {
		return nil
	}
	b := []byte{'{'}
	var values htttx.Evaluation
	if e := m.Move.Evaluation; e != nil {
		values = *e
	}
	if values.CutOff {
		values.CutOff = false // values holds numbers only
		b = append(b, `"text":"cut off by the time limit: not reproducible",`...)
	}
	if len(values.Nodes) > 0 {
		b = append(values.AppendNodes(b), ',')
		values.Nodes = nil
	}
	b = values.Append(append(b, `"values":`...))
	b = append(b, `,"considerations":[`...)
	for i, c := range m.Considerations {
		before := len(b)
		if i > 0 {
			b = append(b, ',')
		}
		if b = c.Append(b); len(b)+len("]}") > netorcai.DebugLimit {
			b = b[:before]
			break
		}
	}
	return append(b, "]}"...)
}
