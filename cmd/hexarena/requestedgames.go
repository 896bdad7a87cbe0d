package main

import "context"

// serveRequests starts to play games that are made by request. endRequested ends them.
func (s *schedule) serveRequests() {
	if s.hive == nil {
		s.endRequested = func() {}
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.hive.Serve(ctx)
	}()
	s.endRequested = func() {
		stop()
		<-served
	}
}
