package natsqueue

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/nats-io/nats.go/jetstream"
)

// A call of a cluster is repeated while it has no leader, also one that a server took with it, and
// no other.
func TestCallsWaitForALeader(t *testing.T) {
	gone := errors.New("gone for good")
	for name, tt := range map[string]struct {
		answers []error // of the calls, nil for none at all
		want    error
		calls   int
	}{
		"a leader":      {[]error{context.Canceled}, context.Canceled, 1},
		"a server dies": {[]error{nil, gone}, gone, 2},
		"no leader": {[]error{
			&jetstream.APIError{ErrorCode: noLeader}, jetstream.ErrNoStreamResponse, gone,
		}, gone, 3},
		"never a leader": {make([]error, 100), context.DeadlineExceeded, int(
			openTimeout/(callTimeout+choicePause)) + 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), openTimeout)
				defer cancel()
				calls := 0
				err := new(Server).whenLed(ctx, callTimeout, func(ctx context.Context) error {
					calls++
					if answer := tt.answers[calls-1]; answer != nil {
						return answer
					}
					<-ctx.Done()
					return ctx.Err()
				})
				if !errors.Is(err, tt.want) || calls != tt.calls {
					t.Errorf("after %d calls it is %v, want %v after %d", calls, err, tt.want, tt.calls)
				}
			})
		})
	}
}
