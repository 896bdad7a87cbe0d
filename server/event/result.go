package event

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/server/cup/standings"
)

// The orders of teams that an event has, one at a time.
const (
	byRating   = "rating"   // by the ratings of the day, until versions are frozen
	byOfficial = "official" // by the official matches, from then on
	byFinal    = "final"    // a final's teams first, the others as before it
)

// Result is the order of an event's teams at a moment: all pages and files show this one.
type Result struct {
	standings.Origin
	Order string  `json:"order"` // byRating, byOfficial or byFinal
	Teams []Place `json:"teams"` // the best first; those that have played no such match are the last
}

// Place is a team's place in a result.
type Place struct {
	Rank    int     `json:"rank"` // from 1; equal teams share one; 0: the team has played no match that counts
	Number  int     `json:"team"`
	Name    string  `json:"name"`
	Matches int     `json:"matches"` // of the team, that its rating follows from
	Rating  float64 `json:"rating"`  // of the day: how good the team is at least
	// Elo is how much the team is above the mean by its official matches; nil: it has played none.
	Elo      *float64 `json:"elo"`
	Low      *float64 `json:"low"` // ends of the interval of Elo; nil: not known
	High     *float64 `json:"high"`
	Verified bool     `json:"verified"` // its official version has a digest, so that a change would have been noticed
	Final    bool     `json:"final"`    // it is in the final, which decides its rank

	Standing Standing `json:"-"`
}

// Figure returns what the order of teams without a final follows from, as text.
func (p *Place) Figure() string {
	if p.Elo != nil {
		return fmt.Sprintf("%+.1f", *p.Elo)
	}
	return oneDecimal(p.Rating)
}

// rank returns the rank as text.
func (p *Place) rank() string {
	if p.Rank == 0 {
		return "–"
	}
	return strconv.Itoa(p.Rank)
}

// Figure returns what the figures of places are.
func (r *Result) Figure() string {
	if slices.ContainsFunc(r.Teams, func(p Place) bool { return p.Elo != nil }) {
		return "Elo"
	}
	return "Rating"
}

// Result returns the result.
func (e *Event) Result() *Result {
	e.mu.Lock()
	match := len(e.state.rows)
	e.mu.Unlock()
	r := e.resultAt(match)
	r.Origin = e.originNow()
	return r
}

// resultBefore returns the result as it was before the last round.
func (e *Event) resultBefore() *Result {
	e.mu.Lock()
	match := len(e.state.rows)
	if r := e.state.last; r != nil {
		match = r.First
	}
	e.mu.Unlock()
	return e.resultAt(match)
}

// resultAt returns the result by the matches before one: that of the last round, or the next match.
func (e *Event) resultAt(match int) *Result {
	official := e.officialAt(match)
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	list := s.standings()
	if match < len(s.rows) {
		list = s.standingsBefore()
	}
	r := rated(list)
	if official.Frozen {
		r.follow(official)
	}
	if s.final != nil {
		order, ranks := s.final.before(match).order()
		r.lead(order, ranks)
	}
	return r
}

// rated returns the result by the ratings of the day.
func rated(list []Standing) *Result {
	r := &Result{Order: byRating, Teams: []Place{}}
	for _, t := range list {
		p := Place{Rank: t.Rank, Number: t.Number, Name: t.Name, Matches: t.Matches, Rating: t.Rating, Standing: t}
		if t.Matches == 0 {
			p.Rank = 0
		}
		r.Teams = append(r.Teams, p)
	}
	return r
}

// follow gives teams the places of official standings. Those without an official match keep their order.
func (r *Result) follow(o *Official) {
	r.Order = byOfficial
	at := map[int]int{}
	for i := range o.Teams {
		at[o.Teams[i].Team] = i
	}
	for i := range r.Teams {
		p := &r.Teams[i]
		place, found := at[p.Number]
		p.Rank, p.Matches = 0, 0
		if !found { // it has just signed up
			continue
		}
		one := &o.Teams[place]
		p.Rank, p.Matches, p.Low, p.High, p.Verified = one.Rank, one.Matches, one.Low, one.High, one.Verified
		if one.Matches > 0 {
			p.Elo = &one.Elo
		}
	}
	slices.SortStableFunc(r.Teams, func(a, b Place) int {
		return cmp.Or(cmp.Compare(min(b.Matches, 1), min(a.Matches, 1)), cmp.Compare(a.Rank, b.Rank))
	})
}

// lead places the teams of a final, which have these ranks, before all others.
func (r *Result) lead(teams, ranks []int) {
	r.Order = byFinal
	for i := range r.Teams {
		p := &r.Teams[i]
		if at := slices.Index(teams, p.Number); at >= 0 {
			p.Final, p.Rank = true, ranks[at]
		}
	}
	slices.SortStableFunc(r.Teams, func(a, b Place) int {
		switch {
		case a.Final && b.Final:
			return cmp.Compare(slices.Index(teams, a.Number), slices.Index(teams, b.Number))
		case a.Final != b.Final:
			return map[bool]int{true: -1, false: 1}[a.Final]
		}
		return 0
	})
	before := 0 // the rank of the team above without the final
	for i := range r.Teams {
		p := &r.Teams[i]
		if p.Final || p.Rank == 0 {
			continue
		}
		own := p.Rank
		if p.Rank = i + 1; own == before {
			p.Rank = r.Teams[i-1].Rank
		}
		before = own
	}
}

// placeOf returns the place of a team. found is false if there is no such team.
func (r *Result) placeOf(team int) (p Place, found bool) {
	i := slices.IndexFunc(r.Teams, func(p Place) bool { return p.Number == team })
	if i < 0 {
		return p, false
	}
	return r.Teams[i], true
}

// Explain says what the order follows from.
func (r *Result) Explain() string {
	switch r.Order {
	case byFinal:
		return "The final decides, and the standings as before it among the others."
	case byOfficial:
		return "By the official matches, which are those since versions are frozen: Elo is above the mean of the teams."
	}
	return "By the last 30 matches of each team."
}
