// Package feed represents one match as a sequence of events, each one JSON object on one
// line: the lobby, the start, every turn, the end. The page and other viewers read it,
// live or from a recording; docs/api.md describes the events. It knows no socket and
// not how fast its readers are.
//
// A [Feed] watches a match. It encodes each event once and keeps all of them, so that
// readers that join late, reconnect or look back get the same bytes. A reader has a
// [Cursor] and needs no queue: what it has not read yet is in the history. The package
// starts no goroutine. The match's goroutine writes, and any other may read.
package feed

import (
	"cmp"
	"crypto/rand"
	"encoding/base32"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// Options describe the match of a feed.
type Options struct {
	ID        string      // of the match; if empty, one is drawn
	Random    io.Reader   // the source of a drawn id, which does not fail; nil means crypto/rand's
	Game      string      // its name
	Rules     match.Rules // asked in the match's goroutine; nil: nothing is known of them
	Map       string      // its name
	Seed      uint64
	Settings  match.Settings // until the match starts
	Autostart bool           // the match starts when every seat is taken
	// what the match belongs to: its series, round, table and match; may be nil
	Labels map[string]string

	// Interval returns the time between turns, 0 if turns end when the players have
	// answered. If it is nil, the feed shows the delay that players are told.
	Interval func(match.Settings) time.Duration

	// Describe returns what is known of the bot that connected from an address. It is
	// called in the match's goroutine and may be nil.
	Describe func(remote string) recording.Bot

	// Recording returns the file name of the match's recording, or an empty string. It is
	// called in the match's goroutine when the match starts and when it ends, and may be
	// nil. The recorder must be a watcher before the feed.
	Recording func() string

	// Printed is the output of the bots with labels. It may be nil.
	Printed *recording.Pages

	// Account has the figures of the report that the end shows. It must be a watcher before the
	// feed. If it is nil, the end has no report.
	Account *result.Account

	// MaxBytes limits the size of the history; 0 stands for [MaxBytes]. When a match needs
	// more, the oldest turns are dropped.
	MaxBytes int

	// MaxLag is how much a viewer's lag may grow beyond its smallest so far before the
	// viewer skips to the newest turn; 0 stands for two seconds.
	MaxLag time.Duration
}

const defaultMaxLag = 2 * time.Second

// Phase is the phase of a match.
type Phase string

// The phases.
const (
	Gathering Phase = "gathering" // clients take seats
	Playing   Phase = "playing"
	Over      Phase = "over"
)

// Feed holds the events of one match, which it watches.
type Feed struct {
	opts  Options
	epoch time.Time

	// Owned by the match's goroutine.
	began   time.Time
	header  recording.Header // as the match's recording has it; empty before the start
	endings result.Endings
	turn    Turn
	scratch []byte

	mu        sync.Mutex // guards the fields below
	phase     Phase
	lost      string // why the match is not recorded; empty: it is
	brief     Brief  // without the phase and what depends on it; only the match's goroutine changes it
	lobby     lobby
	history   history
	newest    *match.Frame // with the newest state, if events do not hold states; retained
	keyframe  Event        // the newest turn with its whole state, made when a reader needs it
	notice    Event        // the last announcement
	serial    uint64       // of the newest event
	released  bool         // the history is no longer kept
	listeners map[*func()]struct{}

	over chan struct{} // closed when the history has its end
}

var _ match.Watcher = (*Feed)(nil)

// New returns the feed of a match that no client has joined yet.
func New(o Options) *Feed {
	if o.ID == "" {
		o.ID = drawID(cmp.Or(o.Random, rand.Reader))
	}
	o.MaxBytes = cmp.Or(o.MaxBytes, MaxBytes())
	o.MaxLag = cmp.Or(o.MaxLag, defaultMaxLag)
	if o.Recording == nil {
		o.Recording = func() string { return "" }
	}
	f := &Feed{
		opts: o, epoch: time.Now(), phase: Gathering,
		brief:     Brief{ID: o.ID, Game: o.Game, Map: o.Map, Labels: o.Labels},
		lobby:     newLobby(&o),
		history:   history{limit: o.MaxBytes},
		listeners: map[*func()]struct{}{}, endings: result.Endings{}, over: make(chan struct{}),
	}
	f.changeLobby(func(*lobby) {})
	return f
}

// drawID returns an id of 60 random bits, which no two matches of a server share.
func drawID(random io.Reader) string {
	var bits [8]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		panic(err)
	}
	return base32.StdEncoding.EncodeToString(bits[:])[:12]
}

// ID returns the match's id.
func (f *Feed) ID() string { return f.opts.ID }

// Listen registers wake to be called after each new event, until stop is called. wake
// runs in the goroutine that made the event, often the match's, and must not block.
func (f *Feed) Listen(wake func()) (stop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := &wake
	f.listeners[key] = struct{}{}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.listeners, key)
	}
}

// notify wakes all listeners. The caller holds the lock.
func (f *Feed) notify() {
	for wake := range f.listeners {
		(*wake)()
	}
}

// nextSerial returns the number for a new event. The caller holds the lock.
func (f *Feed) nextSerial() uint64 {
	f.serial++
	return f.serial
}

// Announce shows all readers a line that is not part of the match, such as the number of
// viewers. Only the newest line is kept; late readers get it, too.
func (f *Feed) Announce(line []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notice = Event{Serial: f.nextSerial(), Data: line}
	f.notify()
}

// add appends an event to the history. The caller holds the lock.
func (f *Feed) add(data []byte, body span) {
	if f.released {
		return
	}
	f.history.add(entry{
		data: f.history.keep(data), body: body,
		serial: f.nextSerial(), at: time.Since(f.epoch),
	})
}

// Started implements match.Watcher.
func (f *Feed) Started(frame *match.Frame) {
	f.began = time.Now()
	s := f.startOf(frame)
	var body span
	f.scratch, body = s.append(f.scratch[:0])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.phase = Playing
	f.brief.Turns, f.brief.Players, f.brief.Recording = s.Turns, playersOf(s.Seats), s.Recording
	f.add(f.scratch, body)
	f.notify()
}

// startOf returns the start event of a match.
func (f *Feed) startOf(frame *match.Frame) Start {
	t := &frame.Table
	h := recording.Header{
		Labels: f.opts.Labels, Rules: f.opts.Game, MapName: f.opts.Map, Players: t.Players,
		Specials: t.Specials,
		Turns:    t.Settings.Turns, Seed: f.opts.Seed, DelayTurns: t.Settings.DelayTurns,
		Limit: milliseconds(t.Limit), Seats: recording.SeatsOf(t, f.opts.Describe, f.opts.Printed),
	}
	if f.opts.Rules != nil {
		h.Describe(f.opts.Rules)
	}
	f.header = h
	s := newStart(f.opts.ID, &h, frame.State, f.printed(0, time.Time{}))
	s.Scores = f.scores(nil, len(t.Seats))
	s.Recording = f.opts.Recording()
	if f.opts.Interval != nil {
		s.IntervalMS = milliseconds(f.opts.Interval(t.Settings))
	}
	return s
}

// scores appends the scores of a game logic, if it sends any.
func (f *Feed) scores(dst []int64, players int) []int64 {
	if _, ok := f.opts.Rules.(match.Logic); !ok {
		return dst
	}
	return appendScores(dst, players, f.opts.Rules.AppendTally)
}

// printed returns what bots printed for a turn that was over at a time, and notes how their
// processes ended.
func (f *Feed) printed(step int, over time.Time) []recording.Output {
	list := f.opts.Printed.At(step, over)
	f.endings.Note(list)
	return list
}

// Played implements match.Watcher.
func (f *Feed) Played(p *match.Play) {
	t := &f.turn
	t.Step, t.At = p.Step, time.Since(f.began)
	t.Delta, t.State = p.AppendDelta(t.Delta[:0]), p.Frame.State
	t.Winner, t.Answers, t.Refused = p.Result.Winner, p.Answers, p.Result.Refused
	t.Scores = f.scores(t.Scores[:0], len(p.Frame.Table.Seats))
	t.Gone = t.Gone[:0]
	for i := range p.Frame.Table.Seats {
		if s := &p.Frame.Table.Seats[i]; !s.Connected {
			t.Gone = append(t.Gone, s.ID)
		}
	}
	t.Printed = f.printed(p.Step, p.At)
	f.played(t, p.Frame)
}

func (f *Feed) played(t *Turn, frame *match.Frame) {
	var body span
	f.scratch, body = t.append(f.scratch[:0])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(f.scratch, body)
	if f.newest != nil {
		f.newest.Release()
		f.newest = nil
	}
	if len(t.Delta) > 0 && !f.released {
		frame.Retain()
		f.newest = frame
		f.history.mark(t.Step, frame.State)
	}
	f.notify()
}

// Ended implements match.Watcher.
func (f *Feed) Ended(e *match.Ending) {
	end := End{
		Turn: e.Steps, Winner: e.Winner, Reason: e.Reason, Printed: f.printed(e.Steps+1, time.Time{}),
	}
	if f.opts.Account != nil {
		played := f.opts.Account.Result()
		end.Report = played.Report(&f.header, f.endings)
	}
	if e.Err != nil {
		end.Error = e.Err.Error()
	}
	if f.opts.Rules != nil {
		end.setTally(len(f.brief.Players), f.opts.Rules.AppendTally)
	}
	f.scratch = end.append(f.scratch[:0])
	name := f.opts.Recording() // the file may have been renamed, or writing it may have failed
	f.mu.Lock()
	defer f.mu.Unlock()
	f.phase, f.brief.Recording = Over, name
	f.brief.Result = &Result{Winner: end.Winner, Reason: end.Reason, Error: end.Error}
	f.brief.Players = ranked(f.brief.Players, &end)
	f.add(f.scratch, span{})
	f.dropReferences()
	f.notify()
	close(f.over)
}

// Release frees the history. Cursors and ranges end, and listeners are notified.
func (f *Feed) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.released = true
	f.history = history{limit: f.opts.MaxBytes}
	f.keyframe = Event{}
	if f.newest != nil {
		f.newest.Release()
		f.newest = nil
	}
	f.notify()
}

// Released reports whether the history was released.
func (f *Feed) Released() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.released
}

// dropReferences drops what is needed only during the match, since many feeds of finished
// matches are kept for their history. The caller holds the lock.
func (f *Feed) dropReferences() {
	o := &f.opts
	o.Rules, o.Recording, o.Interval, o.Describe, o.Printed, o.Account = nil, nil, nil, nil, nil, nil
	f.turn, f.scratch, f.header, f.endings = Turn{}, nil, recording.Header{}, nil
	if held := f.newest; held != nil {
		f.newest = &match.Frame{State: slices.Clone(held.State)}
		held.Release()
	}
}
