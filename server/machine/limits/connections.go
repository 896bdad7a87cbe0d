// Package limits bounds what peers can cause. [Connections] limits the connections of a
// process: those of each port, those of each address, and, by the number of descriptors,
// those of all ports together. [Log] limits the lines of its log.
//
// A full port drops connections that have not logged in, so that clients that log in at
// once are admitted however many connections are silent. The package starts no goroutine,
// only the timer of a Log; callbacks of connections run in the goroutine of the caller.
package limits

import (
	"sync"

	"github.com/rs/zerolog"
)

// PortLimits are the limits of a port. 0 connections stand for no limit.
type PortLimits struct {
	Connections int // open at a time, and as many again that have been kicked
	// of these, from one address; twice that from an IPv6 /56, four times that from a /48
	PerAddress int
	Local      int // in addition, from this machine: a probe, or an operator with a browser
	// Shared makes a full port without idle connections also drop connections in use: those
	// of the address with the most, for an address with less than half as many.
	Shared bool
}

// Reasons to refuse or drop a connection. The texts are for peers.
const (
	TooMany            = "Too many connections"
	TooManyFromAddress = "Too many connections from your address"
)

// natShare is the share of a port's connections above which an address is assumed to
// be a NAT gateway, such as a school's or a container host's, and is exempt from the
// limit of an address.
const natShare = 2.0 / 3

// othersShare is the fraction of a port's connections, as a divisor, that such an address
// leaves to others: otherwise one machine could occupy the whole port.
const othersShare = 10

// Connections is the state that the ports of a process share.
type Connections struct {
	total int // limit for all ports together; zero means no limit
	log   zerolog.Logger

	mu    sync.Mutex // guards the fields below, and those of the ports and their slots
	open  int        // connections of all ports
	ports []*Port
}

// NewConnections returns limits without ports. total limits the connections of all ports, including
// those that have been kicked; 0 is no limit.
func NewConnections(total int, log zerolog.Logger) *Connections {
	return &Connections{total: total, log: log}
}

// Port counts the connections of one port.
type Port struct {
	connections *Connections
	limits      PortLimits

	counted int // connections that count against the limits, without leaving ones
	local   int // admitted from this machine beyond the limits
	from    map[source]int
	exempt  map[source]bool // addresses whose exemption was logged
	idle    queue           // connections that have not logged in
	used    queue           // connections in use, of a shared port
	leaving queue           // connections that have been kicked
}

// Port adds a port with the given limits.
func (c *Connections) Port(limits PortLimits) *Port {
	p := &Port{connections: c, limits: limits, from: map[source]int{}, exempt: map[source]bool{}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ports = append(c.ports, p)
	return p
}

// Admit admits a connection from an address with host and port, until its slot is released,
// or returns why it is refused. The new connection may replace one that has not logged
// in.
func (p *Port) Admit(address string) (s *Slot, refusal string) {
	s = &Slot{port: p, sources: sourcesOf(address)}
	p.connections.mu.Lock()
	victims, refusal := p.admit(s)
	p.connections.mu.Unlock()
	victims.run()
	if refusal != "" {
		return nil, refusal
	}
	return s, ""
}

// admit counts a slot, and returns the evictions of the connections that it replaces. The
// caller holds mu.
func (p *Port) admit(s *Slot) (victims evictions, refusal string) {
	refusal = p.makeRoom(s, &victims)
	if refusal != "" {
		if !s.sources[0].loopback() || p.local >= p.limits.Local {
			return victims, refusal
		}
		s.local = true
		p.local++
	}
	p.connections.open++
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

// queueOf returns the queue for slots in a state, or nil.
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

// makeRoom drops connections until the slot fits, or returns why it does not. The caller
// holds mu.
func (p *Port) makeRoom(s *Slot, victims *evictions) (refusal string) {
	for level, from := range s.sources {
		limit := p.limits.PerAddress << level
		if limit == 0 || p.from[from] < limit || p.exempts(from) {
			continue
		}
		v := p.idle.oldestOf(from, s.group())
		if v == nil {
			return TooManyFromAddress
		}
		*victims = append(*victims, p.drop(v)...)
	}
	if limit := p.limits.Connections; limit > 0 && p.counted-p.local >= limit {
		v := p.idle.victim()
		if v == nil {
			v = p.used.victimFor(s.group())
		}
		if v == nil {
			return TooMany
		}
		*victims = append(*victims, p.drop(v)...)
	}
	if c := p.connections; c.total > 0 && c.open >= c.total {
		v := c.victim(p, s.group())
		if v == nil {
			return TooMany
		}
		*victims = append(*victims, v.close())
	}
	return ""
}

// exempts reports whether an address is exempt from the limit per address, because most
// connections come from it. The caller holds mu.
func (p *Port) exempts(from source) bool {
	n := p.from[from]
	if float64(n) < natShare*float64(p.counted) {
		return false
	}
	if limit := p.limits.Connections; limit > 0 && n >= limit-limit/othersShare {
		return false
	}
	if !p.exempt[from] {
		p.exempt[from] = true
		p.connections.log.Warn().Stringer("address", from).Int("connections", n).
			Msg("Most connections come from one address, probably a NAT gateway: its limit is lifted")
	}
	return true
}

// count adds n to the counts of a slot's port and addresses. The caller holds mu.
func (p *Port) count(s *Slot, n int) {
	p.counted += n
	for _, from := range s.sources {
		if p.from[from] += n; p.from[from] == 0 {
			delete(p.from, from)
			delete(p.exempt, from)
		}
	}
}

// drop kicks a connection. The caller holds mu and runs the returned evictions.
func (p *Port) drop(s *Slot) evictions {
	return append(p.leave(s), s.drop)
}

// leave moves a slot to the leaving ones. If there are too many of these, the oldest one of
// the address with the most is closed. The caller holds mu.
func (p *Port) leave(s *Slot) (victims evictions) {
	p.uncount(s)
	p.set(s, left)
	if limit := p.limits.Connections; limit > 0 && p.leaving.n > limit {
		victims = append(victims, p.leaving.victim().close())
	}
	return victims
}

// uncount removes a slot from the counts. The caller holds mu.
func (p *Port) uncount(s *Slot) {
	p.count(s, -1)
	if s.local {
		s.local = false
		p.local--
	}
}

// victim returns the connection to close for a new one when descriptors run out: a leaving
// one, an idle one, or one in use on a shared port, in this order, and of the port itself
// before other ports. It returns nil if it finds no such connection. The caller holds mu.
func (c *Connections) victim(of *Port, other source) *Slot {
	for _, choose := range []func(*Port) *Slot{
		func(p *Port) *Slot { return p.leaving.victim() },
		func(p *Port) *Slot { return p.idle.victim() },
		func(p *Port) *Slot { return p.used.victimFor(other) },
	} {
		for _, p := range append([]*Port{of}, c.ports...) {
			if s := choose(p); s != nil {
				return s
			}
		}
	}
	return nil
}
