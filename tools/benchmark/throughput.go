package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/tools/harness"
)

// The parts that compare matches over TCP at full speed with the ceiling.

func (b *bench) players(ctx context.Context) error {
	crowd := harness.Crowd{Players: 4, Characters: characters}
	g := game{"4 players", crowd, largeMap, b.turns, plainFlags}
	return b.compare(ctx, g, 0.80, b.limitOf(g))
}

func (b *bench) visus(ctx context.Context) error {
	crowd := harness.Crowd{Players: 4, Visus: 16, Characters: characters}
	return b.compare(ctx, game{"4 players, 16 visualizations", crowd, largeMap, b.turns, plainFlags},
		0.80)
}

func (b *bench) small(ctx context.Context) error {
	board, err := b.smallMap()
	if err != nil {
		return err
	}
	g := game{
		"6 players on 37 cells", harness.Crowd{Players: 6, Characters: 1}, board, b.turns, plainFlags,
	}
	return b.compare(ctx, g, 0.75, b.limitOf(g))
}

func (b *bench) page(ctx context.Context) error {
	crowd := harness.Crowd{Players: 4, Characters: characters}
	g := game{"4 players, recording and page on", crowd, largeMap, b.turns, b.fullFlags()}
	bare := g
	bare.flags = plainFlags
	return b.compare(ctx, g, 0.70, &rival{
		what: "the match without both", share: pageShare,
		play: func(ctx context.Context, _ int) (outcome, error) { return bare.play(ctx, b.Hexarena) },
	})
}

// pageShare is the least share of the rate that a match with recording and page has: each turn is
// encoded, hashed and written once more.
const pageShare = 0.85

// rival is what a match is compared with.
type rival struct {
	what  string
	share float64 // the least ratio of the rates
	times float64 // the greatest ratio of the processor times; 0: not compared
	// play plays the match, with TURNs of that many bytes.
	play func(ctx context.Context, turnBytes int) (outcome, error)
	measured
}

// measured holds the figures of one program, by round.
type measured struct{ rate, visuRate, cpu harness.Series }

func (m *measured) add(o outcome) {
	m.rate, m.visuRate = append(m.rate, o.Rate), append(m.visuRate, o.VisuRate)
	m.cpu = append(m.cpu, o.cpu)
}

// compare measures a match on a server, on the ceiling and on the rivals that are not nil, in
// alternation, and adds the rows to the table.
func (b *bench) compare(
	ctx context.Context, g game, target float64, rivals ...*rival,
) error {
	ceiling := &rival{play: func(ctx context.Context, turnBytes int) (outcome, error) {
		return b.playCeiling(ctx, g, turnBytes)
	}}
	if b.against != "" {
		rivals = append(rivals, &rival{
			what: "the other program", share: notSlower,
			play: func(ctx context.Context, _ int) (outcome, error) {
				o, err := g.play(ctx, b.against)
				if err != nil {
					err = fmt.Errorf("-against: %w", err)
				}
				return o, err
			},
		})
	}
	rivals = slices.DeleteFunc(rivals, func(r *rival) bool { return r == nil })
	var ours measured
	for round := range b.rounds {
		o, err := g.play(ctx, b.Hexarena)
		if err != nil {
			return err
		}
		ours.add(o)
		var limit outcome
		for _, r := range append(rivals, ceiling) {
			if limit, err = r.play(ctx, o.TurnBytes); err != nil {
				return err
			}
			r.add(limit)
		}
		b.Report("%s, round %d of %d: %.0f turns/s of %.0f, %.1f µs of CPU a turn against %.1f, with "+
			"TURNs of %d bytes",
			g.what, round+1, b.rounds, o.Rate, limit.Rate, o.cpu, limit.cpu, o.TurnBytes)
	}
	b.costs(b.shares(g.what, ours.rate, ceiling.rate, target), ours, ceiling.measured)
	if g.crowd.Visus > 0 {
		b.shares("  TURNs to the visualizations", ours.visuRate, ceiling.visuRate, target)
	}
	for _, r := range rivals {
		b.costs(b.shares("  compared with "+r.what, ours.rate, r.rate, r.share), ours, r.measured)
		if r.times > 0 {
			row, times := b.table.Ratio("  its processor time", "%.1f µs", ours.cpu, r.cpu)
			row.Target, row.Met = fmt.Sprintf("≤ %.1f", r.times), times.Median() <= r.times
		}
	}
	return nil
}

// notSlower is the least ratio to an earlier program's rates that counts as equal: medians
// of seven alternated rounds repeat within about 3 % on a quiet machine.
const notSlower = 0.97

// shares adds a row that compares rates of the same rounds.
func (b *bench) shares(what string, ours, theirs harness.Series, target float64) *harness.Row {
	row, ratios := b.table.Ratio(what, "%.0f turns/s", ours, theirs)
	row.Target, row.Met = fmt.Sprintf("≥ %.2f", target), ratios.Median() >= target
	return row
}

// costs adds the processor time of a turn in µs to a row. It depends less than a rate on
// what else runs on the machine.
func (b *bench) costs(row *harness.Row, ours, theirs measured) {
	row.First += fmt.Sprintf(", %.1f µs of CPU", ours.cpu.Median())
	row.Second += fmt.Sprintf(", %.1f µs of CPU", theirs.cpu.Median())
}

// play plays a match at full speed on a server.
func (g *game) play(ctx context.Context, program string) (outcome, error) {
	srv, err := g.serve(ctx, program, "--fast")
	if err != nil {
		return outcome{}, err
	}
	return playOn(ctx, srv.Process, g.crowd, srv.Addr)
}

func (b *bench) playCeiling(ctx context.Context, g game, turnBytes int) (outcome, error) {
	return g.playWithout(ctx, b.Self, ceilingCommand,
		fmt.Sprint(g.crowd.Players, g.crowd.Visus, g.turns-1, turnBytes))
}

// playWithout plays on a server without a game, which prints its address.
func (g *game) playWithout(ctx context.Context, program string, args ...string) (outcome, error) {
	p, err := harness.Start(ctx, program, args...)
	if err != nil {
		return outcome{}, err
	}
	addr, err := p.Line()
	if err != nil {
		return outcome{}, err
	}
	return playOn(ctx, p, g.crowd, string(addr))
}

// smallMap writes a map of 37 cells for six players.
func (b *bench) smallMap() (path string, err error) {
	const radius = 3
	m := hexagonOf(radius)
	for _, d := range hexgrid.Dirs {
		m.Starts = append(m.Starts, []hexgrid.Coord{hexgrid.Coord{}.Step(d).Scale(radius)})
	}
	path = filepath.Join(b.Dir, "small.json")
	return path, os.WriteFile(path, m.AppendJSON(nil), 0o600)
}

// headless measures matches of built-in bots in one process, on one core and on two. Most
// of the time is the bots'.
func (b *bench) headless(ctx context.Context) error {
	const turns = 100 // of a match
	var one, two, matches harness.Series
	for round := range b.rounds {
		alone, err := b.playHeadless(ctx, turns, 1)
		if err != nil {
			return err
		}
		both, err := b.playHeadless(ctx, turns, 2)
		if err != nil {
			return err
		}
		b.Report("in process, round %d of %d: %.0f turns/s on one core, %.0f on two", round+1, b.rounds,
			alone.Turns, both.Turns)
		one, two = append(one, alone.Turns), append(two, both.Turns)
		matches = append(matches, both.Matches)
	}
	if runtime.NumCPU() < 2 {
		b.Report("in process: this machine has only one core to compare")
	}
	b.shares(fmt.Sprintf("in process, 2 cores against 1 (%.0f matches/s)", matches.Median()), two, one,
		1.8)
	return nil
}

// rates are how many matches, and turns of them, were played in a second.
type rates struct{ Matches, Turns float64 }

// playHeadless plays as many turns in one process as the matches over TCP have, in whole blocks.
func (b *bench) playHeadless(ctx context.Context, turns, jobs int) (r rates, err error) {
	dir, err := os.MkdirTemp(b.Dir, "headless")
	if err != nil {
		return r, err
	}
	began := time.Now()
	p, err := harness.Start(ctx, b.Hexarena, "cup", "painter", "random", "painter", "random",
		"--format", "round-robin", "--seed", "1", "--maps", largeMap,
		"--turns", strconv.Itoa(turns), "--count", strconv.Itoa(max(jobs, b.turns/turns)),
		"--jobs", strconv.Itoa(jobs), "--keep", "none",
		"--out", filepath.Join(dir, "cup"), "--json")
	if err != nil {
		return r, err
	}
	var result []byte
	p.Watch(func(line []byte) { result = append(result, line...) })
	if err := p.Wait(); err != nil {
		return r, err
	}
	var played struct{ Matches int }
	if err := json.Unmarshal(result, &played); err != nil {
		return r, err
	}
	r.Matches = float64(played.Matches) / time.Since(began).Seconds()
	return rates{r.Matches, r.Matches * float64(turns)}, nil
}
