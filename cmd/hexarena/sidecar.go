package main

import (
	"context"
	"os"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server"
	"github.com/hexarena/hexarena/server/agones"
)

// sidecar is the way to Agones, where the environment says that there is one.
type sidecar struct{ *agones.Sidecar }

// newSidecar has the sidecar watch the match that o describes.
func newSidecar(o *server.Options, log zerolog.Logger) (sidecar, error) {
	address, err := agones.Address(os.Getenv)
	if address == "" || err != nil {
		return sidecar{}, err
	}
	s := sidecar{agones.New(address, log)}
	o.Match.Watchers = append(o.Match.Watchers, s)
	return s, nil
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
