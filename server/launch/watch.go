package launch

import (
	"context"
	"os"
	"time"
)

// Watch notices that files change. It belongs to one goroutine at a time and
// starts none: it looks at the files again and again, which works on every
// system and whichever way a file is replaced.
type Watch struct {
	files []string
	known []stamp // as of the last change that was told
	seen  []stamp // as of the last look
}

// stamp is what is told of a file by the system; zero: it is not there.
type stamp struct {
	written time.Time
	size    int64
}

// lookInterval is how often files are looked at. A file that is being written
// changes from one look to the next; what has changed counts when it does not.
const lookInterval = 250 * time.Millisecond

// NewWatch watches files from now on.
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

// look looks at all files and says which has changed, if none is changing.
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

// Next waits until a file has changed since Next last told of one, and is whole
// again: there, not empty, and the same for a while. It fails when ctx ends.
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
