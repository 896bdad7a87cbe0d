package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/plan"
)

// fetchError says that an object could not be fetched, which may be tried again.
type fetchError struct{ error }

// open prepares to play another cup. If the queue does not have its objects yet, the worker tries
// again after the next answer.
func (w *workLoop) open(ctx context.Context, name string) error {
	for id := range w.held {
		w.drop(id)
	}
	get := func(name string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, putTimeout)
		defer cancel()
		data, err := w.queue.Get(ctx, name)
		if err != nil {
			return nil, fetchError{err}
		}
		return data, nil
	}
	err := w.openFrom(ctx, name, get)
	if w.missing = errors.As(err, new(fetchError)); w.missing {
		return nil
	}
	return err
}

func (w *workLoop) openFrom(
	ctx context.Context, name string, get func(string) ([]byte, error),
) error {
	object, err := get(name)
	if err != nil {
		return err
	}
	if manifestName(object) != name {
		return fetchError{errors.New("the manifest is damaged")}
	}
	m, err := readManifest(object, w.opts.Key)
	if err != nil {
		return err
	}
	if m.Version != w.opts.Version {
		return fmt.Errorf(
			"the cup is played by hexarena %s, and this is %s: results could differ; install the same",
			m.Version, w.opts.Version)
	}
	player, err := w.opts.Open(ctx, m, get)
	if err != nil {
		return err
	}
	for ; w.playing > 0; w.playing-- {
		<-w.finished
	}
	if w.player != nil {
		w.player.Close(ctx)
	}
	w.unsent = nil
	w.manifest, w.digest, w.player, w.schedule = name, m.Plan.Digest(), player, nil
	if !m.Plan.Format.Adaptive() {
		w.schedule = plan.NewSchedule(m.Plan)
	}
	w.opts.Say(fmt.Sprintf("plays %s of %s, %s at once", m.Plan.Format.Words(),
		textutil.Counted(len(m.Plan.Bots), "bot", "bots"),
		textutil.Counted(w.opts.Jobs, "match", "matches")))
	return nil
}
