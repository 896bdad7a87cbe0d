package web

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/feed"
)

// table holds the results of finished matches by the players' names.
type resultTable map[string]*row

// row is one player's results.
type row struct {
	Name    string  `json:"name"`
	Matches int     `json:"matches"`
	Wins    int     `json:"wins"`  // not counting shared first places
	Share   float64 `json:"share"` // of opponents beaten, ties counting half; 0 to 1
	Last    []int   `json:"last"`  // ranks in the last five matches, the newest last

	beaten float64
	met    int
}

// Limits of the table. Further names are ignored.
const (
	maxNames = 1000
	maxLast  = 5
)

// add adds a result. Players of an aborted match have no ranks and are left out.
func (t *resultTable) add(b *feed.Brief) {
	if *t == nil {
		*t = resultTable{}
	}
	for i := range b.Players {
		p := &b.Players[i]
		if p.Rank == 0 {
			continue
		}
		r := (*t)[p.Name]
		if r == nil {
			if len(*t) >= maxNames {
				continue
			}
			r = &row{Name: p.Name}
			(*t)[p.Name] = r
		}
		r.add(p, i, b.Players)
	}
}

// add adds the result of p, the player at index place of all.
func (r *row) add(p *feed.Player, place int, all []feed.Player) {
	alone := true
	for i := range all {
		other := all[i].Rank
		if i == place || other == 0 {
			continue
		}
		r.met++
		alone = alone && other != p.Rank
		r.beaten += float64(cmp.Compare(other, p.Rank)+1) / 2
	}
	r.Matches++
	if p.Rank == 1 && alone {
		r.Wins++
	}
	if r.met > 0 {
		r.Share = r.beaten / float64(r.met)
	}
	r.Last = append(r.Last, p.Rank)
	r.Last = r.Last[max(0, len(r.Last)-maxLast):]
}

// rows returns copies of all rows, the best first.
func (t resultTable) rows() []row {
	list := []row{}
	for _, r := range t {
		c := *r
		c.Last = slices.Clone(r.Last)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Matches, a.Matches), cmp.Compare(a.Name, b.Name))
	})
	return list
}
