package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/proc"
)

// crew is how many characters each player of largeMap has.
const (
	largeMap = "archipelago" // 455 cells
	crew     = 7
)

// Matches over TCP at full speed, each beside the ceiling.

func (b *bench) players(ctx context.Context) error {
	return b.fight(ctx, duel{"4 players", crowd{players: 4, characters: crew}, largeMap, quiet, 0.80})
}

func (b *bench) visus(ctx context.Context) error {
	return b.fight(ctx, duel{"4 players, 16 visualizations", crowd{players: 4, visus: 16, characters: crew}, largeMap, quiet, 0.80})
}

func (b *bench) small(ctx context.Context) error {
	board, err := b.smallMap()
	if err != nil {
		return err
	}
	return b.fight(ctx, duel{"6 players on 37 cells", crowd{players: 6, characters: 1}, board, quiet, 0.75})
}

func (b *bench) page(ctx context.Context) error {
	return b.fight(ctx, duel{"4 players, recording and page on", crowd{players: 4, characters: crew}, largeMap, b.shown(), 0.70})
}

// duel is a server beside the ceiling, in the same match.
type duel struct {
	what   string
	crowd  crowd
	board  string
	flags  []string
	target float64
}

// fight measures the two by turns and adds their rows to the table.
func (b *bench) fight(ctx context.Context, d duel) error {
	var ours, theirs, visus, theirVisus, cpu, theirCPU, earlier, earlierCPU series
	for round := range b.rounds {
		o, err := b.playServed(ctx, b.binary, d)
		if err != nil {
			return err
		}
		if b.against != "" {
			e, err := b.playServed(ctx, b.against, d)
			if err != nil {
				return fmt.Errorf("-against: %w", err)
			}
			earlier, earlierCPU = append(earlier, e.rate), append(earlierCPU, e.cpu)
		}
		c, err := b.playCeiling(ctx, d, o.turnBytes)
		if err != nil {
			return err
		}
		b.say("%s, round %d of %d: %.0f turns/s of %.0f, %.1f µs of CPU a turn beside %.1f, with TURNs of %d bytes",
			d.what, round+1, b.rounds, o.rate, c.rate, o.cpu, c.cpu, o.turnBytes)
		ours, theirs = append(ours, o.rate), append(theirs, c.rate)
		cpu, theirCPU = append(cpu, o.cpu), append(theirCPU, c.cpu)
		visus, theirVisus = append(visus, o.visuRate), append(theirVisus, c.visuRate)
	}
	b.table.shares(d.what, ours, theirs, d.target)
	b.table.costs(cpu, theirCPU)
	if d.crowd.visus > 0 {
		b.table.shares("  TURNs to the visualizations", visus, theirVisus, d.target)
	}
	if b.against != "" {
		b.table.shares("  beside the other program", ours, earlier, notSlower)
		b.table.costs(cpu, earlierCPU)
	}
	return nil
}

// notSlower is the least ratio to an earlier program's rates that counts as equal: medians
// of seven alternated rounds repeat within about 3 % on a quiet machine.
const notSlower = 0.97

func (b *bench) playServed(ctx context.Context, binary string, d duel) (outcome, error) {
	srv, err := serveWith(ctx, binary, d.crowd, d.board, b.turns, append([]string{"--fast"}, d.flags...)...)
	if err != nil {
		return outcome{}, err
	}
	return attended(ctx, srv.Process, d.crowd, srv.Addr)
}

func (b *bench) playCeiling(ctx context.Context, d duel, turnBytes int) (outcome, error) {
	p, err := proc.Start(ctx, b.self, ceilingCommand,
		"-players", strconv.Itoa(d.crowd.players), "-visus", strconv.Itoa(d.crowd.visus),
		"-turns", strconv.Itoa(b.turns-1), "-size", strconv.Itoa(turnBytes))
	if err != nil {
		return outcome{}, err
	}
	addr, err := p.Line()
	if err != nil {
		return outcome{}, err
	}
	return attended(ctx, p, d.crowd, string(addr))
}

// attended has a crowd play a process's match and waits for its end.
func attended(ctx context.Context, p *proc.Process, w crowd, addr string) (outcome, error) {
	o, err := w.attend(ctx, addr)
	if err != nil {
		p.Stop()
		return o, err
	}
	err = p.Wait()
	o.cpu = float64(p.CPU().Microseconds()) / float64(o.first.turns+1)
	return o, err
}

// smallMap writes a map of 37 cells for six players.
func (b *bench) smallMap() (path string, err error) {
	const radius = 3
	var m hexabomb.Map
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			if c := (hexgrid.Coord{Q: q, R: r}); hexgrid.Distance(c, hexgrid.Coord{}) <= radius {
				m.Cells = append(m.Cells, c)
			}
		}
	}
	for _, d := range hexgrid.Dirs {
		corner := hexgrid.Coord{}
		for range radius {
			corner = corner.Step(d)
		}
		m.Starts = append(m.Starts, []hexgrid.Coord{corner})
	}
	path = filepath.Join(b.dir, "small.json")
	return path, os.WriteFile(path, m.AppendJSON(nil), 0o600)
}
