// Package connlimit bounds the connections of a process: those of each port, those
// of each address, and those of all ports together by the descriptors there are.
//
// A port that is full drops connections that have not logged in, so that clients
// that log in at once get in however many connections say nothing. The package
// starts no goroutine; its callbacks run in the goroutine of its caller.
package connlimit

import (
	"sync"

	"github.com/rs/zerolog"
)

// Limits bound the connections of a port; 0 connections are no bound.
type Limits struct {
	Connections int // open at a time, and as many again that have been told to go
	PerAddress  int // of these, from one address; twice that from an IPv6 /56, four times that from a /48
	Local       int // beyond these, from this machine: a probe, or an operator with a browser
	// Shared drops connections in use as well when the port is full and none is idle:
	// those of the address with the most, for one that has less than half as many.
	Shared bool
}

// Why a connection is refused or dropped. The texts are for peers.
const (
	TooMany            = "Too many connections"
	TooManyFromAddress = "Too many connections from your address"
)

// natShare is the share of a port's connections above which an address is assumed to
// be a NAT gateway, such as a school's or a container host's, and is exempt from the
// limit of an address.
const natShare = 2.0 / 3

// othersShare is the part of a port's connections, one in so many, that such an
// address leaves to others: otherwise one machine could occupy the whole port.
const othersShare = 10

// Limiter is what the ports of a process share.
type Limiter struct {
	total int // connections of all ports; 0: any number
	log   zerolog.Logger

	mu    sync.Mutex // guards all below, and all in the ports and their slots
	open  int        // connections of all ports
	ports []*Port
}

// New returns a limiter without ports. total bounds the connections of all of them,
// those that have been told to go included; 0 is no bound.
func New(total int, log zerolog.Logger) *Limiter {
	return &Limiter{total: total, log: log}
}

// Port counts the connections of one port.
type Port struct {
	limiter *Limiter
	limits  Limits

	counted int // connections that count against the limits: not those that leave
	local   int // admitted from this machine beyond the limits
	from    map[source]int
	exempt  map[source]bool // addresses whose exemption was logged
	idle    queue           // connections that have not logged in
	used    queue           // connections in use, of a shared port
	leaving queue           // connections that have been told to go
}

// Port adds a port with limits of its own.
func (l *Limiter) Port(limits Limits) *Port {
	p := &Port{limiter: l, limits: limits, from: map[source]int{}, exempt: map[source]bool{}}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ports = append(l.ports, p)
	return p
}

// Admit admits a connection from an address, host and port, until its slot is
// released, or returns why it is refused. The new connection may take the place of
// one that has not logged in.
func (p *Port) Admit(address string) (s *Slot, refusal string) {
	s = &Slot{port: p, sources: sourcesOf(address)}
	l := p.limiter
	l.mu.Lock()
	victims, refusal := p.admit(s)
	l.mu.Unlock()
	for _, v := range victims {
		v.run()
	}
	if refusal != "" {
		return nil, refusal
	}
	return s, ""
}

// admit counts a slot, and returns what has to be run for the connections whose
// place it takes. The caller holds mu.
func (p *Port) admit(s *Slot) (victims []eviction, refusal string) {
	refusal = p.makeRoom(s, &victims)
	if refusal != "" {
		if !s.sources[0].loopback() || p.local >= p.limits.Local {
			return victims, refusal
		}
		s.local = true
		p.local++
	}
	p.limiter.open++
	p.count(s, 1)
	p.set(s, fresh)
	return victims, ""
}

// set moves a slot to the queue of its new state. The caller holds mu.
func (p *Port) set(s *Slot, to state) {
	if q := p.queueOf(s.state); q != nil {
		q.remove(s)
	}
	s.state = to
	if q := p.queueOf(to); q != nil {
		q.add(s)
	}
}

// queueOf returns the queue that holds the slots in a state, nil if none does.
func (p *Port) queueOf(of state) *queue {
	switch {
	case of == fresh:
		return &p.idle
	case of == busy && p.limits.Shared:
		return &p.used
	case of == left:
		return &p.leaving
	}
	return nil
}

// makeRoom drops idle connections until one of the slot's source fits, or returns
// why it does not. The caller holds mu.
func (p *Port) makeRoom(s *Slot, victims *[]eviction) (refusal string) {
	for level, from := range s.sources {
		most := p.limits.PerAddress << level
		if most == 0 || p.from[from] < most || p.exempts(from) {
			continue
		}
		v := p.idle.oldestOf(from, s.group())
		if v == nil {
			return TooManyFromAddress
		}
		*victims = append(*victims, p.drop(v)...)
	}
	if most := p.limits.Connections; most > 0 && p.counted-p.local >= most {
		v := p.idle.victim()
		if v == nil {
			v = p.used.victimFor(s.group())
		}
		if v == nil {
			return TooMany
		}
		*victims = append(*victims, p.drop(v)...)
	}
	if l := p.limiter; l.total > 0 && l.open >= l.total {
		v := l.victim(p, s.group())
		if v == nil {
			return TooMany
		}
		*victims = append(*victims, v.close())
	}
	return ""
}

// exempts reports whether an address is exempt from the limit of an address, because
// most connections come from it. The caller holds mu.
func (p *Port) exempts(from source) bool {
	n := p.from[from]
	if float64(n) < natShare*float64(p.counted) {
		return false
	}
	if most := p.limits.Connections; most > 0 && n >= most-most/othersShare {
		return false
	}
	if !p.exempt[from] {
		p.exempt[from] = true
		p.limiter.log.Warn().Stringer("address", from).Int("connections", n).
			Msg("Most connections come from one address, as behind a gateway: it may have more than others")
	}
	return true
}

// count adds n to what counts against the limits of a slot's port and addresses.
// The caller holds mu.
func (p *Port) count(s *Slot, n int) {
	p.counted += n
	for _, from := range s.sources {
		if p.from[from] += n; p.from[from] == 0 {
			delete(p.from, from)
			delete(p.exempt, from)
		}
	}
}

// drop tells a connection to go. The caller holds mu and runs what is returned.
func (p *Port) drop(s *Slot) []eviction {
	return append(p.leave(s), eviction{s, false})
}

// leave moves a slot to those that leave. Beyond the bound of these, the oldest of the
// address with the most is closed. The caller holds mu.
func (p *Port) leave(s *Slot) (victims []eviction) {
	p.uncount(s)
	p.set(s, left)
	if most := p.limits.Connections; most > 0 && p.leaving.n > most {
		victims = append(victims, p.leaving.victim().close())
	}
	return victims
}

// uncount takes a slot off the limits. The caller holds mu.
func (p *Port) uncount(s *Slot) {
	p.count(s, -1)
	if s.local {
		s.local = false
		p.local--
	}
}

// victim returns the connection to close when the descriptors run out, for one of a
// source: one that leaves, one that is idle, or one in use on a shared port, of a port
// itself before those of others; nil if there is none. The caller holds mu.
func (l *Limiter) victim(of *Port, other source) *Slot {
	ports := append([]*Port{of}, l.ports...)
	for _, p := range ports {
		if s := p.leaving.victim(); s != nil {
			return s
		}
	}
	for _, p := range ports {
		if s := p.idle.victim(); s != nil {
			return s
		}
	}
	for _, p := range ports {
		if s := p.used.victimFor(other); s != nil {
			return s
		}
	}
	return nil
}
