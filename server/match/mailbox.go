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

// event is one piece of mail. It is a plain struct, not an interface, so that
// an answer costs no allocation.
type event struct {
	kind    eventKind
	place   *Place
	turn    int
	actions []byte
	debug   []byte // shown beside the actions
	ready   any    // what the game made of the actions; may be nil
	took    time.Duration
	at      time.Time    // when the answer was there
	lapse   engine.Lapse // of one who left, as are the reason
	reason  string
	do      func() // of a request
}

// post puts an event into the mailbox, or drops it when the match is over.
//
// The match is woken once for the answers of a turn, not for each: while it
// rests, it does not wait for mail, but for whoever posts what it has to read.
func (m *Match) post(e event) bool {
	select {
	case <-m.done: // nobody reads it any more
		return false
	default:
	}
	select {
	case m.mail <- e:
	default:
		m.rouse()
		select {
		case m.mail <- e:
		case <-m.done:
			return false
		}
	}
	if e.kind != answered || m.unheard.Add(-1) < 0 {
		m.rouse()
	}
	return true
}

// rouse wakes a match that rests.
func (m *Match) rouse() {
	select {
	case m.roused <- struct{}{}:
	default: // it has been called already
	}
}

// rests says whether the match may wait to be roused, and for how many answers it
// need not be. Whoever posts an answer after that counts it.
func (m *Match) rests() bool {
	if m.phase != asking || m.quiet == 0 {
		return false
	}
	m.unheard.Store(int32(min(m.quiet, mailboxSize/2)))
	return len(m.mail) == 0
}

// ask runs f in the match's goroutine and waits for it. It is false when the
// match is over and f did not run.
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

func (m *Match) handle(e event) {
	switch e.kind {
	case answered:
		m.answer(e)
	case left:
		m.leave(e.place, e.lapse, e.reason)
	case request:
		e.do()
	}
}

// Join asks for a seat. When it is granted, the seat has been welcomed and
// Place is where its answers go; else the error is one of ErrStarted,
// ErrPlayers, ErrSpecials, ErrVisus and ErrAborted.
func (m *Match) Join(s Seat, c Candidate) (p *Place, err error) {
	if m.ask(func() { p, err = m.join(s, c) }) {
		return p, err
	}
	if m.ending.Err != nil { // it does not change any more
		return nil, ErrAborted
	}
	return nil, ErrStarted
}

// Start starts the match with those who are there. It fails with ErrStarted if
// it has started before, with ErrNoReferee while there is none, and with ErrNoPlayers
// while no player is there, if one is needed and has a seat to take.
func (m *Match) Start() error {
	err := ErrStarted
	m.ask(func() {
		if m.phase != gathering {
			return
		}
		if err = m.referee.Ready(); err != nil {
			return
		}
		if s := m.settings; m.needPlayer && !m.roster.hasPlayer() && s.Players+s.Specials > 0 {
			err = ErrNoPlayers
			return
		}
		m.begin()
	})
	return err
}

// Started says whether the match has started, and is not over.
func (m *Match) Started() (started bool) {
	m.ask(func() { started = m.phase > gathering })
	return started
}

// Refresh looks again whether the match is to start by itself: the referee has
// become ready.
func (m *Match) Refresh() { m.post(event{kind: request, do: m.autobegin}) }

// Settings are the settings in force; ok is false when the match is over.
func (m *Match) Settings() (s Settings, ok bool) {
	ok = m.ask(func() { s = m.settings })
	return s, ok
}

// Update changes the settings. The number of turns and of seats count at the
// start, the delays from the next turn on.
func (m *Match) Update(f func(*Settings)) {
	m.ask(func() {
		f(&m.settings)
		m.repace = true
		for _, w := range m.watchers {
			if w, ok := w.(SettingsWatcher); ok {
				w.Updated(m.settings)
			}
		}
		if !m.netorcai {
			m.autobegin()
		}
	})
}

// SetPace changes the pace from the next turn on.
func (m *Match) SetPace(f func(Settings) Pace) {
	m.ask(func() {
		m.newPace = f
		m.repace = true
	})
}
