package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/seat"
)

// WithCheckouts returns a context in which all seats can be files and folders as git has them,
// such as my_bot.py@HEAD. They are written to a temporary folder, which is made for the first one;
// remove removes it.
func WithCheckouts(ctx context.Context) (with context.Context, remove func()) {
	f := &folder{}
	return context.WithValue(ctx, key{}, f), f.remove
}

// key is that of the folder in a context.
type key struct{}

// Seats reads seats as [seat.Parse] does, with files and folders as git has them.
func Seats(ctx context.Context, arguments []string, known seat.Known) ([]seat.Spec, error) {
	known.Locate = Locator(ctx)
	return seat.Parse(ctx, arguments, known)
}

// Locator returns how a command reads seats that are folders, and files and folders as git has
// them; nil if the context is not of [WithCheckouts].
func Locator(ctx context.Context) seat.Locator {
	f, ok := ctx.Value(key{}).(*folder)
	if !ok {
		return nil
	}
	return func(ctx context.Context, argument string, known seat.Known) (seat.Spec, bool, error) {
		return source.Locate(ctx, argument, known, f.next)
	}
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
