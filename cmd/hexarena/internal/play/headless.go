package play

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/match"
)

// goHeadless changes the defaults for matches in process: nothing is drawn on the terminal, and
// nothing is recorded.
func (p *runner) goHeadless() {
	p.live = false
	if !p.changed("record") {
		p.Record = ""
	}
}

// series plays many matches in this process, with seeds that count up.
type series struct {
	*runner
	begun time.Time

	mu      sync.Mutex // guards the fields below
	started int
	tally   tally
	failure error
}

// runHeadless plays the matches and prints the results.
func (p *runner) runHeadless(ctx context.Context) error {
	ctx, interrupt := signals.Context(ctx)
	defer interrupt(nil)
	if cores := runtime.GOMAXPROCS(0); p.jobs < cores {
		runtime.GOMAXPROCS(p.jobs) // so many at once, on as many cores
		defer runtime.GOMAXPROCS(cores)
	}
	p.keeper = p.newKeeper(p.Stderr)
	p.keeper.Tidy()
	defer p.keeper.Close()
	s := &series{runner: p, begun: time.Now(), tally: newTally(p.seats)}
	done := make(chan struct{})
	var progress, workers sync.WaitGroup
	progress.Go(func() { s.follow(done) })
	for range p.jobs {
		workers.Go(func() { s.work(ctx) })
	}
	workers.Wait()
	close(done)
	progress.Wait()
	s.tally.elapsed = time.Since(s.begun)
	return s.tell()
}

// work plays matches until all have been started.
func (s *series) work(ctx context.Context) {
	for {
		s.mu.Lock()
		if s.started == s.count || s.failure != nil {
			s.mu.Unlock()
			return
		}
		seed := s.seed + uint64(s.started)
		s.started++
		s.mu.Unlock()

		r, err := s.playOne(ctx, seed)
		s.mu.Lock()
		switch {
		case err == nil && r.Err == nil:
			s.tally.add(r)
		case s.failure == nil && err == nil:
			s.failure = r.Err
		case s.failure == nil:
			s.failure = err
		}
		s.mu.Unlock()
	}
}

// playOne plays the match with that seed.
func (s *series) playOne(ctx context.Context, seed uint64) (*arena.Report, error) {
	p := *s.runner
	p.seed, p.seats = seed, slices.Clone(s.seats)
	a, err := arena.New(arena.Options{
		Name: p.game.Name, Game: p.instance, Builtin: p.newBuiltin, Seats: p.seats, InProcess: true,
		Turns: p.MaxTurns, Pace: func(match.Settings) match.Pace { return match.Fast(0, 0) }, Delay: p.delay(),
		Order: p.order, Seed: seed, StartTimeout: p.startTimeout,
		Recordings: p.recordings(), Extra: p.extra(), Program: "hexarena " + p.Version,
	})
	if err != nil {
		return nil, err
	}
	return a.Play(ctx), nil
}

// follow prints every second how many matches were played.
func (s *series) follow(done <-chan struct{}) {
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
			played := s.tally.matches
			s.mu.Unlock()
			fmt.Fprintf(s.Stderr, "%d of %d matches, %.0f a second\n", played, s.count, float64(played)/time.Since(s.begun).Seconds())
		}
	}
}

// tell writes the results, and returns the error that sets the exit code.
func (s *series) tell() error {
	write := s.writeTable
	if s.asJSON {
		write = s.writeJSON
	}
	if err := write(s.Stdout); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if s.failure != nil {
		fmt.Fprintf(s.Stderr, "hexarena: %d of %d matches were played: %v\n", s.tally.matches, s.count, s.failure)
		return ErrFailed
	}
	if s.strict && s.tally.unreliable() {
		return ErrUnreliable
	}
	return nil
}
