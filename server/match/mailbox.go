package match

import (
	"time"

	"github.com/hexarena/hexarena/engine"
)

type eventKind uint8

const (
	answered eventKind = iota
	left
	request
)

// event is one item in the mailbox. It is a plain struct, not an interface, so that
// an answer costs no allocation.
type event struct {
	kind    eventKind
	place   *Place
	turn    int
	actions []byte
	debug   []byte // shown beside the actions
	ready   any    // the result of Prepare for the actions; may be nil
	took    time.Duration
	at      time.Time    // when the answer arrived
	lapse   engine.Lapse // of a client that left
	reason  string       // why it left
	do      func()       // of a request
}

// post puts an event into the mailbox. It reports false, and drops the event, when the
// match is over.
//
// The match is woken once for the answers of a turn, not for each: a parked match does
// not receive from the mailbox, but waits for a sender to signal that the mail matters.
func (m *Match) post(e event) bool {
	if m.returned() {
		return false
	}
	select {
	case m.mail <- e:
	default:
		m.signal()
		select {
		case m.mail <- e:
		case <-m.done:
			return false
		}
	}
	if e.kind != answered || m.skippable.Add(-1) < 0 {
		m.signal()
	}
	return true
}

// signal wakes a parked match.
func (m *Match) signal() {
	select {
	case m.wakeup <- struct{}{}:
	default: // it was signalled already
	}
}

// mayPark reports whether the match may wait for a signal instead of mail, and sets
// for how many answers senders need not signal.
func (m *Match) mayPark() bool {
	if m.phase != asking || m.skipWakeups == 0 {
		return false
	}
	m.skippable.Store(int32(min(m.skipWakeups, mailboxSize/2)))
	return len(m.mail) == 0
}

// returned reports whether Run has returned.
func (m *Match) returned() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// ask runs f in the match's goroutine and waits for it. It reports false if the match
// was over and f did not run.
func (m *Match) ask(f func()) bool {
	ran := make(chan struct{})
	if !m.post(event{kind: request, do: func() { f(); close(ran) }}) {
		return false
	}
	select {
	case <-ran:
		return true
	case <-m.done:
		select {
		case <-ran:
			return true
		default:
			return false
		}
	}
}

// handle handles one event. All but answers are visible to watchers, so the watchers
// are told of the turn first.
func (m *Match) handle(e event) {
	if e.kind != answered {
		m.showTurn()
	}
	switch e.kind {
	case answered:
		m.answer(e)
	case left:
		m.leave(e.place, e.lapse, e.reason)
	case request:
		e.do()
		if m.joined {
			m.joined = false
			// Now the client's goroutine goes on: to start a recording may take seconds, and it may
			// seat others.
			m.startIfFull()
		}
	}
}

// Join asks for a seat. On success the seat has been welcomed, and its answers go to
// the returned Place. Otherwise the error is one of ErrStarted, ErrPlayers,
// ErrSpecials, ErrVisus and ErrAborted.
//
// A match that has begun is not asked about clients that cannot have a seat to come back to, so
// that it delays no client that looks for a seat while it waits for a disk.
func (m *Match) Join(s Seat, c Candidate) (p *Place, err error) {
	if all := m.claims.Load(); all != nil && c.Role != Visualization &&
		!(*all)[claimOf(&c, c.Nickname)] && !m.returned() {
		return nil, ErrStarted
	}
	if m.ask(func() { p, err = m.join(s, c) }) {
		return p, err
	}
	if m.ending.Err != nil { // the match is over, so this does not change any more
		return nil, ErrAborted
	}
	return nil, ErrStarted
}

// Start starts the match with the clients that are connected. It returns ErrStarted if
// the match has started before, ErrNoReferee while no game logic is connected, and
// ErrNoPlayers while no player is connected, if the match needs one and has seats for
// players.
func (m *Match) Start() error {
	err := ErrStarted
	m.ask(func() {
		if m.phase != gathering {
			return
		}
		if err = m.opts.Referee.Ready(); err != nil {
			return
		}
		if s := m.settings; m.opts.NeedPlayer && !m.roster.hasPlayer() && s.Players+s.Specials > 0 {
			err = ErrNoPlayers
			return
		}
		m.begin()
	})
	return err
}

// Started reports whether the match has started and is not over.
func (m *Match) Started() (started bool) {
	m.ask(func() { started = m.phase > gathering })
	return started
}

// Refresh starts the match if it can start now. It is called when the referee has
// become ready.
func (m *Match) Refresh() { m.post(event{kind: request, do: m.startIfFull}) }

// Settings returns the settings in force. ok is false when the match is over.
func (m *Match) Settings() (s Settings, ok bool) {
	ok = m.ask(func() { s = m.settings })
	return s, ok
}

// Update changes the settings. The numbers of turns and seats take effect at the
// start, the delays with the next turn.
func (m *Match) Update(f func(*Settings)) {
	m.ask(func() {
		f(&m.settings)
		m.repace = true
		for _, w := range m.opts.Watchers {
			w.Updated(m.settings)
		}
		if !m.opts.Netorcai {
			m.startIfFull()
		}
	})
}

// Cut ends the match as usual with the turn that is being played or, before the start, with the
// first one.
func (m *Match) Cut() { m.post(event{kind: request, do: func() { m.cut = true }}) }

// SetPace changes the pace from the next turn on.
func (m *Match) SetPace(f func(Settings) Pace) {
	m.ask(func() {
		m.opts.Pace = f
		m.repace = true
	})
}
