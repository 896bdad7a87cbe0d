package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// look sends probes through the stream until Close. If they do not come back, it makes the stream
// again: matches whose results are lost with it are in the log, or are played again.
func (s *Server) look() {
	tick := time.NewTicker(probePause)
	defer tick.Stop()
	away := false
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			away = s.lookOnce(away)
		}
	}
}

// lookOnce sends a probe, and repairs what is wrong. It reports whether a cluster has no leader, as
// it was away before or not.
func (s *Server) lookOnce(wasAway bool) (away bool) {
	s.making.Lock()
	defer s.making.Unlock()
	wrong := s.check(s.ctx)
	away = wrong != "" && s.embedded == nil && !s.hasLeader(s.ctx)
	if away != wasAway {
		s.tellAway(away)
		return away
	}
	if wrong == "" || away {
		return away
	}
	if err := s.repair(s.ctx, wrong); err != nil && s.ctx.Err() == nil {
		s.warn(fmt.Sprintf("the queue cannot be repaired, which is tried again: %v", err))
	}
	return away
}

// hasLeader reports whether a cluster can make streams. Without a leader its servers only wait for
// each other, and have all that they had when they have chosen one.
func (s *Server) hasLeader(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.js.AccountInfo(ctx)
	return err == nil
}

// tellAway says that a cluster has no leader any more, or has one again, which gives its streams as
// long to deliver as at the beginning.
func (s *Server) tellAway(away bool) {
	if away {
		s.warn("the NATS servers do not answer, or too few of them; workers play what they have, and " +
			"keep the results")
		return
	}
	s.warn("the NATS servers answer again")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delivery.moved = time.Now()
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
	case !s.conn.IsConnected() && s.embedded == nil && serving && silent:
		return "cannot be reached"
	case !s.conn.IsConnected():
		return "" // the library connects again
	case serving && !consuming:
		return s.consumeAgain(ctx)
	case serving && late && silent:
		return "does not deliver what it stores"
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := s.js.ObjectStore(ctx, s.names.objects())
	if err == nil {
		_, err = s.js.Stream(ctx, s.names.recorded())
	}
	if err == nil {
		_, err = s.js.Publish(ctx, s.names.results()+".probe", fmt.Appendf(nil, "%s%d", probe, number))
	}
	switch {
	case err == nil:
		s.mu.Lock()
		s.delivery.sent = number
		s.mu.Unlock()
	case errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrStreamNotFound),
		// in a cluster a stream may just be without a leader
		errors.Is(err, jetstream.ErrNoStreamResponse) && s.embedded != nil:
		return "has lost a stream"
	case serving && silent:
		return "does not store what it is sent: " + err.Error()
	}
	return ""
}

// consumeAgain subscribes to the results after an attempt that failed, and returns what is wrong,
// "" if nothing is, or if it may take a while.
func (s *Server) consumeAgain(ctx context.Context) string {
	err := s.consume(ctx)
	s.mu.Lock()
	silent := s.delivery.silent(time.Now())
	s.mu.Unlock()
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return "has lost a stream"
	case err != nil && silent:
		return "delivers nothing: " + err.Error()
	}
	return ""
}

// repair makes the streams again, in an embedded server without the data that it has.
func (s *Server) repair(ctx context.Context, wrong string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*openTimeout)
	defer cancel()
	s.warn(
		"the queue " + wrong + ": it is made again; objects that it had are sent again, and matches " +
			"played again",
	)
	s.stopConsuming()
	if s.embedded != nil {
		if err := s.embedded.Renew(); err != nil {
			return err
		}
		if err := s.reconnected(ctx); err != nil {
			return err
		}
	} else {
		deleting, cancel := context.WithTimeout(ctx, callTimeout)
		_ = s.js.DeleteStream(deleting, s.names.stream()) // which may be gone
		cancel()
	}
	if err := s.makeStreams(ctx); err != nil {
		return err
	}
	select {
	case s.lost <- struct{}{}:
	default:
	}
	return s.consumeIfServing(ctx)
}

// consumeIfServing subscribes to the results of streams that were made again.
func (s *Server) consumeIfServing(ctx context.Context) error {
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
