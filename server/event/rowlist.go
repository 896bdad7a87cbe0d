package event

import "github.com/hexarena/hexarena/server/contest/results"

// rowList is the results of an event. Those before a checkpoint are in memory only as far as pages show them.
type rowList struct {
	first int                  // number of the first one in list
	list  []*results.Row       // all from it on
	old   map[int]*results.Row // some before it
}

func (l *rowList) len() int { return l.first + len(l.list) }

func (l *rowList) add(row *results.Row) { l.list = append(l.list, row) }

// at returns the result of a match, nil if it is not in memory.
func (l *rowList) at(match int) *results.Row {
	if match < l.first {
		return l.old[match]
	}
	return l.list[match-l.first]
}

// from returns the results from a match on, which are in memory.
func (l *rowList) from(match int) []*results.Row { return l.list[match-l.first:] }

// fill has all results in memory, given those before the first one in list.
func (l *rowList) fill(rows []*results.Row) { *l = rowList{list: append(rows, l.list...)} }
