package cup

import "slices"

// coreSlots divide processors between the bots of the matches that are played at once: each bot has
// as many of its own as there are for all. A match takes a slot.
type coreSlots struct {
	cores []int
	seats int
	each  int   // processors of a bot; 0: there are not enough, and bots use all
	free  []int // slots
}

func newCoreSlots(cores []int, jobs, seats int) *coreSlots {
	s := &coreSlots{cores: cores, seats: seats, each: len(cores) / (jobs * seats)}
	for slot := range jobs {
		s.free = append(s.free, slot)
	}
	return s
}

// take returns a free slot. At most as many matches as there are slots are played at once.
func (s *coreSlots) take() int {
	slot := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return slot
}

// give returns a slot that a match has taken.
func (s *coreSlots) give(slot int) { s.free = append(s.free, slot) }

// of returns the processors of the bot in a seat, from 0, of the match in a slot; none stands for
// all.
func (s *coreSlots) of(slot, seat int) []int {
	first := (slot*s.seats + seat) * s.each
	return slices.Clip(s.cores[first : first+s.each])
}
