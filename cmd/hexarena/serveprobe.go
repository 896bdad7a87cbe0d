package main

import (
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/probe"
)

// answerProbes answers probes at the address of --health, if there is one, until stop.
func (b *bill) answerProbes(srv *host.Host) (stop func(), err error) {
	if b.config.Health == "" {
		return func() {}, nil
	}
	addr, stop, err := probe.Start(probe.Options{
		Address: b.config.Health, Ready: func() bool { return b.ready(srv) }, Log: b.log,
	})
	if err == nil {
		b.log.Debug().Stringer("address", addr).Msg("Answering probes")
	}
	return stop, err
}

// ready reports whether there is a match to connect to or to look at.
func (b *bill) ready(srv *host.Host) bool {
	if b.page != nil {
		return b.page.Ready()
	}
	select {
	case <-srv.Match().Done():
		return false
	default:
		return true
	}
}
