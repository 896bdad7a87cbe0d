package match

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// Errors of candidates that cannot join.
var (
	ErrStarted  = errors.New("the match has started")
	ErrPlayers  = errors.New("all players' seats are taken")
	ErrSpecials = errors.New("all special players' seats are taken")
	ErrVisus    = errors.New("all visualizations' seats are taken")
)

// ErrReplaced is the reason for a kick when the player has connected again.
var ErrReplaced = errors.New("its player connected again")

// roster holds the clients of a match. Invariant: players and specials change only
// before the start. Clients that leave later stay in them, disconnected, until they
// reconnect.
type roster struct {
	players  []*Place // by login before the start, by id after it
	specials []*Place
	visus    []*Place
}

// list returns the part of the roster for a role.
func (r *roster) list(role Role) *[]*Place {
	switch role {
	case Special:
		return &r.specials
	case Visualization:
		return &r.visus
	}
	return &r.players
}

// vacancy returns an error if no seat is free for a candidate under the given settings. That many
// of the players' seats are for candidates for whom one is reserved.
func (r *roster) vacancy(c *Candidate, s Settings, reserved int) error {
	limit, full := s.Players, ErrPlayers
	switch c.Role {
	case Special:
		limit, full = s.Specials, ErrSpecials
	case Visualization:
		limit, full = s.Visus, ErrVisus
	}
	taken := len(*r.list(c.Role))
	if c.Role == Player && !c.Reserved {
		for _, p := range r.players {
			if p.Reserved {
				reserved--
			}
		}
		taken += max(reserved, 0)
	}
	if taken >= limit {
		return full
	}
	return nil
}

// full reports whether every seat is taken.
func (r *roster) full(s Settings) bool {
	return len(r.players) >= s.Players && len(r.specials) >= s.Specials && len(r.visus) >= s.Visus
}

// hasPlayer reports whether a player or a special player has a seat.
func (r *roster) hasPlayer() bool { return len(r.players)+len(r.specials) > 0 }

// empty reports whether no seat is taken.
func (r *roster) empty() bool { return !r.hasPlayer() && len(r.visus) == 0 }

func (r *roster) remove(p *Place) {
	list := r.list(p.Role)
	if i := slices.Index(*list, p); i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
}

// replace puts p in the place of old.
func (r *roster) replace(old, p *Place) {
	list := *r.list(old.Role)
	list[slices.Index(list, old)] = p
}

// shuffle puts the players into an order drawn from the seed.
func (r *roster) shuffle(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, idStream))
	rng.Shuffle(len(r.players), func(i, j int) {
		r.players[i], r.players[j] = r.players[j], r.players[i]
	})
}

// sort puts special players and players into the order of their numbers; of equal ones, into that
// of login.
func (r *roster) sort() {
	for _, list := range [...][]*Place{r.specials, r.players} {
		slices.SortStableFunc(list, func(a, b *Place) int { return cmp.Compare(a.Number, b.Number) })
	}
}

// number assigns the ids: first to special players, then to players, in their current order.
func (r *roster) number() {
	for i, p := range r.specials {
		p.ID = engine.PlayerID(i)
	}
	for i, p := range r.players {
		p.ID = engine.PlayerID(len(r.specials) + i)
	}
}

// competitors calls f for every player and special player in order of id.
func (r *roster) competitors(f func(*Place)) {
	for _, p := range r.specials {
		f(p)
	}
	for _, p := range r.players {
		f(p)
	}
}

// connected calls f for every connected client, competitors first.
func (r *roster) connected(f func(*Place)) {
	for _, list := range [...][]*Place{r.specials, r.players, r.visus} {
		for _, p := range list {
			if p.Connected {
				f(p)
			}
		}
	}
}

// infos returns a new list of the competitors' infos in order of id.
func (r *roster) infos() []SeatInfo {
	list := make([]SeatInfo, 0, len(r.specials)+len(r.players))
	r.competitors(func(p *Place) { list = append(list, p.SeatInfo) })
	return list
}

// names returns the competitors' names.
func (r *roster) names() (list []string) {
	r.competitors(func(p *Place) { list = append(list, p.Nickname) })
	return list
}
