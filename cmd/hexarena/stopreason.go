package main

import "sync"

// stopReason is the first reason for which a server stops. It alone is in the log, and decides the
// exit code.
type stopReason struct {
	mu    sync.Mutex // guards the fields below
	given bool
	err   error
}

// claim makes err the reason, and reports whether there was none before. nil means that the last
// match is over.
func (r *stopReason) claim(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.given {
		return false
	}
	r.given, r.err = true, err
	return true
}

// settle makes err the reason if there was none before, and returns the reason.
func (r *stopReason) settle(err error) error {
	r.claim(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
