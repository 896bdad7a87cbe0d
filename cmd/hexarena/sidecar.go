package main

import (
	"context"
	"os"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/agones"
)

// sidecar is the way to Agones, where the environment says that there is one.
type sidecar struct{ *agones.Sidecar }

func newSidecar(log zerolog.Logger) (sidecar, error) {
	address, err := agones.Address(os.Getenv)
	if address == "" || err != nil {
		return sidecar{}, err
	}
	return sidecar{agones.New(address, log)}, nil
}

// start says that the server is ready, and keeps the sidecar informed until
// stop, which says that it is done.
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
