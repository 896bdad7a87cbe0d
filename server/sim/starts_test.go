package sim

import (
	"slices"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// start is what a player that stays between matches is told of one that begins.
type start struct {
	match int
	seed  uint64
}

// starts are those of one connection: what its player has to be told, match after match, and was
// told.
type starts struct {
	server     *generation
	due, heard []start
}

// startsOf returns the starts of the connection from an address. The caller holds mu.
func (w *World) startsOf(address string) *starts {
	if w.starts[address] == nil {
		w.starts[address] = &starts{}
	}
	return w.starts[address]
}

// starts notes that a player has a seat in a match that has started. The caller holds mu.
func (o *observer) starts(s *match.SeatInfo) {
	due := start{match: o.series.Number, seed: o.series.Seed(s.ID)}
	if n := s.Number; n >= 1 && n <= o.listed { // the seat is that of a bot that the server seats
		due.seed = seat.Seed(o.seed, n-1)
	}
	o.World.mu.Lock()
	defer o.World.mu.Unlock()
	of := o.startsOf(s.Remote)
	of.server, of.due = o.server, append(of.due, due)
}

// told notes what a player is told of a match that begins.
func (w *World) told(address string, m *message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.startsOf(address)
	of.heard = append(of.heard, start{match: m.Match, seed: m.Seed})
}

// compareStarts compares what players that stay were told with what they had to be told, except for
// those of servers that have crashed, in the middle of telling.
func (w *World) compareStarts() {
	for address, of := range w.starts {
		if of.server != nil && of.server.listener.dead.Load() {
			continue
		}
		if n := len(of.heard); n > len(of.due) || !slices.Equal(of.heard, of.due[:n]) {
			w.violate("%s at %s is told of the matches and seeds %v, want %v", w.guestAt(address), address,
				of.heard, of.due)
		}
	}
}
