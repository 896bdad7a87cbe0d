package match

import (
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// findReconnect returns the place of the player that c reconnects as, or nil. A
// candidate with a key gets the place that has this key, even if the old connection
// has not noticed yet that it is broken. Without a key, nickname and host must match
// exactly one disconnected player.
func (m *Match) findReconnect(c *Candidate) *Place {
	if m.phase == initializing || m.opts.Grace == 0 {
		return nil
	}
	var found *Place
	several := false
	mine := claimOf(c, c.Nickname)
	m.roster.competitors(func(p *Place) {
		if p.claim() != mine || p.Connected && (c.Key == "" || !c.Replaces(&p.Candidate)) ||
			!p.Connected && time.Since(p.left) > m.opts.Grace {
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

// claim identifies a player, who may come back by another connection.
type claim struct {
	role           Role
	key            string
	nickname, host string // without a key
}

// claimOf returns the claim of a candidate that asked for a nickname.
func claimOf(c *Candidate, asked string) claim {
	if c.Key != "" {
		return claim{role: c.Role, key: c.Key}
	}
	return claim{role: c.Role, nickname: asked, host: hostOf(c.Remote)}
}

func (p *Place) claim() claim { return claimOf(&p.Candidate, p.asked) }

// claims returns those of all competitors. They stay the same when players come back.
func (r *roster) claims() *map[claim]bool {
	all := map[claim]bool{}
	r.competitors(func(p *Place) { all[p.claim()] = true })
	return &all
}

// holdForReconnect keeps the turn open while every player is disconnected and at
// least one can still reconnect. Without it a fast match would play all its remaining
// turns at once. Turns that await a single player are not held: the rules decide what
// its absence means.
func (m *Match) holdForReconnect(d Decision) Decision {
	if !d.End || d.TimeUp || m.opts.Grace == 0 || m.turn.await != engine.Everyone {
		return d
	}
	var until time.Time
	there := false
	m.roster.competitors(func(p *Place) {
		there = there || p.Connected
		if end := p.left.Add(m.opts.Grace); end.After(until) {
			until = end
		}
	})
	m.turn.held = !there && until.After(time.Now())
	if m.turn.held {
		return Decision{Wake: until}
	}
	return d
}

// dropPrevious removes the connection that already uses c's key, so that a client that
// reconnects before the start replaces its old connection. The error is ErrReplaced if c is the old
// one.
func (m *Match) dropPrevious(c *Candidate) error {
	for _, p := range m.roster[c.Role] {
		if c.Key != "" && p.Key == c.Key {
			if !c.Replaces(&p.Candidate) {
				return ErrReplaced
			}
			m.disconnect(p, p.lapse, "connected again")
			p.seat.Kick(ErrReplaced)
			break
		}
	}
	return nil
}

// hostOf returns an address without its port.
func hostOf(address string) string {
	return address[:max(strings.LastIndexByte(address, ':'), 0)]
}

// restore gives a player its place back. It makes a new Place, so that messages of
// the old connection have no effect any more.
func (m *Match) restore(old *Place, s Seat, c Candidate) *Place {
	if old.Connected {
		m.disconnect(old, old.lapse, "connected again")
		old.seat.Kick(ErrReplaced)
	}
	p := &Place{
		SeatInfo: old.SeatInfo, match: m, seat: s, asked: c.Nickname, answered: old.answered,
		missed: old.missed,
	}
	if m.opts.Names != nil {
		c.Nickname = old.Nickname
	}
	p.Candidate, p.Connected, p.Reason = c, true, ""
	m.roster.replace(old, p)
	m.updateSeats()
	const back = "Player is back"
	if m.opts.Lines.Allow(c.Remote, back) {
		m.opts.Log.Info().Str("nickname",
			c.Nickname).Str("address", c.Remote).Int("player_id", int(p.ID)).
			Bool("by_token", c.Key != "").Msg(back)
	}
	for _, w := range m.opts.Watchers {
		w.Joined(p.SeatInfo, c.Role)
	}
	s.Welcome(p)
	m.sendCatchUp(p)
	held := m.turn.held
	m.turn.held = false // from now on the turn waits for the players that are there
	switch {
	case m.awaits(p):
		m.apply(m.pace.Returned(time.Now(), p.ID))
	case held && m.phase == asking: // the player had answered before it left
		m.apply(Decision{End: true})
	}
	return p
}
