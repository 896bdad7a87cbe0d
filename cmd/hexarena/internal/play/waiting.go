package play

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

const (
	// noticeTime is the time that a bot takes for a turn before it is named: until then people do not
	// wonder.
	noticeTime = 5 * time.Second
	// mostNotices is how often a bot is named that is slow and answers: its times are in the table.
	mostNotices = 3
)

// players are the seats of a match's players, by id. They belong to the match's goroutine.
type players struct {
	match.BaseWatcher
	seats map[engine.PlayerID]match.SeatInfo // nil before the match begins
}

// Joined implements match.Watcher.
func (l *players) Joined(s match.SeatInfo, _ match.Role) {
	if _, plays := l.seats[s.ID]; plays { // it has connected again
		l.seats[s.ID] = s
	}
}

// Started implements match.Watcher.
func (l *players) Started(f *match.Frame) {
	l.seats = map[engine.PlayerID]match.SeatInfo{}
	for _, s := range f.Table.Seats {
		if s.ID != engine.NoPlayer {
			l.seats[s.ID] = s
		}
	}
}

// waiting is a pace that, as that of cups, no longer waits for a bot that has missed several turns
// in a row. It says which bot is awaited, and where it hangs. It belongs to the match's goroutine,
// but for hung.
type waiting struct {
	*match.Waiting
	limit time.Duration // for a turn; 0: none
	warn  func(text string)
	label func(match.SeatInfo) string
	// returns where the bot of a seat is, see host.Room.Stack; set before the match begins
	stack func(seat int, last bool) []string

	players *players
	turn    int // number of the TURN that is asked
	asked   time.Time
	noticed bool                    // the bots that this turn waits for were named
	notices map[engine.PlayerID]int // how often a bot was named
	missed  map[engine.PlayerID]int // turns in a row, as of the last turn

	tracing sync.WaitGroup
	mu      sync.Mutex
	hung    map[engine.PlayerID]string // why, once it is
	traced  map[engine.PlayerID]bool   // where it is was said
}

// newWaiting returns the pace of a round that a view shows. It returns nil for a round in which no
// turn waits for a bot, or by the clock of a game, which ends with the time of a bot.
func (r *round) newWaiting(view tui.View) *waiting {
	if r.alternates() || r.Pace == config.Timer {
		return nil
	}
	w := &waiting{
		Waiting: match.NewWaiting(r.TurnTimeout, 0, len(r.seats)),
		limit:   r.TurnTimeout, label: r.label, turn: -1,
		players: &players{}, notices: map[engine.PlayerID]int{}, missed: map[engine.PlayerID]int{},
		hung: map[engine.PlayerID]string{}, traced: map[engine.PlayerID]bool{},
		warn: view.Warn,
	}
	if r.asJSON {
		w.warn = func(text string) { fmt.Fprintln(r.Stderr, text) }
	}
	w.Exempt = func(p engine.PlayerID) bool { return w.players.seats[p].Untimed }
	return w
}

// label returns the name of a seat.
func (r *round) label(s match.SeatInfo) string {
	if i := s.Number - 1; i >= 0 && i < len(r.seats) {
		return r.seats[i].Label
	}
	return s.Nickname
}

// at returns the pace with another one inside, which decides when turns end.
func (w *waiting) at(inside match.Pace) match.Pace {
	w.Pace = inside
	return w
}

// Asked implements match.Pace.
func (w *waiting) Asked(now time.Time, awaited []engine.PlayerID) match.Decision {
	for p := range w.players.seats {
		w.note(p)
	}
	w.turn++
	w.asked, w.noticed = now, false
	return w.wake(w.Waiting.Asked(now, awaited))
}

// Answered implements match.Pace.
func (w *waiting) Answered(now time.Time, p engine.PlayerID) match.Decision {
	return w.wake(w.Waiting.Answered(now, p))
}

// Left implements match.Pace.
func (w *waiting) Left(now time.Time, p engine.PlayerID) match.Decision {
	return w.wake(w.Waiting.Left(now, p))
}

// Returned implements match.Pace.
func (w *waiting) Returned(now time.Time, p engine.PlayerID) match.Decision {
	return w.wake(w.Waiting.Returned(now, p))
}

// Woken implements match.Pace.
func (w *waiting) Woken(now time.Time) match.Decision {
	if !w.noticed && now.Sub(w.asked) >= noticeTime {
		w.noticed = true
		for _, p := range w.Owing() {
			if !w.Exempt(p) {
				w.name(p, noticeTime)
			}
		}
	}
	return w.wake(w.Waiting.Woken(now))
}

// wake returns a decision with which the pace is called when it is time to name who is awaited.
func (w *waiting) wake(d match.Decision) match.Decision {
	if notice := w.asked.Add(noticeTime); !d.End && !w.noticed &&
		(d.Wake.IsZero() || notice.Before(d.Wake)) {
		d.Wake = notice
	}
	return d
}

// note says what it means that a player has missed the last turn.
func (w *waiting) note(p engine.PlayerID) {
	n := w.Missed(p)
	more := n > w.missed[p]
	w.missed[p] = n
	switch {
	case more && w.Hung(p):
		why := fmt.Sprintf("it has not answered %d turns in a row, the first of them turn %d", n,
			w.turn-n+1)
		w.mu.Lock()
		w.hung[p] = why
		w.mu.Unlock()
		w.say(p, "forfeits: %s; turns no longer wait for it", why)
		w.trace(p, true)
	case more && n == 1:
		if !w.noticed {
			w.name(p, w.limit)
		}
		if w.notices[p] <= mostNotices {
			w.trace(p, false)
		}
	case n == 0:
		w.mu.Lock()
		delete(w.traced, p)
		w.mu.Unlock()
	}
}

// name says that a bot has not answered the turn for some time, unless that was said often.
func (w *waiting) name(p engine.PlayerID, d time.Duration) {
	if w.notices[p]++; w.notices[p] <= mostNotices {
		w.say(p, "has not answered turn %d for %v", w.turn, d)
	}
}

// say says something about a player.
func (w *waiting) say(p engine.PlayerID, format string, args ...any) {
	w.warn(tui.Plain(w.label(w.players.seats[p])) + " " + fmt.Sprintf(format, args...))
}

// trace says where a bot is, if its language can tell, once in turns that it misses in a row.
func (w *waiting) trace(p engine.PlayerID, last bool) {
	s, turn := w.players.seats[p], w.turn
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.traced[p] {
		return
	}
	panics.Go(&w.tracing, func() {
		lines := w.stack(s.Number, last)
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(lines) > 0 && !w.traced[p] { // another trace may have taken less time
			w.traced[p] = true
			w.warn(
				fmt.Sprintf("%s is here in turn %d:\n    %s", tui.Plain(w.label(s)), turn,
					strings.Join(lines, "\n    ")),
			)
		}
	}, func(p *panics.Error) { w.warn(p.Error()) })
}

// whyHung returns why the match no longer waits for a player, "" if it does.
func (w *waiting) whyHung(p engine.PlayerID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hung[p]
}
