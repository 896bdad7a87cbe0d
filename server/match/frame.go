package match

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Moment is the part of a match that a frame shows.
type Moment uint8

// The moments that seats are told of.
const (
	Started Moment = iota // the initial state
	Turned                // the state after a turn, on which the players now act
	Ended                 // the state after the last turn
)

// Frame is one moment of a match, the same for every client. It holds the
// state's bytes once; the message of each wire is made by a [Form] when the first
// seat asks for it, and shared by all others.
//
// A frame is immutable while it is held. To keep one after the call that passed it,
// retain it, and release it once.
type Frame struct {
	Moment Moment
	Turn   int             // of Turned: the number of the TURN, from 0
	Past   bool            // of Turned: the answers are known, so that no person need decide
	Winner engine.PlayerID // of Ended
	State  []byte          // JSON object
	Table  Table           // the match's seats and settings

	refs   atomic.Int32
	pool   chan *Frame // where the frame goes when its last holder releases it
	mu     sync.Mutex  // guards forms and parsed
	forms  []encoded
	parsed func() (any, error) // nil before the first call of Parsed
}

// Table is what a match tells its seats about itself.
type Table struct {
	Settings Settings
	Limit    time.Duration // of each player for an answer; 0: none, not the same, or clocks count
	Players  int           // without special players
	Specials int
	Seats    []SeatInfo // players and special players by id; never changed in place
	Series   Series     // the match's place in a series
	// of Seats: two tables in this process with the same version have the same seats
	Version uint64
}

// Form turns frames into the messages of one wire. Forms are compared with ==.
type Form interface {
	// Append appends the frame's message, or returns why it cannot be sent.
	Append(dst []byte, f *Frame) ([]byte, error)
}

type encoded struct {
	form Form
	buf  []byte
	err  error
}

// In returns the frame's message in the given form. It is made once and shared.
func (f *Frame) In(form Form) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.forms {
		if f.forms[i].form == form {
			return f.forms[i].buf, f.forms[i].err
		}
	}
	n := len(f.forms)
	if n < cap(f.forms) {
		f.forms = f.forms[:n+1] // reuses its buffer
	} else {
		f.forms = append(f.forms, encoded{})
	}
	w := &f.forms[n]
	w.form = form
	w.buf, w.err = form.Append(w.buf[:0], f)
	return w.buf, w.err
}

// Parsed returns what parse makes of the state. It is called once: all seats and watchers that ask
// a frame pass the same function.
func (f *Frame) Parsed(parse func(state []byte) (any, error)) (any, error) {
	f.mu.Lock()
	if f.parsed == nil {
		f.parsed = sync.OnceValues(func() (any, error) { return parse(f.State) })
	}
	parsed := f.parsed
	f.mu.Unlock()
	return parsed()
}

// Retain keeps the frame from being reused until Release.
func (f *Frame) Retain() { f.refs.Add(1) }

// Release ends a hold on the frame.
func (f *Frame) Release() {
	if f.refs.Add(-1) != 0 {
		return
	}
	f.forms = f.forms[:0]
	f.parsed = nil
	select {
	case f.pool <- f:
	default: // the pool is full
	}
}

// maxFreeFrames is the capacity of the pool of free frames. A steady turn uses two or
// three. A sync.Pool would lose them at garbage collections, and a turn would allocate.
const maxFreeFrames = 8

// newFrame returns a frame of the current state, held by the caller.
func (m *Match) newFrame(moment Moment) *Frame {
	f := m.blankFrame(moment)
	f.State = m.opts.Referee.AppendState(f.State)
	return f
}

// startFrame returns a frame of the initial state with the current table, held by the caller.
func (m *Match) startFrame() *Frame {
	f := m.blankFrame(Started)
	f.State = append(f.State, m.initial...)
	return f
}

func (m *Match) blankFrame(moment Moment) *Frame {
	var f *Frame
	select {
	case f = <-m.frames:
	default:
		f = &Frame{pool: m.frames}
	}
	f.refs.Store(1)
	f.Moment = moment
	f.Turn = m.turns - 1
	f.Past = moment == Turned && m.inPast()
	f.Winner = m.last.Winner
	f.Table = m.table
	f.State = f.State[:0]
	return f
}
