//go:build linux

package main

import (
	"context"
	"time"

	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
)

// junkSize is the size of a message, close to the largest one.
const junkSize = 1_000_000

// junkResults sends results without a match as a worker, which has the token.
func junkResults(t *eventTrial) error {
	address, err := natsqueue.ParseAddress(t.worker)
	if err != nil {
		return err
	}
	client, err := natsqueue.Dial(address, "junk")
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.ctx, t.duration)
	defer cancel()
	junk := make([]byte, junkSize)
	copy(junk, "\x08junk") // the ID of the worker, after its length
	for ctx.Err() == nil {
		once, done := context.WithTimeout(ctx, 5*time.Second)
		if client.Publish(once, junk) == nil {
			t.r.tally.Requests++
			t.r.tally.Sent += junkSize
		}
		done()
	}
	return t.ctx.Err()
}
