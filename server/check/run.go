package check

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/botapi"
)

// run is one case. The cases are its methods. It belongs to one goroutine.
type run struct{ talk }

// newRun returns a case, whose bot is not started yet. The caller must close it.
func (c *checker) newRun(ctx context.Context, about string) *run {
	r := &run{talk{
		subject: subject{
			checker: c, ctx: ctx, about: about, dialer: botapi.NewDialer(false, quietLog),
		},
		asked: -1,
	}}
	r.send = func(frame []byte) error { return r.peer.send(frame, c.TurnTimeout) }
	return r
}

// failure is what a bot did wrong.
type failure struct {
	key  string // of the fault, in ordinary play
	what string // a sentence
}

func (f *failure) Error() string { return f.what }

func failed(key, format string, args ...any) error {
	return &failure{key, fmt.Sprintf(format, args...)}
}
