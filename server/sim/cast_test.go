package sim

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/server/access"
	"github.com/hexarena/hexarena/server/session"
)

// gate returns what decides which clients may log in, or nil.
func (p *plan) gate() session.Gate {
	if !p.tokens {
		return nil
	}
	var lines []byte
	for i := range p.honest {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("honest%02d", i)), "")
	}
	for i, conduct := range p.others {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("%s%02d", conduct, i)), "")
	}
	for i, conduct := range p.partners {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("%sbot%02d", conduct, i)), "")
	}
	for i, conduct := range p.people {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("%sperson%02d", conduct, i)), "")
	}
	for i := range p.viewers {
		lines = access.Append(lines, access.Visualization, tokenOf(fmt.Sprintf("viewer%02d", i)), "")
	}
	if lines == nil {
		return nil
	}
	list, err := access.Read(bytes.NewReader(lines))
	if err != nil {
		panic(err)
	}
	return list
}

// tokenOf returns the token of a guest.
func tokenOf(name string) string { return "token-" + name }

// cast starts the actors.
func (p *plan) cast(w *World) {
	w.act("operator", p.operate)
	hosts := w.rand("hosts")
	for i := range p.honest {
		w.act(fmt.Sprintf("honest%02d", i),
			p.guest("player", "honest", fmt.Sprintf("10.0.1.%d", i/4), w.rand(fmt.Sprint("link ", i))).play)
	}
	for i, conduct := range p.others {
		g := p.guest("player", conduct, fmt.Sprintf("10.0.2.%d", hosts.IntN(3)),
			w.rand(fmt.Sprint("other link ", i)))
		w.act(fmt.Sprintf("%s%02d", conduct, i), g.play)
	}
	if p.logic != "" {
		w.act("logic", (&logic{plan: p, quality: p.quality(w.rand("logic link"), "honest")}).play)
	}
	for i, conduct := range p.partners {
		o := p.newPartner(conduct, fmt.Sprintf("10.0.6.%d", i/2), w.rand(fmt.Sprint("partner link ", i)))
		w.act(fmt.Sprintf("%sbot%02d", conduct, i), o.play)
	}
	for i, conduct := range p.people {
		o := p.newPartner(conduct, fmt.Sprintf("10.0.9.%d", i), w.rand(fmt.Sprint("person link ", i)))
		o.person = true
		w.act(fmt.Sprintf("%sperson%02d", conduct, i), o.play)
	}
	for i, conduct := range p.listeners {
		w.act(fmt.Sprintf("%slistener%02d", conduct, i), p.newListening(w, conduct, i).play)
	}
	for i := range p.requests {
		w.act(fmt.Sprintf("requester%02d", i),
			p.newRequester(i, w.rand(fmt.Sprint("requester link ", i))).request)
	}
	for i, conduct := range p.viewers {
		g := p.guest("visualization", conduct, fmt.Sprintf("10.0.3.%d", i),
			w.rand(fmt.Sprint("viewer link ", i)))
		w.act(fmt.Sprintf("viewer%02d", i), g.play)
	}
	for i := range p.browsers {
		w.act(fmt.Sprintf("browser%02d", i), newBrowser(w.rand(fmt.Sprint("browser link ", i))).browse)
	}
	for i := range p.strangers {
		g := p.guest("", "stranger", "10.0.4.1", w.rand(fmt.Sprint("stranger link ", i)))
		w.act(fmt.Sprintf("stranger%02d", i), g.intrude)
	}
}

// quality draws how good a connection is: of an honest bot, good enough.
func (p *plan) quality(rng *rand.Rand, conduct string) quality {
	least := between(rng, 10*time.Microsecond, distance/2)
	if chance(rng, 4) { // of the same network
		least = between(rng, 10*time.Microsecond, 100*time.Microsecond)
	}
	q := quality{
		least: least, most: least + between(rng, 10*time.Microsecond, distance/2),
		window: 16 << 10 << rng.IntN(4), split: rng.IntN(5),
	}
	if conduct != "honest" && chance(rng, 2) {
		q.window = 256 << rng.IntN(6)
		q.most *= time.Duration(1 + rng.IntN(20))
	}
	return q
}
