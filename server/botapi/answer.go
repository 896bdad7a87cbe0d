package botapi

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// hear takes in what a peer sent. What was not asked for is thrown away and
// counted; an answer to what has been answered is a violation.
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

// answers reports whether m is about the newest request. A bot that declared
// request_id echoes it; of any other, the order tells.
func (t *conversation) answersRequest(m htttx.MoveResponse) bool {
	return !t.peer.socket.RequestID || m.RequestID != nil && *m.RequestID == t.requests
}

// unasked judges a move that came while nothing was asked. Once the game is over
// it is merely late.
func (t *conversation) handleUnrequested(m htttx.MoveResponse) error {
	if t.requests == 0 || !t.answersRequest(m) || t.current.status != inProgress {
		return t.handleUnsolicited()
	}
	return &violation{"answered the same request twice"}
}

func (t *conversation) handleUnsolicited() error {
	t.unsolicited++
	if t.unsolicited > maxUnsolicited {
		return &violation{fmt.Sprintf("sent %d packets that nobody asked for", t.unsolicited)}
	}
	return nil
}

// ignore counts a packet of a type that is not defined: bots send their log, or
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

// piece takes in a person's piece: one of two, unless it decides the game.
func (t *conversation) addPiece(r *request, m htttx.MoveResponse, at time.Time) error {
	if len(m.Move.Pieces) != 1 {
		return &violation{"sent two pieces where one was asked for"}
	}
	pieces := append(r.first, m.Move.Pieces...)
	if r.first == nil && !r.position.completesMove(pieces[0]) {
		return t.ask(&request{turn: r.turn, position: r.position, askedAt: r.askedAt, first: pieces[:1:1]})
	}
	t.submit(r, pieces, m, at)
	return nil
}

// answer hands a move in.
func (t *conversation) submit(r *request, pieces []htttx.Cell, m htttx.MoveResponse, at time.Time) {
	t.request, t.pinged = nil, at
	if e := m.Move.Evaluation; e != nil && e.CutOff {
		t.cutOff++
	}
	actions := append(htttx.MoveOption{Pieces: pieces}.Append([]byte{'['}), ']')
	t.place.Answer(r.turn, actions, debugOf(m), at.Sub(r.askedAt))
}
