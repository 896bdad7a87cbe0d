package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/harness"
)

// The map of most matches, and the number of characters of each of its players.
const (
	largeMap   = "archipelago" // 455 cells
	characters = 7
)

// The parts that compare matches over TCP at full speed with the ceiling.

func (b *bench) players(ctx context.Context) error {
	return b.compare(ctx, comparison{"4 players", crowd{players: 4, characters: characters}, largeMap, plainFlags, 0.80})
}

func (b *bench) visus(ctx context.Context) error {
	return b.compare(ctx, comparison{"4 players, 16 visualizations", crowd{players: 4, visus: 16, characters: characters}, largeMap, plainFlags, 0.80})
}

func (b *bench) small(ctx context.Context) error {
	board, err := b.smallMap()
	if err != nil {
		return err
	}
	return b.compare(ctx, comparison{"6 players on 37 cells", crowd{players: 6, characters: 1}, board, plainFlags, 0.75})
}

func (b *bench) page(ctx context.Context) error {
	return b.compare(ctx, comparison{"4 players, recording and page on", crowd{players: 4, characters: characters}, largeMap, b.fullFlags(), 0.70})
}

// comparison is a match that is played on a server and on the ceiling.
type comparison struct {
	what   string
	crowd  crowd
	board  string
	flags  []string
	target float64
}

// compare measures the two in alternation and adds their rows to the table.
func (b *bench) compare(ctx context.Context, c comparison) error {
	var ours, theirs, visus, theirVisus, cpu, theirCPU, earlier, earlierCPU harness.Series
	for round := range b.rounds {
		o, err := b.playServed(ctx, b.binary, c)
		if err != nil {
			return err
		}
		if b.against != "" {
			e, err := b.playServed(ctx, b.against, c)
			if err != nil {
				return fmt.Errorf("-against: %w", err)
			}
			earlier, earlierCPU = append(earlier, e.rate), append(earlierCPU, e.cpu)
		}
		limit, err := b.playCeiling(ctx, c, o.turnBytes)
		if err != nil {
			return err
		}
		b.report("%s, round %d of %d: %.0f turns/s of %.0f, %.1f µs of CPU a turn against %.1f, with TURNs of %d bytes",
			c.what, round+1, b.rounds, o.rate, limit.rate, o.cpu, limit.cpu, o.turnBytes)
		ours, theirs = append(ours, o.rate), append(theirs, limit.rate)
		cpu, theirCPU = append(cpu, o.cpu), append(theirCPU, limit.cpu)
		visus, theirVisus = append(visus, o.visuRate), append(theirVisus, limit.visuRate)
	}
	b.table.shares(c.what, ours, theirs, c.target)
	b.table.costs(cpu, theirCPU)
	if c.crowd.visus > 0 {
		b.table.shares("  TURNs to the visualizations", visus, theirVisus, c.target)
	}
	if b.against != "" {
		b.table.shares("  compared with the other program", ours, earlier, notSlower)
		b.table.costs(cpu, earlierCPU)
	}
	return nil
}

// notSlower is the least ratio to an earlier program's rates that counts as equal: medians
// of seven alternated rounds repeat within about 3 % on a plainFlags machine.
const notSlower = 0.97

func (b *bench) playServed(ctx context.Context, binary string, c comparison) (outcome, error) {
	srv, err := serveWith(ctx, binary, c.crowd, c.board, b.turns, append([]string{"--fast"}, c.flags...)...)
	if err != nil {
		return outcome{}, err
	}
	return playOn(ctx, srv.Process, c.crowd, srv.Addr)
}

func (b *bench) playCeiling(ctx context.Context, c comparison, turnBytes int) (outcome, error) {
	p, err := harness.Start(ctx, b.self, ceilingCommand,
		"-players", strconv.Itoa(c.crowd.players), "-visus", strconv.Itoa(c.crowd.visus),
		"-turns", strconv.Itoa(b.turns-1), "-size", strconv.Itoa(turnBytes))
	if err != nil {
		return outcome{}, err
	}
	addr, err := p.Line()
	if err != nil {
		return outcome{}, err
	}
	return playOn(ctx, p, c.crowd, string(addr))
}

// playOn has a crowd play the match of a process and waits for the end of the process.
func playOn(ctx context.Context, p *harness.Process, w crowd, addr string) (outcome, error) {
	o, err := w.play(ctx, addr)
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
