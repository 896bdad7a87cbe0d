// Package seating fills the seats of a room. It decides which seat a client that logs in gets, and
// seats bots: it calls those of this process, dials those that listen, and starts the others as
// child processes.
//
// [Seats] are those of one room, and [Processes] are the started bots of all rooms of a host, by
// which a login is known to be a bot's.
package seating

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/process"
)

// Options say how the bots of a room are seated.
type Options struct {
	direct.Options // of built-in bots and those that are dialled; the log is the room's

	HTTTX   bool // bots of the HTTTX Bot API may dial in, and a started bot may listen, to be dialled
	Opening bool // the game begins from a position that not all dialled bots may take

	Fill Filling // how the bots get their seats; nil: by Retry

	StartTimeout time.Duration    // from a bot's start to its login; 0: usualStartTimeout
	Logs         string           // folder of the started bots' logs, made when needed; or empty
	Env          []string         // KEY=value, added to the environment of started bots
	Isolate      *isolate.Runtime // runs started bots in sandboxes; nil: they have our rights

	// Foreign means that started bots are others': they have the names of their seats, and
	// recordings and feeds lack their commands and output.
	Foreign bool
	// OwnPorts gives each started bot a port, also where the system knows whose a connection is.
	OwnPorts bool

	// Hung returns why the match no longer waits for a player, "" if it does. It may be nil.
	Hung func(engine.PlayerID) string
}

// Seats are the seats of a room. They implement match.Watcher.
type Seats struct {
	match.BaseWatcher
	opts      Options
	filling   Filling
	once      *Once   // the filling if it is of that kind; nil: it is not
	list      []*Seat // in the order of the description
	players   int     // seats in the list that are not for special players
	capacity  int     // players' seats of the match, which may be more
	processes *Processes
	printed   *recording.Pages // of started bots, or nil
	freed     func()           // told when a client gives up its seat before the start
	log       zerolog.Logger
	bots      *direct.Bots
	running   sync.WaitGroup // conversations

	match   *match.Match // set by Attach
	account *result.Account

	// When bots may be seated, and when that was done; of the goroutine that fills the seats.
	begun, filled time.Time

	mu      sync.Mutex    // guards all below, and what the seats say
	changed chan struct{} // closed and replaced when a seat is taken or given up
	awaited *Seat         // of the bot that was started and has no seat yet; nil: none
	settled bool          // the match has started: no seat changes hands any more
}

// New returns the seats of a room whose match has capacity players' seats. The seeds of bots are
// drawn from seed. freed is called when a client gives up a seat before the start.
func New(
	o Options, specs []seat.Spec, capacity int, seed uint64, p *Processes, freed func(),
	log zerolog.Logger,
) *Seats {
	o.Log = log
	s := &Seats{
		opts: o, filling: o.Fill, bots: direct.New(o.Options), capacity: capacity, processes: p,
		freed: freed, log: log, changed: make(chan struct{}),
	}
	if s.filling == nil {
		s.filling = Retry{}
	}
	s.once, _ = s.filling.(*Once)
	for i := range specs {
		b := &Seat{Spec: specs[i], seats: s, number: i + 1}
		b.Seed, b.nickname = cmp.Or(b.Seed, seat.Seed(seed, i)), b.Spec.Nickname()
		s.list = append(s.list, b)
		if !b.Special {
			s.players++
		}
		if b.Kind == seat.Process && s.printed == nil && !o.Foreign {
			s.printed = new(recording.Pages)
		}
	}
	return s
}

// Attach tells the seats which match they belong to. It is called once, before any client is
// admitted.
func (s *Seats) Attach(m *match.Match, a *result.Account) { s.match, s.account = m, a }

// Reserved returns how many players' seats are not open to any client.
func (s *Seats) Reserved() (n int) {
	for _, b := range s.list {
		if b.reserved() {
			n++
		}
	}
	return n
}

// Kept returns how many of the reserved seats are not taken.
func (s *Seats) Kept() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.list {
		if b.reserved() && b.holder == nil {
			n++
		}
	}
	return n
}

// TakeClients reports whether clients can get seats, not only bots.
func (s *Seats) TakeClients() bool {
	if s.players < s.capacity {
		return true
	}
	for _, b := range s.list {
		if b.forClients() {
			return true
		}
	}
	return false
}

// Printed returns what started bots print, or nil without started bots.
func (s *Seats) Printed() *recording.Pages { return s.printed }

// Bot returns what a recording says of the bot that has its seat from an address. With Once, bots
// that are dialled are known by their labels too, not only by the names that they give.
func (s *Seats) Bot(remote string) recording.Bot {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.holding(remote)
	if b != nil && !b.forClients() && (s.once != nil || b.Kind != seat.Address) {
		bot := recording.Bot{Label: b.Label, Command: b.Argv, Seed: b.Seed}
		if s.opts.Foreign {
			bot.Command = nil
		}
		return bot
	}
	return recording.Bot{}
}

// holding returns the seat that was taken from an address, or nil. The caller holds mu.
func (s *Seats) holding(remote string) *Seat {
	for _, b := range s.list {
		if b.holder != nil && b.holder.remote == remote {
			return b
		}
	}
	return nil
}

// touch tells that a seat was taken or given up. The caller holds mu.
func (s *Seats) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// until waits until a condition holds, which it checks with mu held whenever a seat is taken or
// given up. It returns false if ctx ends first.
func (s *Seats) until(ctx context.Context, holds func() bool) bool {
	for {
		s.mu.Lock()
		now, changed := holds(), s.changed
		s.mu.Unlock()
		if now {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// Joined implements match.Watcher.
func (s *Seats) Joined(info match.SeatInfo, _ match.Role) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled {
		s.handOver(info.Remote)
		return
	}
	b := s.holding(info.Remote)
	if b == nil {
		return
	}
	b.holder.joined, b.remote = true, info.Remote
	if b.Kind != seat.Process { // whose nickname was given to it
		b.nickname = info.Nickname
	}
	s.touch()
}

// handOver notes that a bot has its seat by another connection than at the start, which may have
// been another client's. The caller holds mu.
func (s *Seats) handOver(remote string) {
	for _, b := range s.list {
		if b.returns != nil && b.returns.remote == remote {
			b.holder, b.returns = b.returns, nil
		}
	}
}

// Left implements match.Watcher.
func (s *Seats) Left(info match.SeatInfo, role match.Role) {
	s.mu.Lock()
	settled, b := s.settled, s.holding(info.Remote)
	if settled && b != nil && b.returns == nil && b.thrownOut(result.Departure{Reason: info.Reason}) {
		s.printed.Done(b.Label)
	}
	s.mu.Unlock()
	if d, left := s.account.Departure(info.Remote); settled && b != nil && left && !d.HungUp() {
		b.note("removed from the match: " + d.Reason)
	}
	if settled && role != match.Visualization {
		return
	}
	s.Release(info.Remote)
	s.freed()
}

// Started implements match.Watcher.
func (s *Seats) Started(f *match.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled = true
	for i := range f.Table.Seats {
		if b := s.holding(f.Table.Seats[i].Remote); b != nil {
			b.remote, b.untraced, b.alias = b.holder.remote, !b.holder.proven, b.holder.alias
		}
	}
}

// Played implements match.Watcher. The account of the match is told before.
func (s *Seats) Played(p *match.Play) {
	for _, refused := range s.account.Explained() {
		s.noteRefused(refused)
	}
	if p.Frame.Moment == match.Ended {
		s.notePlayed()
	}
}

// noteRefused adds to the output of a started bot why an action of it was refused.
func (s *Seats) noteRefused(refused result.Explained) {
	for _, b := range s.list {
		if b.remote != "" && s.account.Player(b.remote) == refused.Player {
			b.note("refused, " + refused.Reason + ": " + refused.Why)
		}
	}
}

// note adds a line to the output of a bot if it was started.
func (b *Seat) note(line string) {
	if proc := b.seats.processes.of(b); proc != nil {
		proc.Note(line)
	}
}

// notePlayed notes that all bots that have not left have played to the end.
func (s *Seats) notePlayed() {
	for _, b := range s.list {
		if _, left := s.account.Departure(b.remote); !left {
			s.printed.Done(b.Label)
		}
	}
}

// Ended implements match.Watcher. It waits for the last words of bots that have crashed, so that
// the recording, which is told later, has them.
func (s *Seats) Ended(*match.Ending) {
	var late <-chan time.Time
	for _, proc := range s.crashing() {
		if late == nil {
			late = time.After(settleTime)
		}
		select {
		case <-proc.Done():
		case <-late:
			return
		}
	}
}

// crashing notes which bots have played to the end, and returns the processes of those that have
// hung up before: they have ended or are about to. The caller waits for them without mu, which
// logins need.
func (s *Seats) crashing() (list []*process.Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notePlayed()
	for _, b := range s.list {
		d, left := s.account.Departure(b.remote)
		if proc := s.processes.of(b); proc != nil && left && d.HungUp() {
			list = append(list, proc)
		}
	}
	return list
}

// settleTime is how long to wait for what a bot whose process is gone, or about to be, has sent or
// printed: it may still be on its way.
const settleTime = 100 * time.Millisecond
