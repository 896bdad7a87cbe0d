package hivemaker

import (
	"context"
	"errors"
	"sync"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/direct"
)

// player is the player of a side.
type player struct {
	seat      match.Seat // nil before it has connected
	candidate match.Candidate
	bot       bool         // that connected by itself
	place     *match.Place // nil before the match
	gone      error        // why it cannot play; nil if it can
}

// occupy gives a side its player. It returns false if the side has one, or if the game has begun.
func (g *game) occupy(side int, p player) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if before := &g.players[side]; g.begun || before.seat != nil && before.gone == nil {
		return false
	}
	g.players[side] = p
	if _, connected := p.seat.(*botapi.Seat); connected && !g.sides[side].Bot {
		g.people.Add(1) // until connectSeat has served it
	}
	select {
	case g.taken[side] <- struct{}{}:
	default: // the side had a player before
	}
	return true
}

// conn returns the seat of a side whose player has a connection; nil if it has none.
func (g *game) conn(side int) *botapi.Seat {
	s, _ := g.player(side).seat.(*botapi.Seat)
	return s
}

// player returns the player of a side.
func (g *game) player(side int) player {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.players[side]
}

// connect accepts the connection of a player that has its token. It returns the player's new seat,
// which has to be served; nil if the connection replaces the one of an older seat, or is refused.
func (g *game) connect(
	side int, accept func(side int) (*botapi.Peer, error),
) (s *botapi.Seat, err error) {
	g.connecting[side].Lock()
	defer g.connecting[side].Unlock()
	peer, err := accept(side)
	if err != nil {
		return nil, err
	}
	if s := g.conn(side); s != nil && s.Reconnect(peer) {
		return nil, nil
	}
	s = botapi.NewSeat(peer, botapi.Options{
		Heartbeat: g.rules.Heartbeat, Patience: g.budget(!peer.IsPerson()).Time,
		Grace: g.server.opts.Reconnect, Log: g.log,
		Presence: func(connected bool) {
			if other := g.conn(1 - side); other != nil {
				other.ShowPresence(connected)
			}
		},
		Absent: func() bool { return g.player(1-side).seat == absent{} },
	})
	if !g.occupy(side, player{seat: s, candidate: s.Candidate(), bot: !peer.IsPerson()}) {
		peer.Refuse(invalidToken) // the game is over, or about to begin
		return nil, nil
	}
	return s, nil
}

var errLeftEarly = errors.New("left before the game began")

// serve serves the seat of a player until it has left or the game is over.
func (g *game) serve(ctx context.Context, side int, s *botapi.Seat) {
	s.Serve(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := &g.players[side]; p.seat == s {
		p.gone = errLeftEarly
		if p.place != nil {
			p.place.Leave(p.gone.Error()) // without effect if the conversation has done so
		}
	}
}

// seatBots calls the built-in bots, and dials the others, until ctx ends; conversations with them
// end with theirs.
func (g *game) seatBots(
	ctx, conversations context.Context, bots *direct.Bots, serving *sync.WaitGroup,
) {
	for side, p := range g.sides {
		switch {
		case p.BuiltIn != "":
			_, err := bots.Call(p.BuiltIn, g.seed, func(s match.Seat) error {
				g.occupy(side, player{seat: s, candidate: match.Candidate{Nickname: p.BuiltIn, Remote: "here"}})
				return nil
			})
			if err != nil {
				g.miss(side, err)
			}
		case p.Bot:
			panics.Go(serving, func() {
				g.dial(ctx, conversations, bots, side,
					p.URL)
			}, func(p *panics.Error) {
				panics.Logged(g.log, "Serving a bot failed")(p)
				g.miss(side, p)
			})
		}
	}
}

// dial connects to a bot and serves it.
func (g *game) dial(
	ctx, conversation context.Context, bots *direct.Bots, side int, address string,
) {
	s, err := bots.Dial(ctx, address, func(_ *botapi.Peer, s match.Seat, c match.Candidate) error {
		g.occupy(side, player{seat: s, candidate: c})
		return nil
	})
	if err != nil {
		g.miss(side, err)
		return
	}
	g.serve(conversation, side, s)
}

// miss gives a side a player that is absent: the game begins without it, and it loses.
func (g *game) miss(side int, why error) {
	g.occupy(side, player{
		seat: absent{}, gone: why,
		candidate: match.Candidate{
			Nickname: "absent (" + sideNames[side] + ")", Remote: htttx.ShownAddress(g.sides[side].URL),
		},
	})
}

// begin seats both players in a match, which starts by that.
func (g *game) begin(m *match.Match) (err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun = true
	for side := range g.players {
		p := &g.players[side]
		p.candidate.Role, p.candidate.Number = match.Player, side+1
		if p.place, err = m.Join(&lateWelcome{Seat: p.seat}, p.candidate); err != nil {
			return err
		}
	}
	for side, p := range g.players {
		if p.gone != nil {
			g.log.Warn().Err(p.gone).Str("side", sideNames[side]).Msg("A player cannot be seated")
			p.place.Leave(p.gone.Error())
		}
	}
	return nil
}

// dismiss tells the players of a game that was not started why, and disconnects them.
func (g *game) dismiss(why error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun = true
	for _, p := range g.players {
		if p.seat != nil {
			p.seat.Kick(why)
		}
	}
}

// lateWelcome is a seat whose player hears of its place when the match starts: if it left earlier,
// the match would wait for another one.
type lateWelcome struct {
	match.Seat
	place *match.Place
}

// Welcome implements match.Seat.
func (s *lateWelcome) Welcome(p *match.Place) { s.place = p }

// Begin implements match.Seat.
func (s *lateWelcome) Begin(f *match.Frame, id engine.PlayerID) {
	s.Seat.Welcome(s.place)
	s.Seat.Begin(f, id)
}

// absent is the seat of a player that could not be connected.
type absent struct{}

func (absent) Welcome(*match.Place)                {}
func (absent) Begin(*match.Frame, engine.PlayerID) {}
func (absent) Offer(*match.Frame)                  {}
func (absent) Kick(error)                          {}
