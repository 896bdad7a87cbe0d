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
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
)

// Options say how the bots of a room are seated.
type Options struct {
	direct.Options // of built-in bots and those that are dialled; the log is the room's

	HTTTX  bool    // bots of the HTTTX Bot API may dial in, and started ones may be dialled
	Fill   Filling // how the bots get their seats; nil: by Retry
	Launch Launch  // how bots are started
	// Hung returns why the match no longer waits for a player, "" if it does. It may be nil.
	Hung func(engine.PlayerID) string
}

// Launch says how bots are started as processes.
type Launch struct {
	Timeout time.Duration    // from a bot's start to its login; 0: usualStartTimeout
	Logs    string           // folder of the bots' logs, made when needed; empty: none
	Env     []string         // KEY=value, added to what bots get of our environment
	Isolate *isolate.Runtime // runs bots in sandboxes; nil: they have the rights of this process

	// Foreign means that the bots are others': they have the nicknames of their seats, and
	// recordings and feeds lack their commands and output.
	Foreign bool
	// OwnPorts gives each bot a port, also where the system tells whose a connection is.
	OwnPorts bool
}

// Room describes a match and the seats of it.
type Room struct {
	Seats    []seat.Spec // the first ones; the others are open
	Capacity int         // players' seats of the match
	Opening  bool        // the game begins from a position that not all bots may take
	Seed     uint64      // which the seeds of bots are drawn from
	Freed    func()      // is called when a client gives up its seat before the start
	Log      zerolog.Logger
}

// Seats are the seats of a room. They implement match.Watcher. Clients are given seats by the
// admission, under its lock; bots are seated by the goroutine of Start, and by one for each bot
// unless they are seated [Once].
type Seats struct {
	match.BaseWatcher
	admission
	opts      Options
	room      Room
	processes *Processes
	printed   *recording.Pages // of started bots, or nil
	bots      *direct.Bots
	serving   sync.WaitGroup // conversations

	match   *match.Match // set by Attach
	account *result.Account

	// When bots may be seated, and when that was done; of the goroutine that seats them.
	begun, filled time.Time
}

// New returns the seats of a room, whose bots are started among the processes p.
func New(o Options, room Room, p *Processes) *Seats {
	o.Log = room.Log
	if o.Fill == nil {
		o.Fill = Retry{}
	}
	s := &Seats{
		opts: o, room: room, bots: direct.New(o.Options), processes: p,
		admission: admission{
			capacity: room.Capacity, foreign: o.Launch.Foreign, log: room.Log,
			changed: make(chan struct{}),
		},
	}
	s.once, _ = o.Fill.(*Once)
	for i := range room.Seats {
		b := &Seat{Spec: room.Seats[i], seats: s, number: i + 1}
		b.Seed, b.nickname = cmp.Or(b.Seed, seat.Seed(room.Seed, i)), b.Spec.Nickname()
		s.list = append(s.list, b)
		if !b.Special {
			s.players++
		}
		if b.Kind == seat.Process && s.printed == nil && !o.Launch.Foreign {
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
		if s.opts.Launch.Foreign {
			bot.Command = nil
		}
		return bot
	}
	return recording.Bot{}
}

// Has reports whether a seat is one of these.
func (s *Seats) Has(b *Seat) bool { return b.seats == s }

// Distance orders rooms by what they keep for a client: 0 for its token, 1 for its nickname, else
// 2.
func (s *Seats) Distance(c *Client) int {
	distance := 2
	for _, b := range s.list {
		switch b.expects(c) {
		case forToken:
			return 0
		case forNickname:
			distance = 1
		}
	}
	return distance
}

// Admit chooses the seat of a client, and completes its candidate, before the match is asked. The
// error is for the client. A login is a bot's if it comes from the process that was started for it,
// from a descendant of that, or by the bot's own port. Other clients get a seat that waits for
// them, or one that is not in the list, or that of the started bot that is awaited, which is
// marked.
func (s *Seats) Admit(c *Client) error {
	if c.Role == match.Visualization {
		return nil
	}
	if c.Packets != nil {
		if err := s.prepare(c.Packets); err != nil {
			return err
		}
	}
	return s.admit(c)
}

// prepare readies a bot of the HTTTX Bot API for the match, or returns why it cannot play it.
func (s *Seats) prepare(one *botapi.Seat) error {
	switch {
	case !s.opts.HTTTX:
		return errNoPackets
	case s.room.Opening && !one.TakesAnyBoard():
		return errNoBoards
	}
	one.SetPatience(s.opts.Patience)
	return nil
}

// Invites reports whether a person at the page would get a seat now. free is the number of players'
// seats of the match that are not taken.
func (s *Seats) Invites(free int) bool { return s.opts.HTTTX && free > 0 && s.invites(free) }

// Call seats a built-in bot in a seat that is not in the list.
func (s *Seats) Call(name, nickname string, role match.Role, seed uint64) error {
	_, err := s.bots.Call(name, seed, func(one match.Seat) error {
		c := match.Candidate{
			Role: role, Nickname: nickname, Remote: "built-in bot " + nickname, Builtin: true,
			Number: len(s.list) + 1,
		}
		_, err := s.match.Join(one, c)
		return err
	})
	return err
}

// Start begins to seat the bots when ready is closed, at once if it is nil, while the match runs.
// abort ends the match early. The caller calls finish when the match is over; finish returns when
// all bots have ended, at once if ctx has.
func (s *Seats) Start(
	ctx context.Context, ready <-chan struct{}, abort func(error),
) (finish func()) {
	if len(s.list) == 0 {
		return s.close
	}
	gathering, stop := context.WithCancel(ctx)
	var filling sync.WaitGroup
	panics.Go(&filling, func() {
		if ready != nil {
			select {
			case <-ready:
			case <-gathering.Done():
				return
			}
		}
		if err := s.opts.Fill.fill(gathering, s); err != nil {
			abort(err)
		}
	}, func(p *panics.Error) {
		panics.Logged(s.log, "Seating bots failed")(p)
		abort(p)
	})
	return func() {
		stop()
		filling.Wait()
		s.dismiss(ctx)
		s.close()
	}
}
