package session

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/match"
)

// outbox takes messages in order. What the socket takes at once is gone when
// post returns; the rest waits in a queue that a goroutine of its own writes.
//
// The queue is bounded: while it holds anything, no TURN is sent, so that there
// are a LOGIN_ACK, a GAME_STARTS, one TURN, a GAME_ENDS and a KICK at the most,
// whether the client reads or not.
type outbox struct {
	writers sync.WaitGroup

	// Guarded by the session's mutex.
	queue   []parcel
	writing bool // the goroutine is at work
	broken  bool // the connection takes nothing any more
}

// parcel is what is left to write of a message, and the frame that owns it.
type parcel struct {
	bytes []byte
	frame *match.Frame // or nil
}

// send sends a message, or queues what the socket does not take. The caller
// holds mu. A frame given along is retained until its bytes are gone.
func (s *Session) send(msg []byte, f *match.Frame) {
	o := &s.out
	if o.broken {
		return
	}
	s.opts.Meter.Sent(len(msg))
	if !o.writing {
		if msg = msg[s.conn.TryWrite(msg):]; len(msg) == 0 {
			return
		}
	}
	if f != nil {
		f.Retain()
	}
	o.queue = append(o.queue, parcel{msg, f})
	if !o.writing {
		o.writing = true
		o.writers.Go(s.drain)
	}
}

// deliver sends a message that no frame owns, and says whether it is gone: else
// it must not be changed.
func (s *Session) deliver(msg []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone {
		return true
	}
	s.send(msg, nil)
	return !s.out.writing
}

// drain writes the queue until it is empty.
func (s *Session) drain() {
	o := &s.out
	for {
		s.mu.Lock()
		if o.broken || len(o.queue) == 0 {
			s.drained()
			s.mu.Unlock()
			return
		}
		p := o.queue[0]
		if s.opts.WriteTimeout > 0 && s.state != gone {
			_ = s.conn.SetWriteDeadline(time.Now().Add(s.opts.WriteTimeout))
		}
		s.mu.Unlock()

		_, err := s.conn.Write(p.bytes)

		s.mu.Lock()
		o.queue[0] = parcel{}
		o.queue = o.queue[1:]
		if p.frame != nil {
			p.frame.Release()
		}
		if err != nil {
			s.discardQueue()
			if errors.Is(err, os.ErrDeadlineExceeded) {
				s.drop(fmt.Sprintf("Did not read what it was sent within %v", s.opts.WriteTimeout))
			}
		}
		s.mu.Unlock()
	}
}

// drained notes that the queue is empty. Whoever is gone is sent nothing more:
// the write side is closed then, for which mu, which the caller holds, is let go.
func (s *Session) drained() {
	if s.state != gone {
		s.out.writing = false
		s.askKept()
		return
	}
	s.mu.Unlock()
	_ = s.conn.CloseWrite()
	s.mu.Lock()
	s.out.writing = false
	s.flushed()
}

// discardQueue gives up on all that was to be sent. The caller holds mu.
func (s *Session) discardQueue() {
	o := &s.out
	o.broken = true
	for _, p := range o.queue {
		if p.frame != nil {
			p.frame.Release()
		}
	}
	o.queue = nil
}
