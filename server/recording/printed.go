package recording

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Output is what one bot printed, in whole lines.
type Output struct {
	Player engine.PlayerID `json:"player"`
	Lines  []string        `json:"lines"`          // the newest ones
	Lost   int             `json:"lost,omitempty"` // number of earlier lines that were left out
	// Ended says how its process ended after these lines, such as "crashed: exit code 1"; empty: it
	// has not.
	Ended string `json:"ended,omitempty"`
}

// MaxPrinted is the most bytes of a bot's output that are kept per turn. The last lines
// are kept, since they say why a bot crashed.
const MaxPrinted = 16 << 10

// Tail returns the last lines of o that fit into limit bytes. The others count as lost.
func (o Output) Tail(limit int) Output {
	from := len(o.Lines)
	for from > 0 && limit > len(o.Lines[from-1]) {
		from--
		limit -= len(o.Lines[from]) + 1
	}
	return Output{o.Player, o.Lines[from:], o.Lost + from, o.Ended}
}

// Pages collect what started bots print, turn by turn, for all watchers of a match. The
// zero value is ready to use.
type Pages struct {
	mu     sync.Mutex // guards the fields below
	list   []page
	turned int      // 1 + the turn whose output was returned last
	output []Output // of that turn
}

type page struct {
	label  string
	player engine.PlayerID // NoPlayer until the match starts
	lines  []string
	times  []time.Time // when each line was printed
	bytes  int
	lost   int
	ended  string    // how the bot ended, until At has returned it
	end    time.Time // when that was
	failed bool      // it ended with an error
	done   bool      // its part in the match was over before
}

// of returns the page for a label. The caller holds mu.
func (p *Pages) of(label string) *page {
	for i := range p.list {
		if p.list[i].label == label {
			return &p.list[i]
		}
	}
	p.list = append(p.list, page{label: label, player: engine.NoPlayer})
	return &p.list[len(p.list)-1]
}

// Seat sets the player of the bot with a label. Earlier output of the bot is kept.
func (p *Pages) Seat(label string, id engine.PlayerID) {
	if p == nil || label == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(label).player = id
}

// Print adds a line that the bot with a label printed. Any goroutine may call it, also
// before the match starts.
func (p *Pages) Print(label, line string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	pg := p.of(label)
	pg.lines, pg.times = append(pg.lines, line), append(pg.times, time.Now())
	pg.bytes += len(line) + 1
	for pg.bytes > MaxPrinted {
		pg.cut(1)
		pg.lost++
	}
}

// End notes how the process of the bot with a label ended, such as "exit code 1", and whether that
// was an error. A bot that ends before the match starts is not in it: it may be started again.
func (p *Pages) End(label, how string, failed bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if pg := p.of(label); pg.player != engine.NoPlayer {
		pg.ended, pg.end, pg.failed = how, time.Now(), failed
	}
}

// Done notes that the bot with a label has played to the end or was kicked. If its process ends
// with an error, it has not crashed: many clients end so when the server closes their connection.
func (p *Pages) Done(label string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(label).done = true
}

// cut removes and returns the oldest n lines.
func (p *page) cut(n int) (lines []string) {
	lines = p.lines[:n:n]
	for _, line := range lines {
		p.bytes -= len(line) + 1
	}
	p.lines, p.times = p.lines[n:], p.times[n:]
	return lines
}

// takeEnd returns how the bot ended, once; empty: it has not.
func (p *page) takeEnd() (how string) {
	how, p.ended = p.ended, ""
	if how != "" && p.failed && !p.done {
		return crashed + how
	}
	return how
}

// crashed begins the way in which a process ended that ended with an error before its bot's part in
// the match was over.
const crashed = "crashed: "

// Exit returns how the bot's process ended, such as "exit code 1", and whether it crashed; empty:
// it has not ended.
func (o Output) Exit() (how string, failed bool) { return strings.CutPrefix(o.Ended, crashed) }

// At returns what the players' bots printed for a turn: lines since the previous turn, up
// to the time at which the turn was over, since bots may have got the next turn already.
// The zero time stands for now. Calls for the same turn return the same. A nil p returns
// nothing.
func (p *Pages) At(step int, over time.Time) []Output {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turned == step+1 {
		return p.output
	}
	p.turned, p.output = step+1, nil
	for i := range p.list {
		pg := &p.list[i]
		n := len(pg.lines)
		for n > 0 && !over.IsZero() && pg.times[n-1].After(over) {
			n--
		}
		lines := pg.cut(n)
		ended := ""
		if over.IsZero() || !pg.end.After(over) {
			ended = pg.takeEnd()
		}
		if pg.player != engine.NoPlayer && (n+pg.lost > 0 || ended != "") {
			p.output = append(p.output, Output{pg.player, lines, pg.lost, ended})
		}
		pg.lost = 0
	}
	return p.output
}

// Omission returns a note on the number of lines that were left out, or an empty string.
func (o Output) Omission() string {
	switch o.Lost {
	case 0:
		return ""
	case 1:
		return "[a line before these was left out]"
	}
	return fmt.Sprintf("[%d lines before these were left out]", o.Lost)
}
