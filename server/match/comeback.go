package match

import (
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// comeback is the place of a candidate whose connection broke, nil if it has
// none. A key says who somebody is, so that it also takes the place over from a
// connection that is broken and does not know it. Without one, the nickname and
// the host have to fit one empty place, and no other.
func (m *Match) comeback(c *Candidate) *Place {
	if m.phase == setting || m.grace == 0 {
		return nil
	}
	var found *Place
	several := false
	m.roster.competitors(func(p *Place) {
		if p.Role != c.Role || p.Key != c.Key || !p.Connected && time.Since(p.left) > m.grace {
			return
		}
		if c.Key == "" && (p.Connected || p.asked != c.Nickname || hostOf(p.Remote) != hostOf(c.Remote)) {
			return
		}
		several = found != nil
		found = p
	})
	if several {
		return nil
	}
	return found
}

// patient is what a pace wants, but that a turn which is to end because all players
// are gone waits for those who may come back: else a match that waits for nobody but
// them would be over in a moment. Where one of them alone is awaited, the rules judge
// that it is gone.
func (m *Match) patient(v Verdict) Verdict {
	if !v.End || m.grace == 0 || m.turn.await != engine.Everyone {
		return v
	}
	var until time.Time
	there := false
	m.roster.competitors(func(p *Place) {
		there = there || p.Connected
		if end := p.left.Add(m.grace); end.After(until) {
			until = end
		}
	})
	m.turn.held = !there && until.After(time.Now())
	if m.turn.held {
		return Verdict{Wake: until}
	}
	return v
}

// supersede frees the seat of who connects anew, with a key that has one,
// before the start.
func (m *Match) supersede(c *Candidate) {
	for _, p := range *m.roster.list(c.Role) {
		if c.Key != "" && p.Key == c.Key {
			m.leave(p, p.lapse, "connected anew")
			p.seat.Kick(ErrReplaced)
			return
		}
	}
}

// hostOf is an address without its port.
func hostOf(address string) string {
	return address[:max(strings.LastIndexByte(address, ':'), 0)]
}

// restore gives a player its place back. A new Place stands for it, so that
// what the old connection still says counts no more.
func (m *Match) restore(old *Place, s Seat, c Candidate) *Place {
	if old.Connected {
		m.leave(old, old.lapse, "connected anew")
		old.seat.Kick(ErrReplaced)
	}
	p := &Place{SeatInfo: old.SeatInfo, match: m, seat: s, asked: c.Nickname, answered: old.answered}
	if m.names != nil {
		c.Nickname = old.Nickname
	}
	p.Candidate, p.Connected, p.Reason = c, true, ""
	m.roster.replace(old, p)
	m.table.Seats = m.roster.infos()
	const back = "Player is back"
	if m.lines.Allow(c.Remote, back) {
		m.log.Info().Str("nickname", c.Nickname).Str("address", c.Remote).Int("player_id", int(p.ID)).
			Bool("by_token", c.Key != "").Msg(back)
	}
	for _, w := range m.watchers {
		w.Joined(p.SeatInfo, c.Role)
	}
	s.Welcome(p)
	m.bringIn(p)
	switch {
	case m.awaits(p):
		m.obey(m.pace.Returned(time.Now(), p.ID))
	case m.turn.held && m.phase == asking: // it had answered before it left
		m.obey(Verdict{End: true})
	}
	return p
}
