package state

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// The orders of teams that an event has, one at a time.
const (
	ByRating   = "rating"   // by the ratings of the day, until versions are frozen
	ByOfficial = "official" // by the official matches, from then on
	ByFinal    = "final"    // a final's teams first, the others as before it
)

// Result is the order of an event's teams at a moment: all pages and files show this one.
type Result struct {
	standings.Origin
	Order string  `json:"order"` // ByRating, ByOfficial or ByFinal
	Teams []Place `json:"teams"` // the best first; those that have played no such match are the last
}

// Place is a team's place in a result.
type Place struct {
	Rank    int     `json:"rank"` // from 1; equal teams share one; 0: without a match that counts
	Number  int     `json:"team"`
	Name    string  `json:"name"`
	Matches int     `json:"matches"` // of the team, that its rating follows from
	Rating  float64 `json:"rating"`  // of the day: how good the team is at least
	// Elo is how much the team is above the mean by its official matches; nil: it has played none.
	Elo      *float64 `json:"elo"`
	Low      *float64 `json:"low"` // ends of the interval of Elo; nil: not known
	High     *float64 `json:"high"`
	Verified bool     `json:"verified"` // as [OfficialPlace.Verified]
	Final    bool     `json:"final"`    // it is in the final, which decides its rank
	// Declared is for the operator, and is not on public pages.
	Declared

	Standing Standing `json:"-"`
}

// Figure returns what the order of teams without a final follows from, as text.
func (p *Place) Figure() string {
	if p.Elo != nil {
		return textutil.Minus(fmt.Sprintf("%+.1f", *p.Elo))
	}
	return textutil.Minus(fmt.Sprintf("%.1f", p.Rating))
}

// RankText returns the rank as text.
func (p *Place) RankText() string {
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

// BeforeLast returns the number of matches before the last round.
func (s *State) BeforeLast() int {
	if s.last != nil {
		return s.last.First
	}
	return len(s.Results.rows)
}

// Result returns the result by the matches before one: the first match of the last round, or the
// next match. official are the official standings by the same matches.
func (s *State) Result(match int, official *Official) *Result {
	list := s.Standings()
	if match < len(s.Results.rows) {
		list = s.standingsOf(s.before.upTo(s, match))
	}
	r := rated(list)
	if official.Frozen {
		r.follow(official)
	}
	if s.final != nil {
		order, ranks := s.final.Before(match).Order()
		r.lead(order, ranks)
	}
	return r
}

// rated returns the result by the ratings of the day.
func rated(list []Standing) *Result {
	r := &Result{Order: ByRating, Teams: []Place{}}
	for _, t := range list {
		p := Place{
			Rank: t.Rank, Number: t.Number, Name: t.Name, Matches: t.Matches, Rating: t.Rating, Standing: t,
			Declared: t.Declared,
		}
		if t.Matches == 0 {
			p.Rank = 0
		}
		r.Teams = append(r.Teams, p)
	}
	return r
}

// follow gives teams the places of official standings. Those without an official match keep their
// order.
func (r *Result) follow(o *Official) {
	r.Order = ByOfficial
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
		p.Rank, p.Matches, p.Verified = one.Rank, one.Matches, one.Verified
		p.Low, p.High = one.Low, one.High
		if one.Matches > 0 {
			p.Elo = &one.Elo
		}
	}
	slices.SortStableFunc(r.Teams, func(a, b Place) int {
		played := cmp.Compare(min(b.Matches, 1), min(a.Matches, 1))
		return cmp.Or(played, cmp.Compare(a.Rank, b.Rank))
	})
}

// lead places the teams of a final, which have these ranks, before all others.
func (r *Result) lead(teams, ranks []int) {
	r.Order = ByFinal
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

// PlaceOf returns the place of a team. found is false if there is no such team.
func (r *Result) PlaceOf(team int) (p Place, found bool) {
	i := slices.IndexFunc(r.Teams, func(p Place) bool { return p.Number == team })
	if i < 0 {
		return p, false
	}
	return r.Teams[i], true
}

// Explain says what the order follows from.
func (r *Result) Explain() string {
	switch r.Order {
	case ByFinal:
		return "The final decides, and the standings as before it among the others."
	case ByOfficial:
		return "By the official matches, which are those since versions are frozen: " +
			"Elo is above the mean of the teams."
	}
	return "By the last 30 matches of each team."
}
