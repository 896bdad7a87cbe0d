package main

import (
	"context"
	"os"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/agones"
)

// sidecar informs Agones, if the environment says that it is there.
type sidecar struct{ *agones.Sidecar }

func newSidecar(log zerolog.Logger) (sidecar, error) {
	address, err := agones.Address(os.Getenv)
	if address == "" || err != nil {
		return sidecar{}, err
	}
	return sidecar{agones.New(address, log)}, nil
}

// start reports that the server is ready, and its health until stop, which reports that it
// has ended.
func (s sidecar) start() (stop func()) {
	if s.Sidecar == nil {
		return func() {}
	}
	s.Ready()
	ctx, cancel := context.WithCancel(context.Background())
	told := make(chan struct{})
	go func() {
		defer close(told)
		s.Run(ctx)
	}()
	return func() {
		cancel()
		<-told
	}
}
