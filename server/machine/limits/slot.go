package limits

import "runtime"

// Slot is one connection's share of its port's limit. Any goroutine may call its methods, in
// any order and repeatedly. The methods of a nil Slot do nothing, for connections that are
// not counted.
type Slot struct {
	port    *Port
	sources []source // the address and the networks that it counts for

	// Guarded by the mutex of Connections.
	state state
	local bool   // admitted in addition to the limits
	place place  // in a queue
	drop  func() // kicks the peer; nil until it is set
	hard  func() // closes the connection; nil until it is set
}

// state is the state of a connection.
type state uint8

const (
	closed state = iota // not counted (any more)
	fresh               // has not logged in, or is serving no request
	busy                // has logged in, or is serving a request
	left                // has been kicked
)

// group returns the source by which connections are compared when one has to be dropped: the
// largest network that one customer of a provider usually has.
func (s *Slot) group() source { return s.sources[len(s.sources)-1] }

// OnEvict sets the functions to call when the connection has to make room for another one:
// drop, which may kick the peer first, or hard, which must close the connection at once. If
// room was needed meanwhile, OnEvict calls one of them. Any goroutine may call them, and
// they must not wait for the peer.
func (s *Slot) OnEvict(drop, hard func()) {
	s.change(func() evictions {
		s.drop, s.hard = drop, hard
		switch s.state {
		case left:
			return evictions{drop}
		case closed:
			return evictions{hard}
		}
		return nil
	})
}

// Keep marks the connection as logged in, or as serving a request: it is not dropped for
// others, unless its port is shared. It reports false if the connection has already been
// dropped or kicked.
func (s *Slot) Keep() (kept bool) { return s == nil || s.move(fresh, busy) }

// Yield undoes Keep.
func (s *Slot) Yield() { s.move(busy, fresh) }

// move changes the state if it is from, and reports whether it is to now.
func (s *Slot) move(from, to state) (moved bool) {
	s.change(func() evictions {
		if s.state == from {
			s.port.set(s, to)
		}
		moved = s.state == to
		return nil
	})
	return moved
}

// Leave marks the connection as kicked: it no longer counts against the limit of its
// address, but against that of leaving connections.
func (s *Slot) Leave() {
	s.change(func() evictions {
		if s.state == fresh || s.state == busy {
			return s.port.leave(s)
		}
		return nil
	})
}

// Release marks the connection as closed.
func (s *Slot) Release() {
	s.change(func() evictions {
		s.remove()
		return nil
	})
}

// change calls do with the mutex of Connections, and then what do returns without it. It does
// nothing for a nil Slot.
func (s *Slot) change(do func() evictions) {
	if s == nil {
		return
	}
	c := s.port.connections
	c.mu.Lock()
	victims := do()
	c.mu.Unlock()
	victims.run()
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
	s.port.connections.open--
}

// close removes the slot from all counts and returns the callback that closes its
// connection, or nil. The caller holds mu.
func (s *Slot) close() func() {
	s.remove()
	return s.hard
}

// evictions are callbacks of connections that made room for others. They are run without
// the mutex of Connections. A nil one is called by OnEvict.
type evictions []func()

func (e evictions) run() {
	for _, evict := range e {
		if evict != nil {
			evict()
			runtime.Gosched() // lets the connection's reader release the descriptor
		}
	}
}
