package match

import (
	"bytes"

	"github.com/hexarena/hexarena/engine"
)

// holdForUntimed keeps a turn open after its time is over, while it awaits a player without
// a deadline or the match is paused. The time of the other players is over all the same.
func (m *Match) holdForUntimed(d Decision) Decision {
	if !d.TimeUp || m.phase != asking {
		return d
	}
	var awaits []engine.PlayerID
	m.roster.competitors(func(p *Place) {
		if p.Untimed && m.awaits(p) {
			awaits = append(awaits, p.ID)
		}
	})
	held := len(awaits) > 0
	if held {
		m.awaited.Store(&awaits)
	}
	if !held && !m.paused {
		return d
	}
	m.roster.competitors(func(p *Place) {
		if !p.Untimed && m.awaits(p) {
			p.missed = m.asked()
		}
	})
	if held {
		return Decision{}
	}
	return d
}

// keepLate keeps an answer that arrived after its time in a turn that is still open. As any late
// answer, it belongs to the next turn. It is copied, since it stays for a turn longer than others.
func (t *turn) keepLate(a Answer) {
	a.Actions, a.Debug, a.Prepared = bytes.Clone(a.Actions), bytes.Clone(a.Debug), nil
	t.late = put(t.late, a)
}
