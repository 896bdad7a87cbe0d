package connlimit

import "runtime"

// Slot is one connection's share of its port's limit. Any goroutine may call its methods, in
// any order and repeatedly. The methods of a nil Slot do nothing, for connections that are
// not counted.
type Slot struct {
	port    *Port
	sources []source // the address and the networks that it counts for

	// Guarded by the limiter's mutex.
	state state
	local bool   // admitted in addition to the limits
	place place  // in a queue
	drop  func() // kicks the peer
	hard  func() // closes the connection
	due   due    // the callback to run once both are set
}

// state is the state of a connection.
type state uint8

const (
	closed state = iota // not counted (any more)
	fresh               // has not logged in, or is serving no request
	busy                // has logged in, or is serving a request
	left                // has been kicked
)

// due is the callback that was needed before it was set.
type due uint8

const (
	nothing due = iota
	dueDrop
	dueClose
)

// group returns the source by which connections are compared when one has to be dropped: the
// largest network that one customer of a provider usually has.
func (s *Slot) group() source { return s.sources[len(s.sources)-1] }

// OnEvict sets the functions to call when the connection has to make room for another one:
// drop, which may kick the peer first, or hard, which must close the connection at once. If
// room was needed meanwhile, OnEvict calls one of them. Any goroutine may call them, and
// they must not wait for the peer.
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

// Keep marks the connection as logged in, or as serving a request: it is not dropped for
// others, unless its port is shared. It reports false if the connection has already been
// dropped or kicked.
func (s *Slot) Keep() (kept bool) { return s == nil || s.move(fresh, busy) }

// Yield undoes Keep.
func (s *Slot) Yield() {
	if s != nil {
		s.move(busy, fresh)
	}
}

// move changes the state if it is from, and reports whether it is to now.
func (s *Slot) move(from, to state) bool {
	l := s.port.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.state == from {
		s.port.set(s, to)
	}
	return s.state == to
}

// Leave marks the connection as kicked: it no longer counts against the limit of its
// address, but against that of leaving connections.
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

// Release marks the connection as closed.
func (s *Slot) Release() {
	if s == nil {
		return
	}
	l := s.port.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	s.remove()
}

// remove removes the slot from all counts. The caller holds mu.
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

// close removes the slot from all counts and returns the eviction that closes its
// connection. The caller holds mu and runs the eviction.
func (s *Slot) close() eviction {
	s.remove()
	return eviction{s, true}
}

// eviction is a callback to be run without holding the limiter's mutex.
type eviction struct {
	slot *Slot
	hard bool
}

// run calls the callback, or leaves that to OnEvict.
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
		runtime.Gosched() // lets the connection's reader release the descriptor
	}
}
