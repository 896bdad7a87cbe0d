package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// look sends probes through the stream until Close. If they do not come back, it makes the stream again: matches whose results are lost
// with it are in the log, or are played again.
func (s *Server) look() {
	tick := time.NewTicker(probePause)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*openTimeout)
		if wrong := s.check(ctx); wrong != "" {
			if err := s.repair(ctx, wrong); err != nil {
				s.warn(fmt.Sprintf("the queue cannot be repaired, which is tried again: %v", err))
			}
		}
		cancel()
	}
}

// check sends a probe, and returns what is wrong, "" if nothing is.
func (s *Server) check(ctx context.Context) string {
	if s.embedded != nil && !s.embedded.Sound() {
		return "has lost its data, or ended"
	}
	s.mu.Lock()
	serving, number := s.take != nil, s.delivery.sent+1
	consuming, silent, late := s.consuming != nil, s.delivery.silent(time.Now()), s.delivery.late()
	s.mu.Unlock()
	switch {
	case !s.conn.IsConnected():
		return "" // the library connects again
	case serving && !consuming:
		return "has no consumer"
	case serving && late && silent:
		return "does not deliver what it stores"
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.js.ObjectStore(ctx, s.names.objects())
	if err == nil {
		_, err = s.js.ObjectStore(ctx, s.names.recordings())
	}
	if err == nil {
		_, err = s.js.Publish(ctx, s.names.results(), fmt.Appendf(nil, "%s%d", probe, number))
	}
	switch {
	case err == nil:
		s.mu.Lock()
		s.delivery.sent = number
		s.mu.Unlock()
	case errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "has lost a stream"
	case serving && silent:
		return "does not store what it is sent: " + err.Error()
	}
	return ""
}

// repair makes the streams again, in an embedded server without the data that it has.
func (s *Server) repair(ctx context.Context, wrong string) error {
	s.warn("the queue " + wrong + ": it is made again; objects that it had are sent again, and matches played again")
	s.stopConsuming()
	if s.embedded != nil {
		if err := s.embedded.Renew(); err != nil {
			return err
		}
		if err := s.reconnected(ctx); err != nil {
			return err
		}
	} else {
		_ = s.js.DeleteStream(ctx, s.names.stream()) // which may be gone
	}
	if err := s.makeStreams(ctx); err != nil {
		return err
	}
	select {
	case s.lost <- struct{}{}:
	default:
	}
	s.mu.Lock()
	serving := s.take != nil
	s.mu.Unlock()
	if !serving {
		return nil
	}
	return s.consume(ctx)
}

// reconnected waits until there is a connection to the server that was started again.
func (s *Server) reconnected(ctx context.Context) error {
	_ = s.conn.ForceReconnect() // else it happens by itself
	for !s.conn.IsConnected() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retryPause):
		}
	}
	return s.conn.FlushWithContext(ctx)
}

// retryPause is between two looks at a connection.
const retryPause = 50 * time.Millisecond
