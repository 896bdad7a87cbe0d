package session

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// outbox sends messages in order. send writes as much as the socket accepts without
// blocking; the remainder is queued and written by a separate goroutine.
//
// The queue is bounded, even if the client never reads: while it is not empty no TURN is sent, so
// that a match adds at most a LOGIN_ACK, a GAME_STARTS, one TURN and its TURN_OVER, a GAME_ENDS and a
// KICK; and a client that stays is dropped if it has not read what several matches added.
type outbox struct {
	writers sync.WaitGroup

	// Guarded by the session's mutex.
	queue   []pending
	writing bool // the goroutine is running
	broken  bool // writing to the connection failed
}

// maxQueued is the number of messages in a queue, some three matches'.
const maxQueued = 16

// pending is the unwritten rest of a message and the frame that owns it.
type pending struct {
	bytes []byte
	frame *match.Frame // may be nil
}

// send writes a message, or queues what the socket does not accept. f, if not nil, owns
// the bytes and is retained until they are written. The caller holds mu.
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
	if len(o.queue) >= maxQueued {
		s.dropSilently("Did not read what it was sent in several matches")
		return
	}
	if f != nil {
		f.Retain()
	}
	o.queue = append(o.queue, pending{msg, f})
	if !o.writing {
		o.writing = true
		o.writers.Go(s.drain)
	}
}

// deliver sends a message that no frame owns, which traceSent logs as the given thing unless that
// is empty. It reports whether all of it was written; if not, the caller must not change msg.
func (s *Session) deliver(what string, msg []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone {
		return true
	}
	if what != "" {
		s.traceSent(what, msg)
	}
	s.send(msg, nil)
	return !s.out.writing
}

// drain writes the queue until it is empty. A panic ends only this session.
func (s *Session) drain() {
	if p := panics.Catch(s.drainQueue); p != nil {
		s.failed(p)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.discardQueue()
		s.out.writing = false
		s.dropSilently(kickFailed)
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

// front returns the next item to write, which is empty if the queue is empty. over is set
// if the client is gone and everything was written.
func (s *Session) front() (p pending, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &s.out
	switch {
	case !o.broken && len(o.queue) > 0:
		if s.opts.WriteTimeout > 0 && s.state != gone {
			_ = s.conn.SetWriteDeadline(time.Now().Add(s.opts.WriteTimeout))
		}
		return o.queue[0], false
	case s.state == gone && !s.leaving: // a client that leaves is still to get its KICK
		return p, true
	}
	o.writing = false
	if s.opts.WriteTimeout > 0 {
		_ = s.conn.SetWriteDeadline(time.Time{}) // over a WebSocket, it ends the connection
	}
	s.askKept()
	return p, false
}

// written removes the first item from the queue.
func (s *Session) written(p pending, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &s.out
	o.queue[0] = pending{}
	o.queue = o.queue[1:]
	if p.frame != nil {
		p.frame.Release()
	}
	if err != nil {
		s.discardQueue()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.dropSilently(fmt.Sprintf("Did not read what it was sent within %v", s.opts.WriteTimeout))
		}
	}
}

// closed records that the write side is closed.
func (s *Session) closed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.writing = false
	s.flushed()
}

// discardQueue drops all queued output. The caller holds mu.
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
