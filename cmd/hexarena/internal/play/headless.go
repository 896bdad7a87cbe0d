package play

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/result"
)

// goHeadless changes the defaults for matches in process: nothing is drawn on the terminal, and
// nothing is recorded.
func (p *runner) goHeadless() {
	p.live = false
	if !p.changed("record") {
		p.Record = ""
	}
}

// headless plays many matches in this process, with seeds that count up.
type headless struct {
	*runner
	begun time.Time

	mu      sync.Mutex // guards the fields below
	started int
	tally   result.Standings
	failure error
}

// runHeadless plays the matches and prints the results.
func (p *runner) runHeadless(ctx context.Context) error {
	ctx, interrupt := signals.Context(ctx)
	defer interrupt(nil)
	if cores := runtime.GOMAXPROCS(0); p.jobs < cores {
		runtime.GOMAXPROCS(p.jobs) // as many matches at once, on as many cores
		defer runtime.GOMAXPROCS(cores)
	}
	closeKeeper, err := p.openHost(zerolog.Nop())
	if err != nil {
		return err
	}
	defer closeKeeper()
	defer p.host.Shutdown(ctx)
	s := &headless{runner: p, begun: time.Now()}
	done := make(chan struct{})
	var progress, workers sync.WaitGroup
	progress.Go(func() { s.follow(done) })
	for range p.jobs {
		workers.Go(func() { s.work(ctx) })
	}
	workers.Wait()
	close(done)
	progress.Wait()
	return s.tell(time.Since(s.begun).Seconds())
}

// work plays matches until all have been started.
func (s *headless) work(ctx context.Context) {
	for {
		s.mu.Lock()
		if s.started == s.count || s.failure != nil {
			s.mu.Unlock()
			return
		}
		one := round{runner: s.runner, instance: s.instance, seats: s.seats, seed: s.seed + uint64(s.started)}
		s.started++
		s.mu.Unlock()

		room, err := s.host.Start(ctx, one.spec())
		var report *result.Report
		if err == nil {
			r := room.Wait()
			report, err = r.Report(), r.Err
		}
		s.mu.Lock()
		switch {
		case err == nil:
			s.tally.Add(report)
		case s.failure == nil:
			s.failure = err
		}
		s.mu.Unlock()
	}
}

// follow prints every second how many matches were played.
func (s *headless) follow(done <-chan struct{}) {
	if s.asJSON {
		return
	}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case <-done:
			return
		case <-second.C:
			s.mu.Lock()
			played := s.tally.Matches
			s.mu.Unlock()
			fmt.Fprintf(s.Stderr, "%d of %d matches, %.0f a second\n", played, s.count, float64(played)/time.Since(s.begun).Seconds())
		}
	}
}

// tell writes the results, and returns the error that sets the exit code.
func (s *headless) tell(seconds float64) error {
	write := s.writeTable
	if s.asJSON {
		write = s.writeJSON
	}
	if err := write(seconds); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if s.failure != nil {
		fmt.Fprintf(s.Stderr, "hexarena: %d of %d matches were played: %v\n", s.tally.Matches, s.count, s.failure)
		return ErrFailed
	}
	for _, row := range s.tally.Rows() {
		if s.strict && row.Failed > 0 {
			return ErrUnreliable
		}
	}
	return nil
}

func (s *headless) writeTable(seconds float64) error {
	t := &s.tally
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s on %s, %d turns each, seeds from %d: ", counted(t.Matches, "match", "matches"), s.game.Name, s.instance.Map, s.MaxTurns, s.seed)
	fmt.Fprintf(&b, "%.1f matches and %.0f turns a second on %s\n\n", float64(t.Matches)/seconds, float64(t.Turns)/seconds, counted(s.jobs, "core", "cores"))
	if t.Matches > 0 {
		standingsTable(t).Write(&b)
	}
	if t.Drawn > 0 {
		fmt.Fprintf(&b, "\nNo player won %s.\n", counted(t.Drawn, "match", "matches"))
	}
	fmt.Fprintf(&b, "\nWatch the first match:\n  %s\n", s.command(s.seed))
	if s.Record != "" {
		fmt.Fprintf(&b, "\nRecorded in %s\n", s.Record)
	}
	_, err := fmt.Fprint(s.Stdout, b.String())
	return err
}

func standingsTable(t *result.Standings) *tui.Table {
	out := &tui.Table{Columns: []tui.Column{tui.Right(""), tui.Left("bot"), tui.Right("won"), tui.Right("share"), tui.Right("rank")}}
	ranking := t.Ranking()
	names, _ := ranking[0].Means()
	for _, name := range names {
		out.Columns = append(out.Columns, tui.Right(name))
	}
	out.Columns = append(out.Columns, tui.Remarks())
	for i, s := range ranking {
		share := 100 * float64(s.Won) / float64(t.Matches)
		row := []string{strconv.Itoa(i + 1), s.Label, strconv.Itoa(s.Won), fmt.Sprintf("%.1f %%", share), fmt.Sprintf("%.2f", s.Rank())}
		var remarks []string
		if s.Special {
			row[0], row[4] = "-", "-"
			remarks = append(remarks, "special player")
		}
		if s.Failed > 0 {
			remarks = append(remarks, "failed in "+counted(s.Failed, "match", "matches"))
		}
		_, means := s.Means()
		for _, mean := range means {
			row = append(row, fmt.Sprintf("%.1f", mean))
		}
		out.Add(append(row, strings.Join(remarks, "; "))...)
	}
	return out
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// headlessResult is what play --headless --json prints.
type headlessResult struct {
	Version          string         `json:"version"`
	Map              *games.MapInfo `json:"map"`
	Order            string         `json:"order"`
	SuddenDeath      bool           `json:"sudden_death"`
	Seed             uint64         `json:"seed"`    // of the first match; the others count up
	Matches          int            `json:"matches"` // that were played to their end
	Turns            int            `json:"turns"`   // of all these
	Jobs             int            `json:"jobs"`
	Seconds          float64        `json:"seconds"`
	MatchesPerSecond float64        `json:"matches_per_second"`
	TurnsPerSecond   float64        `json:"turns_per_second"`
	Drawn            int            `json:"drawn"` // matches without a winner
	Seats            []headlessSeat `json:"seats"` // in the order in which they were given
	Error            string         `json:"error,omitempty"`
	Recordings       string         `json:"recordings,omitempty"` // their folder
	Again            string         `json:"again"`                // the command that plays the first match
}

type headlessSeat struct {
	Label   string             `json:"label"`
	Special bool               `json:"special"`
	Won     int                `json:"won"`
	Rank    float64            `json:"rank"`   // the mean; 0 for a special player
	Counts  map[string]float64 `json:"counts"` // the means of the game's figures
	Failed  int                `json:"failed"` // matches that it did not hold out
}

func (s *headless) writeJSON(seconds float64) error {
	t := &s.tally
	r := headlessResult{
		Version: s.Version, Map: s.instance.MapInfo, Order: string(s.Order), SuddenDeath: s.suddenDeath, Seed: s.seed,
		Matches: t.Matches, Turns: t.Turns, Jobs: s.jobs, Seconds: seconds,
		MatchesPerSecond: float64(t.Matches) / seconds, TurnsPerSecond: float64(t.Turns) / seconds,
		Drawn: t.Drawn, Recordings: s.Record, Again: s.command(s.seed),
	}
	if s.failure != nil {
		r.Error = s.failure.Error()
	}
	for _, row := range t.Rows() {
		one := headlessSeat{Label: row.Label, Special: row.Special, Won: row.Won, Failed: row.Failed, Rank: row.Rank(), Counts: map[string]float64{}}
		names, means := row.Means()
		for k, name := range names {
			one.Counts[name] = means[k]
		}
		r.Seats = append(r.Seats, one)
	}
	return s.writeAsJSON(r)
}

// writeAsJSON prints a result in indented JSON.
func (p *runner) writeAsJSON(v any) error {
	e := json.NewEncoder(p.Stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
