package sim

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/hivemaker"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// recordings is the folder of the recordings on the storage.
const recordings = "recordings"

// generation is a run of the server, from its start to its end or a crash.
type generation struct {
	*World
	number   int // from 0
	name     string
	listener *listener
	disk     *Disk
	ctx      context.Context
	cancel   context.CancelFunc
	books    *books
	computer *computer
	host     *host.Host        // once it is open
	games    *hivemaker.Server // on request, or nil
}

// generate begins a generation.
func (w *World) generate(p *plan, number int) *generation {
	name := ""
	if number > 0 {
		name = fmt.Sprintf("again%d ", number)
	}
	g := &generation{
		World: w, number: number, name: name, listener: w.net.listen(), disk: w.storage.Mount(),
		books: &books{level: p.durable},
	}
	g.computer = &computer{generation: g, plan: p}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generations = append(w.generations, g)
	return g
}

// newest returns the newest generation, or nil.
func (w *World) newest() *generation {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.generations) == 0 {
		return nil
	}
	return w.generations[len(w.generations)-1]
}

// gone reports whether the generation has crashed.
func (g *generation) gone() bool { return g.disk.Ended() }

// Write implements io.Writer for the lines of the server's log, until it crashes.
func (g *generation) Write(line []byte) (int, error) {
	if g.gone() {
		return len(line), nil
	}
	return g.history.Write(line)
}

// crash ends the generation in the middle of whatever it does, as if its process were killed
// or, with power, as if the power failed. Nothing that it does from now on has an effect: it
// is told to end so that its goroutines do. Its clients see a reset or, if it is silent, nothing
// at all for a while.
func (g *generation) crash(power, silent bool) {
	g.listener.dead.Store(true) // before anything else wakes the server
	g.loseDisk(power)
	g.listener.crash(silent)
	g.computer.crash()
	g.unseatAll("")
	g.cancel()
}

// loseDisk crashes the storage, and compares its recordings with all that was acknowledged.
func (w *World) loseDisk(power bool) {
	var all []*ledger
	w.mu.Lock()
	for _, g := range w.generations {
		all = append(all, g.books.all()...)
	}
	w.mu.Unlock()
	slow := w.storage.calm()
	for _, l := range all {
		l.crash(power, slow)
	}
	if power {
		w.storage.Crash()
	} else {
		w.storage.Kill()
	}
	for _, text := range w.storage.missing(recordings, power, all) {
		w.violate("%s", text)
	}
}

// options returns the options of the generation's host.
func (g *generation) options(p *plan, a *actor) host.Options {
	var page *host.Page
	if p.page {
		page = &host.Page{Options: web.Options{Listener: g.listener.page}}
		if p.requests > 0 {
			g.offerGames(p, page, a)
		}
	}
	return host.Options{
		Listener: g.listener, Bind: serverHost, System: g.computer, Page: page,
		Random: a.entropy(a.name + " ids"), Log: zerolog.New(g), Names: nickname.NewNames(),
		StayingBots: p.staying, Limits: p.limits, Allow: p.options, WriteTimeout: p.writing,
		Linger: p.linger, Gate: p.gate(),
		Recordings: &host.Recordings{
			Disk: g.disk, Dir: recordings, Durable: p.durable, Complain: g.books.complain,
		},
		Watchers: []match.Watcher{g.books},
	}
}

// books holds a ledger for each match of a generation. It watches all matches, after their
// recorders.
type books struct {
	match.BaseWatcher
	level recording.Durability

	mu      sync.Mutex // guards all below
	ledgers map[match.Series]*ledger
	newest  *ledger
}

// open makes a ledger for a match with a seed.
func (b *books) open(s match.Series, seed uint64) *ledger {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ledgers == nil {
		b.ledgers = map[match.Series]*ledger{}
	}
	b.newest = &ledger{level: b.level, seed: seed, readable: -1}
	b.ledgers[s] = b.newest
	return b.newest
}

func (b *books) of(s match.Series) *ledger {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ledgers[s]
}

// Started implements match.Watcher.
func (b *books) Started(f *match.Frame) { b.of(f.Table.Series).seen() }

// Played implements match.Watcher.
func (b *books) Played(p *match.Play) { b.of(p.Frame.Table.Series).seen() }

// complain is told what goes wrong with a recording. Only worlds with one room have disks in
// trouble, so it is that of the newest match.
func (b *books) complain(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.newest.complain(err)
}

// all returns the ledgers.
func (b *books) all() []*ledger {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.ledgers))
}
