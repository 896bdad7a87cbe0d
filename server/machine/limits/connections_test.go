package limits

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rs/zerolog"
)

// conn is a connection in a test.
type conn struct {
	*Slot
	name             string
	dropped, evicted bool
}

// testPort is a port and its test.
type testPort struct {
	t *testing.T
	*Port
}

func open(t *testing.T, l PortLimits) testPort {
	return testPort{t, NewConnections(0, zerolog.Nop()).Port(l)}
}

// enter admits a connection from a host, or returns why it is refused.
func (h testPort) enter(host string) (*conn, string) {
	s, refusal := h.Admit(host)
	c := &conn{Slot: s, name: host}
	s.OnEvict(func() { c.dropped = true }, func() { c.evicted = true })
	return c, refusal
}

// seat admits a connection that then logs in.
func (h testPort) seat(host string) *conn {
	h.t.Helper()
	c, refusal := h.enter(host)
	if refusal != "" {
		h.t.Fatalf("%s: %s", host, refusal)
	}
	c.Keep()
	return c
}

func (h testPort) expect(host, want string) {
	h.t.Helper()
	if _, refusal := h.enter(host); refusal != want {
		h.t.Errorf("one more of %s: %q, want %q", host, refusal, want)
	}
}

// An address with most of the connections may exceed its limit, but not occupy the port.
func TestOneAddressLeavesRoom(t *testing.T) {
	h := open(t, PortLimits{Connections: 20, PerAddress: 2})
	for range 18 {
		h.seat("10.0.0.1:1")
	}
	h.expect("10.0.0.1:2", TooManyFromAddress)
	h.seat("10.0.0.2:1")
	h.seat("10.0.0.3:1")
	h.expect("10.0.0.4:1", TooMany)
}

func TestWhatCountsAsOneAddress(t *testing.T) {
	for _, tt := range []struct {
		one, other string
		same       bool
	}{
		{"10.0.0.1:1", "10.0.0.1:2", true},
		{"10.0.0.1:1", "10.0.0.2:1", false},
		{"10.0.0.1:1", "[::ffff:10.0.0.1]:2", true},
		{"[2001:db8::1]:1", "[2001:db8::ffff:2]:1", true},
		{"[2001:db8::1]:1", "[2001:db8:0:1::1]:1", false},
		{"[fe80::1%eth0]:1", "[fe80::2%eth1]:1", true},
		{"pipe", "pipe", true},
	} {
		h := open(t, PortLimits{Connections: 20, PerAddress: 1})
		for i := range 3 { // so that most connections come from neither of them
			h.seat(fmt.Sprintf("192.168.0.%d:1", i))
		}
		h.seat(tt.one)
		if _, refusal := h.enter(tt.other); (refusal != "") != tt.same {
			t.Errorf("%s and %s: %q, want them to be the same: %v", tt.one, tt.other, refusal, tt.same)
		}
	}
}

// A large IPv6 network may have as many connections as a few machines, not more.
func TestIPv6NetworksHaveACeiling(t *testing.T) {
	for _, tt := range []struct {
		format string // of the addresses of one customer
		most   int
	}{
		{"[2001:db8:1:1::%x]:1", 10},     // a machine
		{"[2001:db8:1:%x::1]:1", 20},     // a household: the /64s of a /56
		{"[2001:db8:1:%x00::1]:1", 40},   // a site: the /56s of a /48
		{"[2001:db8:%x:1::1]:1", 1 << 8}, // different customers
	} {
		h := open(t, PortLimits{Connections: 10_000, PerAddress: 10})
		for i := range 300 { // so that no address counts as a NAT gateway
			h.seat(fmt.Sprintf("10.0.%d.%d:1", i/200, i%200))
		}
		in := 0
		for i := range 1 << 8 {
			c, refusal := h.enter(fmt.Sprintf(tt.format, i))
			if refusal == "" {
				c.Keep()
				in++
			}
		}
		if in != tt.most {
			t.Errorf("%s: %d connections, want %d", tt.format, in, tt.most)
		}
	}
}

// Silent connections do not keep others out: the oldest one of the address with the most
// is dropped.
func TestIdleConnectionsGiveWay(t *testing.T) {
	h := open(t, PortLimits{Connections: 20, PerAddress: 100})
	player := h.seat("10.0.0.9:1")
	var flood []*conn
	for i := range 19 {
		host := "10.0.0.1:1"
		if i%4 == 0 {
			host = "10.0.0.2:1"
		}
		c, _ := h.enter(host)
		flood = append(flood, c)
	}
	h.expect("10.0.0.3:1", "")
	h.expect("10.0.0.4:1", "")
	for i, c := range flood {
		if want := i == 1 || i == 2; c.dropped != want {
			t.Errorf("connection %d of %s: dropped is %v, want %v", i, c.name, c.dropped, want)
		}
	}
	if player.dropped || player.evicted {
		t.Error("a player is dropped")
	}
}

// Within the limit of an address, a login replaces an idle connection.
func TestIdleConnectionsOfOneAddressGiveWay(t *testing.T) {
	h := open(t, PortLimits{Connections: 100, PerAddress: 3})
	for i := range 10 {
		h.seat(fmt.Sprintf("10.0.1.%d:1", i))
	}
	h.seat("10.0.0.1:1")
	idle, _ := h.enter("10.0.0.1:2")
	h.seat("10.0.0.1:3")
	h.seat("10.0.0.1:4")
	if !idle.dropped {
		t.Error("the idle connection is still there")
	}
	h.expect("10.0.0.1:5", TooManyFromAddress)
}

// Connections that have been kicked do not count against their address, and have a separate
// limit.
func TestLeavingConnectionsDoNotCount(t *testing.T) {
	h := open(t, PortLimits{Connections: 40, PerAddress: 4})
	for i := range 10 {
		h.seat(fmt.Sprintf("10.0.1.%d:1", i))
	}
	var gone []*conn
	for range 50 {
		c := h.seat("10.0.0.1:1")
		c.Leave()
		c.Leave() // may be called repeatedly
		gone = append(gone, c)
	}
	for i, c := range gone {
		if want := i < 10; c.evicted != want { // 40 may leave at a time
			t.Errorf("connection %d: closed is %v, want %v", i, c.evicted, want)
		}
	}
}

// All ports together leave descriptors to the rest of the process.
func TestPortsShareDescriptors(t *testing.T) {
	l := NewConnections(10, zerolog.Nop())
	bots, page := testPort{
		t, l.Port(PortLimits{Connections: 100}),
	}, testPort{t, l.Port(PortLimits{Connections: 100})}
	var idle []*conn
	for range 6 {
		c, _ := page.enter("10.0.0.1:1")
		idle = append(idle, c)
	}
	for range 10 {
		bots.seat("10.0.0.2:1")
	}
	bots.expect("10.0.0.2:1", TooMany)
	page.expect("10.0.0.2:1", TooMany)
	for _, c := range idle {
		if !c.evicted {
			t.Error("an idle connection keeps its descriptor")
		}
	}
}

// Viewers of one address leave descriptors to players.
func TestViewersLeaveDescriptors(t *testing.T) {
	l := NewConnections(10, zerolog.Nop())
	bots, page := testPort{t, l.Port(PortLimits{Connections: 100})}, testPort{
		t, l.Port(PortLimits{Connections: 100, Shared: true}),
	}
	for range 10 {
		page.seat("10.0.0.1:1")
	}
	for range 8 { // until it has two, which is no more than twice one
		bots.seat("10.0.0.2:1")
	}
	bots.expect("10.0.0.2:1", TooMany)
}

// On a shared port, an address with most of the connections in use makes room for others,
// but not the other way round.
func TestSharedPort(t *testing.T) {
	h := open(t, PortLimits{Connections: 20, PerAddress: 2, Shared: true})
	var hog []*conn
	for range 18 {
		hog = append(hog, h.seat("10.0.0.1:1"))
	}
	others := []*conn{h.seat("10.0.0.2:1"), h.seat("10.0.0.2:1")}
	for i := range 8 { // two of each of four others
		others = append(others, h.seat(fmt.Sprintf("10.0.1.%d:1", i/2)))
	}
	for i, c := range hog {
		if want := i < 8; c.dropped != want {
			t.Errorf("connection %d of the address with the most: dropped is %v, want %v", i, c.dropped,
				want)
		}
	}
	for _, c := range others {
		if c.dropped {
			t.Errorf("a connection of %s was dropped", c.name)
		}
	}
	for _, c := range hog[8:14] { // four are left: no more than twice two
		c.Release()
	}
	for i := range 6 {
		h.seat(fmt.Sprintf("10.0.2.%d:1", i))
	}
	h.seat("10.0.3.1:1") // more than twice one
	h.expect("10.0.2.1:1", TooMany)
}

// A program on this machine is admitted even if others have taken all connections.
func TestThisMachineGetsIn(t *testing.T) {
	h := open(t, PortLimits{Connections: 2, PerAddress: 1, Local: 8})
	h.seat("10.0.0.1:1")
	h.seat("10.0.0.2:1")
	h.expect("10.0.0.3:1", TooMany)
	for range 3 {
		var local []*conn
		for i := range 8 {
			local = append(local, h.seat([]string{"127.0.0.1:1", "[::1]:1"}[i%2]))
		}
		h.expect("127.0.0.1:1", TooManyFromAddress)
		for _, c := range local {
			c.Release()
			c.Release()
		}
	}
}

// An eviction before the callbacks are set is not lost.
func TestEvictionBeforeCallbacks(t *testing.T) {
	h := open(t, PortLimits{Connections: 1})
	first, _ := h.Admit("10.0.0.1:1")
	h.expect("10.0.0.2:1", "")
	dropped := false
	first.OnEvict(func() { dropped = true }, func() { t.Error("closed") })
	if !dropped {
		t.Error("the callback was not called")
	}
	if first.Keep() {
		t.Error("a connection that was dropped is kept")
	}
	first.Release()
	if first.Keep() {
		t.Error("a connection that is closed is kept")
	}
}

func TestNilSlot(t *testing.T) {
	var s *Slot
	s.OnEvict(nil, nil)
	if !s.Keep() {
		t.Error("a connection that is not counted is dropped")
	}
	s.Yield()
	s.Leave()
	s.Release()
}

// After any sequence of calls, the counts match the connections.
func TestCountsStayTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	h := open(t, PortLimits{Connections: 30, PerAddress: 7, Shared: true})
	var all []*conn
	for range 20_000 {
		if len(all) < 60 && rng.IntN(3) == 0 {
			if c, refusal := h.enter(fmt.Sprintf("10.0.0.%d:1", rng.IntN(12))); refusal == "" {
				all = append(all, c)
			}
			continue
		}
		if len(all) == 0 {
			continue
		}
		i := rng.IntN(len(all))
		switch c := all[i]; rng.IntN(5) {
		case 0:
			c.Keep()
		case 1:
			c.Yield()
		case 2:
			c.Leave()
		default:
			c.Release()
			all = append(all[:i], all[i+1:]...)
		}
		h.check(all)
	}
	for _, c := range all {
		c.Release()
	}
	if h.check(nil); len(h.from) > 0 || len(h.idle.groups) > 0 || len(h.leaving.groups) > 0 {
		t.Errorf("left over: %v, %v, %v", h.from, h.idle.groups, h.leaving.groups)
	}
}

// check compares the port's counts with those of its connections.
func (h testPort) check(all []*conn) {
	h.t.Helper()
	var idle, used, leaving, top int
	byHost := map[string]int{}
	for _, c := range all {
		switch c.state {
		case fresh:
			idle++
			byHost[c.name]++
			top = max(top, byHost[c.name])
		case busy:
			used++
		case left:
			leaving++
		}
	}
	if h.counted != idle+used || h.idle.n != idle || h.leaving.n != leaving || h.used.n != used ||
		h.connections.open != idle+used+leaving {
		h.t.Fatalf("counted %d, idle %d, leaving %d, open %d; want %d, %d, %d, %d",
			h.counted, h.idle.n, h.leaving.n, h.connections.open, idle+used, idle, leaving, idle+used+leaving)
	}
	if v := h.idle.victim(); (v == nil) != (idle == 0) ||
		v != nil && h.idle.groups[v.group()].slots.Len() != top {
		h.t.Fatalf("the victim is of a group that is not the largest, %d", top)
	}
}
