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

// roster holds the clients of a match by role: players by login before the start, by id after
// it, the others by login. Invariant: players and special players change only before the start.
// Those that leave later stay, disconnected, until they reconnect.
type roster [Visualization + 1][]*Place

// errFull holds the errors of candidates for roles without a free seat.
var errFull = [...]error{Player: ErrPlayers, Special: ErrSpecials, Visualization: ErrVisus}

// seats returns the numbers of seats by role.
func (s *Settings) seats() [Visualization + 1]int {
	return [...]int{Player: s.Players, Special: s.Specials, Visualization: s.Visus}
}

// vacancy returns an error if no seat is free for a candidate under the given settings. That many
// of the players' seats are for candidates for whom one is reserved.
func (r *roster) vacancy(c *Candidate, s Settings, reserved int) error {
	taken := len(r[c.Role])
	if c.Role == Player && !c.Reserved {
		for _, p := range r[Player] {
			if p.Reserved {
				reserved--
			}
		}
		taken += max(reserved, 0)
	}
	if taken >= s.seats()[c.Role] {
		return errFull[c.Role]
	}
	return nil
}

// full reports whether every seat is taken.
func (r *roster) full(s Settings) bool {
	for role, seats := range s.seats() {
		if len(r[role]) < seats {
			return false
		}
	}
	return true
}

// hasPlayer reports whether a player or a special player has a seat.
func (r *roster) hasPlayer() bool { return len(r[Player])+len(r[Special]) > 0 }

func (r *roster) remove(p *Place) {
	if i := slices.Index(r[p.Role], p); i >= 0 {
		r[p.Role] = slices.Delete(r[p.Role], i, i+1)
	}
}

// replace puts p in the place of old.
func (r *roster) replace(old, p *Place) {
	list := r[old.Role]
	list[slices.Index(list, old)] = p
}

// shuffle puts the players into an order drawn from the seed.
func (r *roster) shuffle(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, idStream))
	rng.Shuffle(len(r[Player]), func(i, j int) {
		r[Player][i], r[Player][j] = r[Player][j], r[Player][i]
	})
}

// sort puts special players and players into the order of their numbers; of equal ones, into that
// of login or, with byName, of the nicknames that they asked for and of their keys.
func (r *roster) sort(byName bool) {
	for _, list := range [...][]*Place{r[Special], r[Player]} {
		slices.SortStableFunc(list, func(a, b *Place) int {
			order := cmp.Compare(a.Number, b.Number)
			if byName {
				order = cmp.Or(order, cmp.Compare(a.asked, b.asked), cmp.Compare(a.Key, b.Key))
			}
			return order
		})
	}
}

// number assigns the ids: first to special players, then to players, in their current order.
func (r *roster) number() {
	next := engine.PlayerID(0)
	r.competitors(func(p *Place) {
		p.ID = next
		next++
	})
}

// competitors calls f for every player and special player in order of id.
func (r *roster) competitors(f func(*Place)) {
	for _, list := range [...][]*Place{r[Special], r[Player]} {
		for _, p := range list {
			f(p)
		}
	}
}

// connected calls f for every connected client, competitors first.
func (r *roster) connected(f func(*Place)) {
	for _, list := range [...][]*Place{r[Special], r[Player], r[Visualization]} {
		for _, p := range list {
			if p.Connected {
				f(p)
			}
		}
	}
}

// infos returns a new list of the competitors' infos in order of id.
func (r *roster) infos() []SeatInfo {
	list := make([]SeatInfo, 0, len(r[Special])+len(r[Player]))
	r.competitors(func(p *Place) { list = append(list, p.SeatInfo) })
	return list
}

// names returns the competitors' names.
func (r *roster) names() (list []string) {
	r.competitors(func(p *Place) { list = append(list, p.Nickname) })
	return list
}
