package match

import (
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// join seats a candidate, or returns why it cannot. A visualization that joins late
// gets the initial state and the newest turn; netorcai sends it nothing after its
// LOGIN_ACK.
func (m *Match) join(s Seat, c Candidate) (*Place, error) {
	if m.phase > gathering && c.Role != Visualization {
		if p := m.findReconnect(&c); p != nil {
			return m.restore(p, s, c), nil
		}
		return nil, ErrStarted
	}
	if err := m.dropPrevious(&c); err != nil {
		return nil, err
	}
	if err := m.roster.vacancy(&c, m.settings, m.opts.Reserved); err != nil {
		return nil, err
	}
	asked := c.Nickname
	if m.opts.Names != nil && c.Role != Visualization {
		c.Nickname = m.opts.Names.Name(c, m.roster.names())
	}
	p := &Place{
		SeatInfo: SeatInfo{Candidate: c, ID: engine.NoPlayer, Connected: true},
		match:    m, seat: s, asked: asked, answered: -1, missed: -1,
	}
	m.roster[c.Role] = append(m.roster[c.Role], p)
	m.logJoin(&c)
	for _, w := range m.opts.Watchers {
		w.Joined(p.SeatInfo, c.Role)
	}
	s.Welcome(p) // only now, so that the log and the page know of the client before it does
	if m.phase > initializing {
		m.sendCatchUp(p)
	}
	m.joined = true
	return p, nil
}

// logJoin logs that a client has a seat.
func (m *Match) logJoin(c *Candidate) {
	what := "New player accepted"
	if c.Role == Visualization {
		what = "New visualization accepted"
	}
	if !m.opts.Lines.Allow(c.Remote, what) {
		return
	}
	line := m.opts.Log.Info().Str("nickname", c.Nickname).Str("address", c.Remote)
	switch {
	case !m.opts.Netorcai:
		line = line.Stringer("role", c.Role)
	case c.Role == Visualization:
		line = line.Int("visus", len(m.roster[Visualization]))
	default:
		line = line.Int("players", len(m.roster[Player])).
			Bool("special", c.Role == Special).Int("special_players", len(m.roster[Special]))
	}
	line.Msg(what)
}

// sendCatchUp sends the initial state and the newest turn to a client that joins late.
func (m *Match) sendCatchUp(p *Place) {
	f := m.startFrame()
	p.seat.Begin(f, p.ID)
	f.Release()
	if m.newest != nil {
		p.seat.Offer(m.newest)
	}
}

// startIfFull starts a match with Autostart when every seat is taken.
func (m *Match) startIfFull() {
	if !m.opts.Autostart || m.phase != gathering || !m.roster.full(m.settings) ||
		m.opts.Referee.Ready() != nil {
		return
	}
	if m.opts.Netorcai {
		m.opts.Log.Info().Msg("Automatic starting conditions are met")
	}
	m.begin()
}

// leave disconnects a client, which may end the turn.
func (m *Match) leave(p *Place, lapse engine.Lapse, reason string) {
	m.disconnect(p, lapse, reason)
	m.endIfGone()
}

// disconnect frees a seat before the start. After the start the seat stays, disconnected.
func (m *Match) disconnect(p *Place, lapse engine.Lapse, reason string) {
	if !p.Connected {
		return
	}
	awaited := m.awaits(p)
	p.Connected, p.lapse, p.Reason, p.left = false, lapse, reason, time.Now()
	for _, w := range m.opts.Watchers {
		w.Left(p.SeatInfo, p.Role)
	}
	if m.phase == gathering || p.Role == Visualization {
		m.roster.remove(p)
		return
	}
	m.updateSeats()
	if awaited {
		m.apply(m.holdForReconnect(m.pace.Left(time.Now(), p.ID)))
	}
}

// tableVersions counts the versions of all tables in this process.
var tableVersions atomic.Uint64

// updateSeats replaces the table's list of seats after a change.
func (m *Match) updateSeats() {
	m.table.Seats = m.roster.infos()
	m.table.Version = tableVersions.Add(1)
}

// commonLimit returns the limit that a pace has for all of the players, 0 if it differs.
func commonLimit(pace Pace, players int) (limit time.Duration) {
	for id := range engine.PlayerID(players) {
		own := pace.Limit(id)
		if id > 0 && own != limit {
			return 0
		}
		limit = own
	}
	return limit
}

// begin starts the match with the clients that are connected.
func (m *Match) begin() {
	m.phase = initializing
	// The speed of logins decides nothing in a seeded match, or its first client would choose its id.
	m.roster.sort(m.opts.Order == Seeded && !m.opts.InOrder)
	if !m.opts.InOrder {
		m.roster.shuffle(m.opts.Seed)
	}
	m.roster.number()
	m.table = Table{
		Settings: m.settings,
		Players:  len(m.roster[Player]),
		Specials: len(m.roster[Special]),
		Series:   m.opts.Series,
	}
	m.updateSeats()
	m.table.Limit = commonLimit(m.opts.Pace(m.settings), len(m.table.Seats))
	m.shuffler = NewShuffler(len(m.table.Seats))
	m.claims.Store(m.roster.claims())
	line := m.opts.Log.Info()
	if !m.opts.Netorcai {
		line = line.Int("players", m.table.Players).Int("special_players", m.table.Specials)
	}
	line.Msg("Starting game")
	setup := engine.Setup{
		Players: m.table.Players, Specials: m.table.Specials,
		Turns: m.table.Settings.Turns, Seed: m.opts.Seed,
	}
	if o, done := m.opts.Referee.Begin(setup); done {
		m.judged(o)
	}
}

// started broadcasts the initial state and starts the wait for the first turn.
func (m *Match) started() {
	m.initial = m.opts.Referee.AppendState(nil)
	f := m.startFrame()
	m.roster.connected(func(p *Place) { p.seat.Begin(f, p.ID) })
	for _, w := range m.opts.Watchers {
		w.Started(f)
	}
	f.Release()
	m.phase = waiting
	m.pace, m.repace = m.opts.Pace(m.settings), false
	m.apply(m.pace.Begun(time.Now()))
}
