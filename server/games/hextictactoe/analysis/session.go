package analysis

import (
	"slices"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// session is one connection to the judge, with what the judge has been told.
type session struct {
	peer *botapi.Peer
	can  htttx.Socket

	isSet    bool         // it has been sent a setup
	line     []htttx.Move // what it has been told was played
	asked    htttx.Side   // side that it was last asked to move for; 0: none yet
	answered []htttx.Cell // the move that it answered
	requests int64
	faulty   bool // nothing more can be asked
}

// capabilitiesOf returns what a peer can be asked for. A stateless peer gets the whole
// position with each request, so that it can be asked for anything but evaluations.
func capabilitiesOf(p *botapi.Peer) htttx.Socket {
	can := p.Socket()
	if p.Stateless() {
		can.FreeSetup, can.ResettableState, can.MoveSkips = true, true, true
		can.DualSided, can.FreeMoveOrder = true, true
	}
	return can
}

// step is what it takes to show a session a position: a setup, if needed, and the moves
// that the next request reports.
type step struct {
	setup    bool
	at       []htttx.Move // the line that the setup shows
	previous []htttx.Move
}

// stepTo returns how to show the session a position with the capabilities that it has; ok
// is false if that is not possible.
func (s *session) stepTo(g *Game, line []htttx.Move) (w step, ok bool) {
	if s.isSet {
		if more, follows := after(s.line, line); follows && s.takes(more) {
			return step{previous: more}, true
		}
		if !s.can.ResettableState {
			return w, false
		}
	}
	switch {
	case s.can.FreeSetup:
		return step{setup: true, at: line}, true
	case g.usual() && (s.can.MoveSkips || len(line) <= 1):
		return step{setup: true, previous: line}, true
	}
	return w, false
}

// takes reports whether the next request may report these moves. A bot without move_skips
// must have made its own moves itself.
func (s *session) takes(more []htttx.Move) bool {
	switch {
	case s.can.MoveSkips:
		return true
	case s.asked == 0:
		return len(more) <= 1
	case len(more) == 0 || more[0].Side != s.asked || !slices.Equal(more[0].Pieces, s.answered):
		return false
	}
	return len(more) == 2 || len(more) == 1 && s.can.DualSided
}

// after returns the moves of line that follow those of before, if it begins with them.
func after(before, line []htttx.Move) (more []htttx.Move, follows bool) {
	if len(before) > len(line) {
		return nil, false
	}
	for i, m := range before {
		if m.Side != line[i].Side || !slices.Equal(m.Pieces, line[i].Pieces) {
			return nil, false
		}
	}
	return line[len(before):], true
}

// setUp sends the setup of a step, if it has one.
func (s *session) setUp(g *Game, w step) error {
	if !w.setup {
		return nil
	}
	s.isSet, s.line, s.asked, s.answered = true, w.at, 0, nil
	return s.peer.Send(htttx.Setup{Board: htttx.AppendBoard(nil, g.pieces(w.at))})
}
