package cup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// Workers play the matches of a contest in other processes, for [Play].
type Workers interface {
	// Lease has matches played. It does not block. A match that is leased again, with other bots
	// that are not started, replaces the one before.
	Lease(tasks []Task)
	// Outcomes returns the channel of results. They come in any order, and once for each time that
	// a match was leased.
	Outcomes() <-chan []*Outcome
}

// Task is a match that a worker plays.
type Task struct {
	plan.Match
	Unstarted []bool // the seats whose bots are not started any more
}

// Outcome is the result of a match, as a worker sends it in JSON: with the row that the log has.
type Outcome struct {
	Row   *results.Row `json:"row"`
	Times []seatTimes  `json:"times,omitempty"`
	// Outputs are the ends of what the bots printed, by seat, which need not be UTF-8; nil: they
	// are not kept.
	Outputs [][]byte `json:"outputs,omitempty"`
	// Recording is the file of the recording, on the worker only; empty: the match was not
	// recorded.
	Recording string `json:"-"`
	// Recorded is the recording, on a coordinator that hands recordings on; nil: it did not arrive.
	Recorded []byte `json:"-"`
}

// Unstarted returns the seats whose bots were not started.
func (o *Outcome) Unstarted() []bool {
	seats := make([]bool, len(o.Row.Forfeits))
	for i, kind := range o.Row.Forfeits {
		seats[i] = kind == results.Unstarted
	}
	return seats
}

// Punctual reports whether no bot missed a turn and none forfeited: then a reproducible bot plays
// the same match on every machine.
func (o *Outcome) Punctual() bool {
	for i := range o.Times {
		if o.Times[i].Skipped > 0 || o.Times[i].Missed > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(o.Row.Forfeits, results.Failed)
}

// Turns returns the number of turns of all seats for which their bots were there, and of those the
// number that ended before the bot answered.
func (o *Outcome) Turns() (turns, skipped int) {
	for i := range o.Times {
		turns += o.Times[i].Answers + o.Times[i].Skipped
		skipped += o.Times[i].Skipped
	}
	return turns, skipped
}

// SameStates returns an error unless the row has the digest of a match's states, hexadecimal.
func (o *Outcome) SameStates(digest string) error {
	if got := play.Digest(digest); got != o.Row.Digest {
		return fmt.Errorf("its states have the digest %016x, and the row has %016x", uint64(got),
			uint64(o.Row.Digest))
	}
	return nil
}

// Bounds of the times and of the output of a seat that a worker sends.
const (
	maxText  = 16 << 10
	maxLines = 100
	maxTurns = 65_535 // the most that nb-turns-max allows
)

// Check returns an error if an outcome, which another process has sent, cannot be one of the match.
func (o *Outcome) Check(c *plan.Plan, m *plan.Match) error {
	r := o.Row
	if r == nil || r.K != m.K || r.Seed != m.Seed || r.Map != c.Maps[m.Map].Name ||
		len(r.Bots) != len(m.Bots) || r.Versions != nil {
		return fmt.Errorf("match %d: the row is not one of this match", m.K)
	}
	for _, n := range []int{len(r.Scores), len(r.Ranks), len(r.Refused), len(r.Forfeits)} {
		if n != len(r.Bots) {
			return fmt.Errorf("match %d: a list has %d elements, want %d", m.K, n, len(r.Bots))
		}
	}
	for i, bot := range m.Bots {
		if r.Bots[i] != c.Bots[bot].Name {
			return fmt.Errorf("match %d: seat %d has the bot %.80q, want %q", m.K, i+1, r.Bots[i],
				c.Bots[bot].Name)
		}
		if kind := r.Forfeits[i]; kind != "" && !slices.Contains(results.Kinds, kind) {
			return fmt.Errorf("match %d: there is no forfeit %.80q", m.K, kind)
		}
		if r.Refused[i] < 0 {
			return fmt.Errorf("match %d: %d actions were refused", m.K, r.Refused[i])
		}
	}
	if !r.Ranked() {
		return fmt.Errorf("match %d: the ranks %v do not follow from the scores %v and the forfeits %q",
			m.K, r.Ranks, r.Scores, r.Forfeits)
	}
	if len(o.Times) > 2*len(r.Bots) {
		return fmt.Errorf("match %d: there are times of %d seats", m.K, len(o.Times))
	}
	tooLong := func(text []byte) bool { return len(text) > maxText }
	if len(o.Outputs) > len(r.Bots) || slices.ContainsFunc(o.Outputs, tooLong) {
		return fmt.Errorf("match %d: there is output of %d seats, or more than %d bytes of one", m.K,
			len(o.Outputs), maxText)
	}
	for i := range o.Times {
		t := &o.Times[i]
		size := len(t.Host) + len(t.Exit)
		for _, line := range t.Printed {
			size += len(line)
		}
		if t.Seat < 1 || t.Seat > len(r.Bots) || size > maxText || len(t.Printed) > maxLines {
			return fmt.Errorf("match %d: the times are of seat %d, or have more than %d bytes", m.K, t.Seat,
				maxText)
		}
		if t.K != m.K || t.Bot != r.Bots[t.Seat-1] {
			return fmt.Errorf("match %d: the times of seat %d are of another match", m.K, t.Seat)
		}
		if t.Answers < 0 || t.Skipped < 0 || t.Answers > maxTurns || t.Skipped > maxTurns {
			return fmt.Errorf("match %d: seat %d answered %d turns and skipped %d",
				m.K, t.Seat, t.Answers, t.Skipped)
		}
	}
	return nil
}

// Player plays single matches of a contest, for a coordinator elsewhere.
type Player struct {
	contest *Contest
	dir     string // of recordings
	jobs    int
	cores   []int
	guard   *guard
	plain   *player

	mu       sync.Mutex // guards the fields below
	recorded *player    // nil: no match was recorded so far
	slots    *coreSlots
}

// OpenPlayer returns a player of this many matches at once, whose recordings are below dir. Bots
// have cores as [Options.Cores] says. The caller must close the player.
func OpenPlayer(c *Contest, dir string, jobs int, cores []int) (*Player, error) {
	g, err := newGuard(c.programs())
	if err != nil {
		return nil, err
	}
	p := &Player{
		contest: c, dir: filepath.Join(dir, playing), jobs: jobs, cores: cores, guard: g,
		slots: newCoreSlots(cores, jobs, c.Plan.Seats),
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return nil, err
	}
	p.plain, err = openPlayer(c, g, nil, jobs, cores)
	return p, err
}

// Close ends bots that stay. No match may be played any more.
func (p *Player) Close(ctx context.Context) {
	p.plain.close(ctx)
	p.recorded.close(ctx)
}

// Play plays a match. The error says that it was not played, not because of a bot.
func (p *Player) Play(ctx context.Context, t *Task, record bool) (*Outcome, error) {
	l := p.plain
	if record {
		var err error
		if l, err = p.recorder(); err != nil {
			return nil, err
		}
	}
	one := &played{Match: t.Match, unstarted: t.Unstarted, slot: p.take()}
	defer p.give(one.slot)
	if p.contest.Outputs {
		one.outputs = filepath.Join(p.dir, fmt.Sprint("output-", t.K))
		defer os.RemoveAll(one.outputs)
	}
	o, err := l.outcome(ctx, one)
	if err == nil && one.outputs != "" {
		o.Outputs = readOutputs(one.outputs, len(t.Bots))
	}
	return o, err
}

// outcome plays a match, and returns its result.
func (l *player) outcome(ctx context.Context, one *played) (*Outcome, error) {
	l.play(ctx, one)
	if err := context.Cause(ctx); err != nil {
		return nil, err // why the match was not played
	}
	if one.err != nil {
		return nil, one.err
	}
	return &Outcome{Row: one.entry.row, Times: one.entry.times, Recording: one.recording}, nil
}

// recorder returns the player that records its matches.
func (p *Player) recorder() (*player, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.recorded == nil {
		l, err := openPlayer(p.contest, p.guard, &host.Recordings{Dir: p.dir, Durable: recording.AtEnd},
			p.jobs, p.cores)
		if err != nil {
			return nil, err
		}
		p.recorded = l
	}
	return p.recorded, nil
}

func (p *Player) take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slots.take()
}

func (p *Player) give(slot int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots.give(slot)
}

// Portable returns an error that names the bots which other machines cannot start: commands and
// addresses, of which the folder of the cup has no copies.
func (c *Contest) Portable() error {
	var wrong []error
	for i := range c.Entrants {
		if e := &c.Entrants[i]; e.Spec.Kind != seat.Builtin && !e.Copied() {
			wrong = append(
				wrong,
				fmt.Errorf("%s: workers get files and folders, not what a command line or an address names; "+
					"put the bot into a folder with a file main.* and name that", e.Seat),
			)
		}
	}
	if c.Logic != nil {
		wrong = append(wrong,
			fmt.Errorf("%s: workers cannot start a game logic; leave --workers out", c.Logic.Seat))
	}
	return errors.Join(wrong...)
}

// Copied reports whether bot i has a copy in the folder of the cup.
func (c *Contest) Copied(i int) bool { return c.Entrants[i].Copied() }
