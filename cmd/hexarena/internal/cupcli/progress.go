package cupcli

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// How often the progress is told: as lines that are written over on a terminal, else as lines.
const (
	terminalInterval = 250 * time.Millisecond
	lineInterval     = time.Second
)

// The standings are fitted again each time, which costs more the more bots there are, and delays
// the next match for as long. So their intervals come from few samples, which is good enough for a
// look, and after each time there is a pause of this many times what it took.
const (
	liveResamples = 100
	livePause     = 20
)

// durationAfter is for how long matches are played before their rate is taken for that of all. The
// first ones, as many as are played at once, do not count: they wait for programs to start.
const durationAfter = time.Second

// progress tells how far a cup is while it is played.
type progress struct {
	*prepared
	fresh   bool        // the folder was made for this cup
	total   int         // matches that are played here if nothing ends the cup earlier; 0: no limit
	region  *tui.Region // nil: the progress is told as lines
	done    chan struct{}
	telling sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	standings *standings.Standings
	begun     time.Time
	played    int            // now, not earlier
	warm      time.Time      // when the first matches were over; zero: they are not
	cold      int            // their number
	estimated bool           // how long it takes is told
	failures  map[string]int // of each bot
	wrong     error
}

func newProgress(p *prepared, s *standings.Standings, fresh bool) *progress {
	q := p.contest.Plan
	return &progress{
		prepared: p, fresh: fresh,
		total:  p.contest.Shard.Matches(plan.NewSchedule(q).Blocks()*q.Seats, q.Stretch()),
		region: tui.NewRegion(p.Stderr), done: make(chan struct{}), standings: s,
		failures: map[string]int{},
	}
}

// restore takes the standings of a checkpoint, whose rows are not told.
func (l *progress) restore(state []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, err := standings.Restore(l.contest.Plan, state)
	if err != nil {
		l.wrong = errors.Join(l.wrong, err)
		return
	}
	l.standings = s
}

// add counts a match.
func (l *progress) add(row *results.Row, fresh bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if fresh {
		l.played++
	}
	if err := l.standings.Add(row); err != nil {
		l.wrong = errors.Join(l.wrong, err)
	}
	for i, bot := range row.Bots {
		if row.Forfeits[i] == results.Unstarted && l.failures[bot] >= 0 {
			l.failures[bot] = -1
			l.say("%s is not started any more: it failed in %d matches in a row", bot, cup.MaxFailures)
		}
	}
	if fresh && (row.K+1)%l.contest.Plan.Seats == 0 {
		l.tellDuration()
	}
}

// tellDuration tells once how long the matches take, when whole blocks have shown how fast they
// are. The caller holds mu.
func (l *progress) tellDuration() {
	switch {
	case l.estimated || l.played < l.jobs():
		return
	case l.warm.IsZero():
		l.warm, l.cold = time.Now(), l.played
		return
	}
	took, played := time.Since(l.warm), l.played-l.cold
	if took < durationAfter || played < l.jobs() {
		return
	}
	l.estimated = true
	if total := l.total; total > 0 {
		rate := float64(played) / took.Seconds()
		l.say("at %.1f matches a second %d matches take about %s", rate, total,
			tui.Roughly(time.Duration(float64(total)/rate*float64(time.Second))))
	}
}

// rate returns how many matches are played in a second. The caller holds mu.
func (l *progress) rate() float64 { return float64(l.played) / time.Since(l.begun).Seconds() }

// maxTold is the number of failures of a bot that are told; the cup has them all.
const maxTold = 3

// failed tells of a bot that did not hold out a match.
func (l *progress) failed(f cup.Failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failures[f.Bot]++; l.failures[f.Bot] > maxTold {
		return
	}
	text := fmt.Sprintf("match %d: %s forfeits (%s)", f.K, f.Bot, f.Kind)
	for _, more := range []string{f.Exit, f.Last} {
		if more != "" {
			text += ": " + more
		}
	}
	l.say("%s", text)
}

// say prints a line above the progress. The caller holds mu.
func (l *progress) say(format string, args ...any) {
	if l.region == nil {
		l.note(format, args...)
		return
	}
	l.region.Print(tui.Plain(fmt.Sprintf(format, args...)))
}

// begin says where the cup is kept, and begins to tell how it goes.
func (l *progress) begin(over bool) {
	had := l.standings.Matches()
	switch {
	case over:
		text := fmt.Sprintf("this cup is over: %s has all its %d matches", l.dir, had)
		if !l.Exam { // flags cannot change one
			text += "; --seed or another setting makes it another one"
		}
		l.note("%s", text)
		return
	case l.fresh:
		l.note("begins in %s", l.dir)
	default:
		l.note("goes on in %s, which has %s", l.dir, textutil.Counted(had, "match", "matches"))
	}
	l.begun = time.Now()
	l.telling.Go(l.tell)
}

// round tells who plays whom.
func (l *progress) round(r cup.Round) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var tables []string
	for _, table := range r.Tables {
		tables = append(tables, strings.Join(table, " – "))
	}
	for i, group := range r.Groups {
		l.say("group %d: %s", i+1, strings.Join(group, ", "))
	}
	switch {
	case r.Winner != "" && !l.standings.MissingName(r.Winner):
		l.say("%s wins the knock-out", r.Winner)
	case r.Winner != "":
		l.say("the knock-out has no winner: %s was in none of its matches", r.Winner)
	case l.contest.Plan.Count == 0 || l.standings.Matches() < l.contest.Plan.Count:
		l.say("round %d: %s", r.Number, strings.Join(tables, ", "))
	}
}

// end stops telling.
func (l *progress) end() {
	close(l.done)
	l.telling.Wait()
	if l.region != nil {
		l.region.Clear()
	}
}

func (l *progress) tell() {
	interval := lineInterval
	if l.region != nil {
		interval = terminalInterval
	}
	next := time.NewTimer(interval)
	defer next.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-next.C:
			next.Reset(max(interval, livePause*l.show()))
		}
	}
}

// show prints the progress, and returns how long that took.
func (l *progress) show() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	began := time.Now()
	resamples := 0
	if l.region != nil {
		resamples = liveResamples
	}
	r := &tui.Running{Table: l.standings.Table(resamples), Total: l.total, Rate: l.rate()}
	messages, asJSON := l.Stderr.(*tui.Messages)
	switch {
	case asJSON:
		messages.Object(r.Object())
	case l.region == nil:
		l.note("%s", r.Line())
	default:
		l.region.Draw(r.Lines(l.region.Size()))
	}
	return time.Since(began)
}
