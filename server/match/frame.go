package match

import (
	"sync"
	"sync/atomic"

	"github.com/hexarena/hexarena/engine"
)

// Moment says what of a match a frame shows.
type Moment uint8

// The moments that seats hear of.
const (
	Started Moment = iota // the board as it is set
	Turned                // the board after a turn, on which players now act
	Ended                 // the board after the last turn
)

// Frame is one moment of a match, the same for all who see it. It holds the
// state's bytes once; what differs from wire to wire is made by a [Form] when
// the first seat asks for it, and shared by all the others.
//
// A frame is immutable while anybody holds it. Who keeps one beyond the call
// that handed it over retains it, and releases it once.
type Frame struct {
	Moment Moment
	Turn   int             // of Turned: the number of the TURN, from 0
	Winner engine.PlayerID // of Ended
	State  []byte          // JSON object
	Table  Table           // who plays, and how

	refs  atomic.Int32
	pool  chan *Frame // where it goes when nobody holds it any more
	mu    sync.Mutex  // guards forms
	forms []wired
}

// Table is what a match tells its seats about itself.
type Table struct {
	Settings Settings
	Players  int        // without the special ones
	Specials int        //
	Seats    []SeatInfo // players and special players by id; never changed in place
}

// Form turns frames into the messages of one wire. Forms are compared with ==.
type Form interface {
	// Append appends the frame's message, or says why it cannot be sent.
	Append(dst []byte, f *Frame) ([]byte, error)
}

type wired struct {
	form Form
	buf  []byte
	err  error
}

// In is the frame's message in the given form, made once and shared.
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
		f.forms = f.forms[:n+1] // its buffer is used again
	} else {
		f.forms = append(f.forms, wired{})
	}
	w := &f.forms[n]
	w.form = form
	w.buf, w.err = form.Append(w.buf[:0], f)
	return w.buf, w.err
}

// Retain keeps the frame from being used again until Release.
func (f *Frame) Retain() { f.refs.Add(1) }

// Release gives the frame back.
func (f *Frame) Release() {
	if f.refs.Add(-1) != 0 {
		return
	}
	f.forms = f.forms[:0]
	select {
	case f.pool <- f:
	default: // there are enough
	}
}

// sparePool bounds how many frames wait to be used again. In a steady turn there
// are two or three; a pool of the runtime's would lose them now and then.
const sparePool = 8

// newFrame is a frame of the board as it is. The caller holds it.
func (m *Match) newFrame(moment Moment) *Frame {
	f := m.blankFrame(moment)
	f.State = m.referee.AppendState(f.State)
	return f
}

// startFrame is a frame of the board as it was set, with the table as it is.
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
	f.Winner = m.last.Winner
	f.Table = m.table
	f.State = f.State[:0]
	return f
}
