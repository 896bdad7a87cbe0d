package cupcli

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// How often the progress is told: as a line that is written over on a terminal, else as lines. The
// standings are fitted again for each, which costs more the more bots there are.
const (
	terminalInterval = 250 * time.Millisecond
	lineInterval     = time.Second
)

// progress tells how far a cup is while it is played.
type progress struct {
	*prepared
	fresh    bool // the folder was made for this cup
	terminal bool
	done     chan struct{}
	telling  sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	standings *standings.Standings
	begun     time.Time
	played    int // now, not earlier
	drawn     bool
	failures  map[string]int // of each bot
	wrong     error
}

func newProgress(p *prepared, s *standings.Standings, fresh bool) *progress {
	return &progress{prepared: p, fresh: fresh, terminal: tui.IsTerminal(p.Stderr), done: make(chan struct{}), standings: s, failures: map[string]int{}}
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
		if row.Forfeits[i] == cup.Unstarted && l.failures[bot] >= 0 {
			l.failures[bot] = -1
			l.say("%s is not started any more: it failed in %d matches in a row", bot, cup.MaxFailures)
		}
	}
}

// maxTold is how many failures of a bot are told; the cup has them all.
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
	if l.drawn {
		fmt.Fprint(l.Stderr, "\r\x1b[K")
	}
	l.note(format, args...)
}

// begin says where the cup is kept, and begins to tell how it goes.
func (l *progress) begin(over bool) {
	had := l.standings.Matches()
	switch {
	case over:
		l.note("this cup is over: %s has all its %d matches; --seed or another setting makes it another one", l.dir, had)
		return
	case l.fresh:
		l.note("begins in %s", l.dir)
	default:
		l.note("goes on in %s, which has %s", l.dir, counted(had, "match", "matches"))
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
	switch {
	case r.Winner != "":
		l.say("%s wins the knock-out", r.Winner)
	case l.contest.Plan.Count == 0 || l.standings.Matches() < l.contest.Plan.Count:
		l.say("round %d: %s", r.Number, strings.Join(tables, ", "))
	}
}

// end stops telling.
func (l *progress) end() {
	close(l.done)
	l.telling.Wait()
	if l.drawn {
		fmt.Fprint(l.Stderr, "\r\x1b[K")
	}
}

func (l *progress) tell() {
	interval := lineInterval
	if l.terminal {
		interval = terminalInterval
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-tick.C:
			l.show()
		}
	}
}

// show prints the progress.
func (l *progress) show() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.terminal {
		l.note("%s", l.line())
		return
	}
	l.drawn = true
	fmt.Fprintf(l.Stderr, "\r\x1b[K%s", cut(tui.Plain(l.line()), lineWidth))
}

// lineWidth is how much of the progress fits on a line of a terminal.
const lineWidth = 79

func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// line returns how far the cup is. The caller holds mu.
func (l *progress) line() string {
	t := l.standings.Table(0)
	var b strings.Builder
	fmt.Fprint(&b, t.Matches)
	total := l.total(t)
	if t.Planned > 0 {
		fmt.Fprintf(&b, " of %d", t.Planned)
	}
	rate := float64(l.played) / time.Since(l.begun).Seconds()
	fmt.Fprintf(&b, " matches, %.1f a second", rate)
	if rate > 0 && total > t.Matches {
		left := time.Duration(float64(total-t.Matches) / rate * float64(time.Second))
		about := ""
		if t.Planned == 0 {
			about = "about "
		}
		fmt.Fprintf(&b, ", %s%v left", about, left.Round(time.Second))
	}
	if t.Test != nil {
		fmt.Fprintf(&b, "; log ratio %.2f of %.2f to %.2f", t.Test.Ratio, t.Test.Lower, t.Test.Upper)
	}
	const shown = 5
	for i, bot := range t.Bots[:min(shown, len(t.Bots))] {
		separator := ", "
		if i == 0 {
			separator = "; "
		}
		fmt.Fprintf(&b, "%s%s %.3f", separator, bot.Name, bot.Score)
	}
	return b.String()
}

// total returns how many matches there are in all, as far as can be said.
func (l *progress) total(t *standings.Table) int {
	if q := l.contest.Plan; t.Planned == 0 && q.Format == plan.Comparison {
		usual, _ := q.Test.Matches()
		return usual
	}
	return t.Planned
}
