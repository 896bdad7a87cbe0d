package sim

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"time"
)

// visitor is a client of the server that connects again and again: with a conduct, from a host,
// over connections of a quality.
type visitor struct {
	*actor
	plan    *plan
	conduct string
	host    string
	quality quality
	over    bool    // it does not come again
	kept    []*Conn // that it does not use any more
}

// visitor returns a visitor whose connections are drawn from rng.
func (p *plan) visitor(conduct, host string, rng *rand.Rand) visitor {
	return visitor{plan: p, conduct: conduct, host: host, quality: p.quality(rng, conduct)}
}

// mostVisits is how often a visitor connects, at the most.
const mostVisits = 30

// attend calls visit with one connection after another, until the visitor does not come again or
// the server has ended.
func (v *visitor) attend(a *actor, visit func(c *client, server *generation)) {
	v.actor = a
	a.sleep(between(a.rng, 0, 500*time.Millisecond))
	defer func() {
		for _, conn := range v.kept {
			_ = conn.Close()
		}
	}()
	for range mostVisits {
		server := a.newest()
		c, err := a.connect(v.host, v.quality)
		switch {
		case err == nil:
			visit(c, server)
			if !slices.Contains(v.kept, c.conn) {
				_ = c.conn.Close()
			}
		case a.closing():
			return
		}
		if v.over {
			return
		}
		a.sleep(between(a.rng, 0, 300*time.Millisecond))
	}
}

// breaks is the number of ways in which breakOff ends a connection.
const breaks = 3

// breakOff ends a connection in one of the ways in which those of TCP end.
func (v *visitor) breakOff(conn *Conn, way int) {
	if conn.pipes {
		way = 0 // which is the only one in which pipes end
	}
	switch way {
	case 0:
		v.note("closes its connection")
		_ = conn.Close()
	case 1:
		v.note("resets its connection")
		conn.abort(syscall.ECONNRESET)
	case 2:
		v.note("is cut off")
		conn.silence()
	}
}

// stayAway waits for a while, after which the visitor may come too late or not at all.
func (v *visitor) stayAway() {
	v.over = chance(v.rng, 4)
	v.sleep(between(v.rng, 0, max(v.plan.grace, time.Second)*3/2))
}
