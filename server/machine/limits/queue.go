package limits

import (
	"cmp"
	"container/heap"
	"container/list"
	"slices"
)

// queue holds the slots of a port from which one may be dropped to make room. Choosing one
// takes logarithmic time in the number of addresses, since a flood causes that for each of
// its connections.
type queue struct {
	n      int
	groups map[source]*group
	order  order
	joined uint64 // number of slots ever added
}

// group is the slots of one address or network, the oldest first.
type group struct {
	from  source
	slots list.List // of *Slot
	at    int       // index in the order
}

// place is the position of a slot in a queue.
type place struct {
	element *list.Element
	number  uint64 // value of joined when the slot was added
}

// add appends a slot that is in no queue.
func (q *queue) add(s *Slot) {
	if q.groups == nil {
		q.groups = map[source]*group{}
	}
	g := q.groups[s.group()]
	if g == nil {
		g = &group{from: s.group()}
		q.groups[g.from] = g
	}
	q.n++
	q.joined++
	s.place = place{g.slots.PushBack(s), q.joined}
	if g.slots.Len() == 1 {
		heap.Push(&q.order, g)
	} else {
		heap.Fix(&q.order, g.at)
	}
}

// remove removes a slot.
func (q *queue) remove(s *Slot) {
	g := q.groups[s.group()]
	g.slots.Remove(s.place.element)
	s.place = place{}
	q.n--
	if g.slots.Len() == 0 {
		heap.Remove(&q.order, g.at)
		delete(q.groups, g.from)
		return
	}
	heap.Fix(&q.order, g.at)
}

// victim returns the oldest slot of the address with the most, or nil.
func (q *queue) victim() *Slot {
	if len(q.order) == 0 {
		return nil
	}
	return q.order[0].oldest()
}

// victimFor returns the oldest slot of the address with the most, if that has more than
// twice as many as other would have with one more. Otherwise it returns nil.
func (q *queue) victimFor(other source) *Slot {
	if len(q.order) == 0 {
		return nil
	}
	would := 1
	if g := q.groups[other]; g != nil {
		would += g.slots.Len()
	}
	if q.order[0].slots.Len() <= 2*would {
		return nil
	}
	return q.order[0].oldest()
}

// oldestOf returns the oldest slot of a source within the group in, or nil.
func (q *queue) oldestOf(from, in source) *Slot {
	g := q.groups[in]
	if g == nil {
		return nil
	}
	for e := g.slots.Front(); e != nil; e = e.Next() {
		s := e.Value.(*Slot)
		if slices.Contains(s.sources, from) {
			return s
		}
	}
	return nil
}

func (g *group) oldest() *Slot { return g.slots.Front().Value.(*Slot) }

// order is a heap of groups: the largest first, and of equally large ones the one with the
// oldest slot. It implements heap.Interface.
type order []*group

func (o order) Len() int { return len(o) }

func (o order) Less(i, j int) bool {
	a, b := o[i], o[j]
	return cmp.Or(cmp.Compare(b.slots.Len(), a.slots.Len()),
		cmp.Compare(a.oldest().place.number, b.oldest().place.number)) < 0
}

func (o order) Swap(i, j int) {
	o[i], o[j] = o[j], o[i]
	o[i].at, o[j].at = i, j
}

// Push implements heap.Interface.
func (o *order) Push(x any) {
	g := x.(*group)
	g.at = len(*o)
	*o = append(*o, g)
}

// Pop implements heap.Interface.
func (o *order) Pop() any {
	last := len(*o) - 1
	g := (*o)[last]
	(*o)[last] = nil
	*o = (*o)[:last]
	return g
}
