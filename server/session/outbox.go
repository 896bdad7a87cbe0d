package session

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
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

// drain writes the queue until it is empty. A panic ends this session alone.
func (s *Session) drain() {
	if p := panics.Catch(s.drainQueue); p != nil {
		s.failed(p)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.discardQueue()
		s.out.writing = false
		s.drop(kickFailed)
	}
}

func (s *Session) drainQueue() {
	for {
		p, over := s.front()
		switch {
		case over:
			_ = s.conn.CloseWrite()
			s.closed()
			return
		case p.bytes == nil:
			return
		}
		_, err := s.conn.Write(p.bytes)
		s.written(p, err)
	}
}

// front is what is to be written next, nothing if the queue is empty. Whoever is
// gone is sent nothing more: then it is over.
func (s *Session) front() (p parcel, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &s.out
	switch {
	case !o.broken && len(o.queue) > 0:
		if s.opts.WriteTimeout > 0 && s.state != gone {
			_ = s.conn.SetWriteDeadline(time.Now().Add(s.opts.WriteTimeout))
		}
		return o.queue[0], false
	case s.state == gone:
		return p, true
	}
	o.writing = false
	s.askKept()
	return p, false
}

// written takes what was written off the queue.
func (s *Session) written(p parcel, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &s.out
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
}

// closed notes that the write side is closed.
func (s *Session) closed() {
	s.mu.Lock()
	defer s.mu.Unlock()
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
