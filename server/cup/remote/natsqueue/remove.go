package natsqueue

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Remove removes the streams of a coordinator from a cluster, which reserves space for each of them
// as long as it is there: the log has all results, and the coordinator is closed. One that begins
// again makes them again.
func Remove(ctx context.Context, n Names, cluster string) error {
	options := append(usual("hexarena coordinator"), nats.RetryOnFailedConnect(false))
	conn, err := nats.Connect(cluster, options...)
	if err != nil {
		return fmt.Errorf("connect to NATS: %w", err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	return n.removeFrom(ctx, js)
}

// removeFrom removes the streams, of which some may be gone.
func (n Names) removeFrom(ctx context.Context, js jetstream.JetStream) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var failed []error
	for _, name := range []string{n.stream(), "OBJ_" + n.objects(), n.recorded()} {
		if err := js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			failed = append(failed, fmt.Errorf("remove the stream %s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// Clear implements remote.Server. It removes whole streams: a server overwrites no single message.
func (s *Server) Clear(ctx context.Context) error {
	s.making.Lock()
	defer s.making.Unlock()
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	s.stopConsuming()
	if err := s.names.removeFrom(ctx, s.js); err != nil {
		return err
	}
	if err := s.makeStreams(ctx); err != nil {
		return err
	}
	return s.consumeIfServing(ctx)
}
