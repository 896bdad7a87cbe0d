// Package checkouts lets each command have seats of files and folders as git has them, such as
// my_bot.py@HEAD.
package checkouts

import (
	"context"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/seat"
)

// With returns a context in which all seats can be files and folders as git has them. They are
// written to a temporary folder, which is made for the first one; remove removes it.
func With(ctx context.Context) (with context.Context, remove func()) {
	f := &folder{}
	with = seat.WithAsOf(ctx, func(ctx context.Context, argument string, known seat.Known) (seat.Spec, bool, error) {
		return cup.AsOf(ctx, argument, known, f.next)
	})
	return with, f.remove
}

// folder is a temporary folder that is made when it is needed.
type folder struct {
	mu   sync.Mutex
	temp *filelock.Temp // nil: it is not made
	n    int            // the bots in it
}

// next returns a folder for another bot.
func (f *folder) next() (dir string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temp == nil {
		filelock.RemoveAbandoned()
		if f.temp, err = filelock.MkdirTemp(); err != nil {
			return "", err
		}
	}
	f.n++
	return filepath.Join(f.temp.Dir, strconv.Itoa(f.n)), nil
}

func (f *folder) remove() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temp != nil {
		f.temp.Close()
		f.temp = nil
	}
}
