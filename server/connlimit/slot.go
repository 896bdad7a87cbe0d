package connlimit

import "runtime"

// Slot is the place of one connection in the budget of its port. Its methods may be
// called by any goroutine, in any order, and more than once. The methods of a nil
// Slot do nothing, for connections that are not counted.
type Slot struct {
	port    *Port
	sources []source // the address, and the networks that it is counted with

	// Guarded by the limiter's mutex.
	state state
	local bool   // admitted beyond the limits
	place place  // in a queue
	drop  func() // tells the peer to go
	hard  func() // closes the connection
	due   due    // what has to be run once the callbacks are known
}

// state is how far a connection has come.
type state uint8

const (
	closed state = iota // takes no place, yet or any more
	fresh               // has not logged in, or has no request under way
	busy                // has logged in, or has a request under way
	left                // has been told to go
)

// due is which callback has been called for before it was known.
type due uint8

const (
	nothing due = iota
	dueDrop
	dueClose
)

// group is what the slot's connection is compared by when one has to be dropped: the
// largest network that one customer of a provider usually has.
func (s *Slot) group() source { return s.sources[len(s.sources)-1] }

// OnEvict sets what is called when the connection has to make room for another: drop,
// in which it may say goodbye, or hard, which has to close it at once. Either may be
// called at once if room was needed in the meantime; both may be called by any
// goroutine, and must not wait for the peer.
func (s *Slot) OnEvict(drop, hard func()) {
	if s == nil {
		return
	}
	l := s.port.limiter
	l.mu.Lock()
	s.drop, s.hard = drop, hard
	late := s.due
	s.due = nothing
	l.mu.Unlock()
	switch late {
	case dueDrop:
		drop()
	case dueClose:
		hard()
	}
}

// Keep marks the connection as logged in, or its request as under way: it is not
// dropped for others, unless its port is shared. It reports false if the connection
// has been dropped already, or told to go.
func (s *Slot) Keep() (kept bool) { return s == nil || s.move(fresh, busy) }

// Yield is the opposite of Keep.
func (s *Slot) Yield() {
	if s != nil {
		s.move(busy, fresh)
	}
}

// move changes the state from one to another, and reports whether it is the other now.
func (s *Slot) move(from, to state) bool {
	l := s.port.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.state == from {
		s.port.set(s, to)
	}
	return s.state == to
}

// Leave marks the connection as told to go: it no longer counts against the limit of
// its address, but against the bound of those that leave.
func (s *Slot) Leave() {
	if s == nil {
		return
	}
	l := s.port.limiter
	l.mu.Lock()
	var victims []eviction
	if s.state == fresh || s.state == busy {
		victims = s.port.leave(s)
	}
	l.mu.Unlock()
	for _, v := range victims {
		v.run()
	}
}

// Release gives the place up: the connection is closed.
func (s *Slot) Release() {
	if s == nil {
		return
	}
	l := s.port.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	s.remove()
}

// remove takes the slot out of all counts. The caller holds mu.
func (s *Slot) remove() {
	switch s.state {
	case closed:
		return
	case fresh, busy:
		s.port.uncount(s)
	}
	s.port.set(s, closed)
	s.port.limiter.open--
}

// close takes the slot out of all counts before its connection is closed. The caller
// holds mu and runs what is returned.
func (s *Slot) close() eviction {
	s.remove()
	return eviction{s, true}
}

// eviction is a callback that has to be run without the limiter's mutex.
type eviction struct {
	slot *Slot
	hard bool
}

// run calls the callback, or leaves a note for OnEvict.
func (e eviction) run() {
	s := e.slot
	l := s.port.limiter
	l.mu.Lock()
	call := s.drop
	if e.hard {
		call = s.hard
	}
	if call == nil {
		s.due = dueDrop
		if e.hard {
			s.due = dueClose
		}
	}
	l.mu.Unlock()
	if call == nil {
		return
	}
	call()
	if e.hard {
		runtime.Gosched() // its reader lets go of the descriptor
	}
}
