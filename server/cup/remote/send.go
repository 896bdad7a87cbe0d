package remote

import (
	"context"
	"os"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// maxRecording bounds a recording that is sent. The result of a match with a larger one counts
// without, after it was leased a few times.
const maxRecording = 16 << 20

// maxInline bounds a recording that is sent with its result: an object costs the coordinator a
// millisecond, and a recording of one match in a hundred is then as long as the other results.
const maxInline = 64 << 10

// send sends the results that there are, unless some are being sent.
func (w *workLoop) send(ctx context.Context) {
	if w.sending || len(w.unsent) == 0 || time.Now().Before(w.pause) {
		return
	}
	w.sending, w.sent = true, time.Now()
	list, digest := w.unsent, w.digest
	w.unsent = nil
	panics.Go(&w.running, func() {
		rest := list
		for len(rest) > 0 {
			n, err := w.sendSome(ctx, digest, rest)
			if err != nil {
				break
			}
			rest = rest[n:]
		}
		w.published <- published{digest, list[:len(list)-len(rest)], rest}
	}, func(*panics.Error) { w.published <- published{digest, nil, list} })
}

// sendSome sends the first of some results, and returns how many.
func (w *workLoop) sendSome(
	ctx context.Context, digest plan.Digest, list []pending,
) (n int, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	from := sender{Worker: w.opts.ID, Name: w.opts.Name, Version: w.opts.Version, Plan: digest}
	message := appendLine(nil, from)
	for ; n < min(len(list), maxLease) && len(message) < maxMessage; n++ {
		one := playedOutcome{Outcome: list[n].Outcome}
		if err := w.sendRecording(ctx, &one); err != nil {
			return 0, err
		}
		message = appendLine(message, one)
	}
	return n, w.queue.Publish(ctx, message)
}

// sendRecording adds the recording of a match to its result, or stores a long one for the
// coordinator. Of one that is too long the coordinator gets neither.
func (w *workLoop) sendRecording(ctx context.Context, one *playedOutcome) error {
	path := one.Outcome.Recording
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	switch {
	case err != nil || len(data) > maxRecording:
		return nil
	case len(data) <= maxInline:
		one.Data = data
		return nil
	}
	one.Recording = recordingName(w.opts.ID, one.Row.K)
	return w.queue.Send(ctx, one.Recording, data)
}

// hearPublished notes which results the queue has stored. The others are sent again, unless another
// cup has begun meanwhile.
func (w *workLoop) hearPublished(p *published) {
	w.sending = false
	w.stored(p.stored)
	if len(p.rest) == 0 || p.plan != w.digest {
		return
	}
	w.unsent = append(p.rest, w.unsent...)
	w.pause = time.Now().Add(retryPause)
}

// stored notes that the queue has results, and removes their recordings.
func (w *workLoop) stored(list []pending) {
	for _, r := range list {
		if r.Recording != "" {
			_ = os.Remove(r.Recording) // else the folder has it until the worker ends
		}
		if l := w.held[r.lease]; l != nil {
			if l.left--; l.left == 0 {
				delete(w.held, r.lease)
			}
		}
	}
}
