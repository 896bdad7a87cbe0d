package server

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/session"
)

// Limits bound the connections of a port; 0 is no bound.
type Limits struct {
	Connections int // open at a time
	PerAddress  int // of these, from one address
}

// Why a connection is refused.
const (
	tooMany        = "Too many connections"
	tooManyFromYou = "Too many connections from your address"
)

// gateway is the share of all connections from which on an address is taken for
// that of a gateway, behind which everybody sits: as in containers and schools.
const gateway = 2.0 / 3

// reserve is the part of all connections that a gateway leaves to others: else one
// machine alone could keep everybody out.
const reserve = 10

// Turnstile counts connections.
type Turnstile struct {
	limits Limits
	log    zerolog.Logger

	mu     sync.Mutex // guards all below
	open   int
	from   map[string]int
	lifted map[string]bool // addresses that the warning was for
}

// NewTurnstile makes a turnstile with nobody in.
func NewTurnstile(l Limits, log zerolog.Logger) *Turnstile {
	return &Turnstile{limits: l, log: log, from: map[string]int{}, lifted: map[string]bool{}}
}

// Enter lets a connection in, until leave, or says why not.
func (t *Turnstile) Enter(address string) (leave func(), refusal string) {
	host := sourceOf(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	if most := t.limits.Connections; most > 0 && t.open >= most {
		return nil, tooMany
	}
	if most := t.limits.PerAddress; most > 0 && t.from[host] >= most && !t.lift(host) {
		return nil, tooManyFromYou
	}
	t.open++
	t.from[host]++
	return func() { t.leave(host) }, ""
}

// sourceOf is what counts as one address: of IPv6 the network of 64 bits, in which a
// machine may have as many addresses as it likes.
func sourceOf(address string) string {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	ip := peer.Addr().Unmap().WithZone("")
	if ip.Is6() {
		return netip.PrefixFrom(ip, 64).Masked().String()
	}
	return ip.String()
}

func (t *Turnstile) leave(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	if t.from[host]--; t.from[host] == 0 {
		delete(t.from, host)
		delete(t.lifted, host)
	}
}

// lift says whether an address may have more connections than others, since
// most come from it. The caller holds mu.
func (t *Turnstile) lift(host string) bool {
	if float64(t.from[host]) < gateway*float64(t.open) {
		return false
	}
	if most := t.limits.Connections; most > 0 && t.from[host] >= most-most/reserve {
		return false
	}
	if !t.lifted[host] {
		t.lifted[host] = true
		t.log.Warn().Str("address", host).Int("connections", t.from[host]).
			Msg("Most connections come from one address, as behind a gateway: it may have more than others")
	}
	return true
}

// enterTCP hosts a connection that is let in. The others are told why they are
// not, if they take that at once, and closed.
func (s *Server) enterTCP(conn net.Conn) {
	leave, refusal := s.doors.Enter(conn.RemoteAddr().String())
	if refusal != "" {
		s.session.Meter.Refused(refusal)
		_ = conn.SetWriteDeadline(time.Now().Add(refusalTime))
		_, _ = conn.Write(netorcai.AppendKick(nil, refusal))
		_ = conn.Close()
		return
	}
	defer leave()
	s.host(session.OverTCP(conn))
}

// refusalTime bounds the writing of a refusal.
const refusalTime = 100 * time.Millisecond
