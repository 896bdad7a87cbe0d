package join

import (
	"context"
	"sync"

	"github.com/hexarena/hexarena/server/machine/panics"
)

// loop is the goroutine of [Run], to which all state belongs, and the others, which pass on what
// happens.
type loop struct {
	ctx      context.Context
	stop     context.CancelCauseFunc
	running  sync.WaitGroup
	happened chan func() error
}

// serve handles what happens, until ctx ends or there is an error.
func (l *loop) serve() error {
	for {
		select {
		case f := <-l.happened:
			if err := f(); err != nil {
				return err
			}
		case <-l.ctx.Done():
			return context.Cause(l.ctx)
		}
	}
}

// post passes f to the goroutine of Run, which calls it. It returns false if that has ended, or is
// about to.
func (l *loop) post(f func() error) bool {
	select {
	case l.happened <- f:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// spawn calls do in a goroutine that Run waits for.
func (l *loop) spawn(do func()) {
	panics.Go(&l.running, do, func(p *panics.Error) { l.stop(p) })
}
