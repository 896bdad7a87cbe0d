package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

// The match that many viewers watch, as browsers do.
const (
	watchedTick  = 100 * time.Millisecond
	watchedTurns = 150 // at most

	// The first and the last turns are not measured: clients start and end in them.
	early = 5
	late  = 5
)

// The targets.
const (
	maxRatio  = 1.05 // of the players' median turn time with viewers to that without
	maxMemory = 64   // KiB per viewer
)

// figures are the measurements of one match.
type figures struct {
	turns    harness.Series // from TURN to TURN, of all players, in ms
	answers  harness.Series // from TURN to answer by the server's clock, in ms
	resident float64        // memory of the server near the end, in bytes
	cpu      float64        // processor time of the server per turn, in ms
	seen     sight          // nothing without viewers
}

// watched plays matches alternately with viewers of the page and without. Each match has a
// separate server, so that none affects the next.
func (b *bench) watched(ctx context.Context) error {
	var with, without []figures
	for round := range b.rounds {
		for _, viewers := range []int{0, b.viewers} {
			what := fmt.Sprintf("%d viewers, round %d of %d", viewers, round+1, b.rounds)
			f, err := b.watch(ctx, viewers, what)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			b.Report("%s: turns of %.2f ms, answers in %.2f ms, p99 delay to viewers %.1f ms, resident "+
				"%.1f MB",
				what, f.turns.Median(), f.answers.Median(), f.seen.delay.Quantile(0.99), f.resident/1e6)
			if viewers == 0 {
				without = append(without, f)
			} else {
				with = append(with, f)
			}
		}
	}
	b.watchedRows(with, without)
	return nil
}

// watchedRows adds the medians of the rounds to the table.
func (b *bench) watchedRows(with, without []figures) {
	column := func(all []figures, figure func(*figures) float64) (s harness.Series) {
		for i := range all {
			s = append(s, figure(&all[i]))
		}
		return s
	}
	compare := func(
		what, format string, figure func(*figures) float64,
	) (*harness.Row, harness.Series) {
		return b.table.Ratio(what, format, column(with, figure), column(without, figure))
	}
	row, ratios := compare(
		fmt.Sprintf("100 ms, %d viewers and none: TURN to TURN, median", b.viewers), "%.3f ms",
		func(f *figures) float64 { return f.turns.Median() })
	row.Target, row.Met = fmt.Sprintf("≤ %.2f", maxRatio), ratios.Median() <= maxRatio
	compare("  the same, p99", "%.3f ms", func(f *figures) float64 { return f.turns.Quantile(0.99) })
	compare("  TURN to answer in the server, median", "%.3f ms",
		func(f *figures) float64 { return f.answers.Median() })
	compare("  the same, p99", "%.3f ms", func(f *figures) float64 { return f.answers.Quantile(0.99) })
	if with[0].resident > 0 { // known on this system
		// perViewer adds a row of a figure and returns what one viewer adds to it.
		perViewer := func(what, format string, figure func(*figures) float64) (*harness.Row, float64) {
			row, _ := compare(what, format, figure)
			return row, (column(with, figure).Median() - column(without,
				figure).Median()) / float64(b.viewers)
		}
		row, each := perViewer("  processor time per turn", "%.2f ms",
			func(f *figures) float64 { return f.cpu })
		row.Figure = fmt.Sprintf("%.1f µs a viewer", each*1000)
		row, each = perViewer("  resident memory", "%.1f MB",
			func(f *figures) float64 { return f.resident / 1e6 })
		each *= 1e6 / 1024
		row.Figure = fmt.Sprintf("%.1f KiB a viewer", each)
		row.Target, row.Met = fmt.Sprintf("< %d KiB", maxMemory), each < maxMemory
	}
	seen := func(what, format string, figure func(*sight) float64) (*harness.Row, harness.Series) {
		s := column(with, func(f *figures) float64 { return figure(&f.seen) })
		return b.table.Add(harness.Row{What: what, First: fmt.Sprintf(format, s.Median())}), s
	}
	seen("  turn to viewer, p50", "%.1f ms", func(s *sight) float64 { return s.delay.Quantile(0.5) })
	seen("  turn to viewer, p99", "%.1f ms", func(s *sight) float64 { return s.delay.Quantile(0.99) })
	seen("  turn to viewer, longest", "%.1f ms", func(s *sight) float64 { return s.delay.Quantile(1) })
	seen("  a turn on the network", "%.0f bytes",
		func(s *sight) float64 { return float64(s.bytes) / float64(len(s.delay)) })
	seen("  turns as a whole state", "%.0f", func(s *sight) float64 { return float64(s.wholes) })
	row, lost := seen("  viewers lost", "%.0f", func(s *sight) float64 { return float64(s.lost) })
	row.First = fmt.Sprintf("%.0f", lost.Quantile(1))
	row.Target, row.Met = "0", lost.Quantile(1) == 0
}

// watch plays one match with the given number of viewers, who connect before it begins. Its
// server stays after the match and still answers requests for its events.
func (b *bench) watch(ctx context.Context, viewers int, what string) (f figures, err error) {
	interval := strconv.FormatInt(watchedTick.Milliseconds(), 10)
	g := game{what, harness.Crowd{Players: 4}, largeMap, min(b.ticks, watchedTurns), b.fullFlags()}
	srv, err := g.serve(ctx, b.Hexarena, "--matches", "endless", "--delay-first-turn", interval,
		"--delay-turns", interval)
	if err != nil {
		return f, err
	}
	defer srv.Stop()
	var shown struct{ ID string }
	text, err := harness.Get(ctx, srv.Page+"api/match")
	if err == nil {
		err = json.Unmarshal(text, &shown)
	}
	if err != nil {
		return f, err
	}
	var a audience
	defer a.Disconnect()
	if err := a.Connect(ctx, srv.Live, viewers, a.read); err != nil {
		return f, err
	}
	a.measuring.Store(true)
	before := harness.CPUTime(srv.ID())
	p, err := harness.Start(ctx, b.Self, playersCommand, srv.Addr)
	if err != nil {
		return f, err
	}
	defer p.Stop()
	if err := awaitTurn(p, g.turns-late); err != nil {
		return f, err
	}
	a.measuring.Store(false)
	f.resident = float64(harness.Memory(srv.ID()))
	f.cpu = harness.Milliseconds(harness.CPUTime(srv.ID())-before) / float64(g.turns-late)
	if f.turns, err = intervals(p); err != nil {
		return f, err
	}
	events := fmt.Sprintf("%sapi/match/events?match=%s&from=%d", srv.Page, shown.ID, early)
	if f.answers, err = answers(ctx, events); err != nil {
		return f, err
	}
	if viewers > 0 {
		f.seen, err = a.sight()
	}
	return f, err
}

// playersCommand is the argument that makes this program the players of a match, in a
// separate process so that they do not compete with the viewers' goroutines.
const playersCommand = "players"

// runPlayers plays a match on the server whose address is the argument. It prints the
// number of each TURN when it arrives and, when the match is over, a JSON list with the
// list of each player's times of arrival.
func runPlayers(args []string, _ io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("give the address of a server")
	}
	crowd := harness.Crowd{
		Players: 4, Characters: characters, Arrivals: watchedTurns,
		Turn: func(turn int) { fmt.Fprintln(out, turn) },
	}
	o, err := crowd.Play(context.Background(), args[0])
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o.Arrivals)
}

// awaitTurn waits until the players have received a TURN.
func awaitTurn(p *harness.Process, awaited int) error {
	for turn := -1; turn < awaited; {
		text, err := p.Line()
		if err != nil {
			return err
		}
		if turn, err = strconv.Atoi(string(text)); err != nil {
			return fmt.Errorf("the players printed %s", text)
		}
	}
	return nil
}

// intervals returns the times from TURN to TURN that the players measured, when the match
// is over.
func intervals(p *harness.Process) (all harness.Series, err error) {
	text, err := p.Line()
	for err == nil && text[0] != '[' {
		text, err = p.Line()
	}
	var arrivals [][]time.Time
	if err == nil {
		err = json.Unmarshal(text, &arrivals)
	}
	for _, one := range arrivals {
		all = append(all, harness.Intervals(one[early-1:len(one)-late])...)
	}
	return all, err
}

// answerTime matches the time of an answer in a turn's event.
var answerTime = regexp.MustCompile(`"ms":([\d.]+)`)

// answers returns the players' answer times in the events at an address, by the server's
// clock, in ms.
func answers(ctx context.Context, events string) (all harness.Series, err error) {
	text, err := harness.Get(ctx, events)
	if err != nil {
		return nil, err
	}
	for _, found := range answerTime.FindAllSubmatch(text, -1) {
		ms, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return nil, err
		}
		all = append(all, ms)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no answers in it", events)
	}
	return all, nil
}
