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
	conn, err := nats.Connect(cluster, append(usual("hexarena coordinator"), nats.RetryOnFailedConnect(false))...)
	if err != nil {
		return fmt.Errorf("connect to NATS: %w", err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
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
