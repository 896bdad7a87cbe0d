package launch

import (
	"context"
	"os"
	"time"
)

// Watch notices that files change. It polls them, which works on every system and however
// a file is replaced. It belongs to one goroutine at a time and starts none.
type Watch struct {
	files []string
	known []stamp // as of the last change that was reported
	seen  []stamp // as of the last poll
}

// stamp is what the system says of a file, or zero if it does not exist.
type stamp struct {
	written time.Time
	size    int64
}

// lookInterval is the time between two polls. A file that is being written changes from one
// to the next; a change is reported when it is complete.
const lookInterval = 250 * time.Millisecond

// NewWatch returns a watch of files, which reports changes from now on.
func NewWatch(files []string) *Watch {
	w := &Watch{files: files}
	for _, name := range files {
		w.known = append(w.known, look(name))
	}
	w.seen = append(w.seen, w.known...)
	return w
}

func look(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// look polls all files, and returns one that has changed, unless one is still changing.
func (w *Watch) look() (changed string) {
	settled := true
	for i, file := range w.files {
		now := look(file)
		settled = settled && now == w.seen[i]
		w.seen[i] = now
		if now != w.known[i] && now.size > 0 && changed == "" {
			changed = file
		}
	}
	if !settled {
		return ""
	}
	return changed
}

// Next waits until a file has changed since Next last returned, and is complete: it exists,
// is not empty, and has not changed for a while. It fails when ctx ends.
func (w *Watch) Next(ctx context.Context) (name string, err error) {
	tick := time.NewTicker(lookInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-tick.C:
		}
		if name = w.look(); name != "" {
			copy(w.known, w.seen)
			return name, nil
		}
	}
}
