package cup

import (
	"fmt"
	"sync"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
)

// guard notices that a file which a command names has changed since the contest began: its bot
// would be another one. Commands run where they are, as a copy of them may not work.
type guard struct {
	mu    sync.Mutex // guards the looks
	files []guarded
}

type guarded struct {
	name   string
	look   string // names, sizes and times: while they are the same, so is the content
	digest plan.Digest
}

// newGuard remembers the files as they are.
func newGuard(entrants []source.Entrant) (*guard, error) {
	g := new(guard)
	for i := range entrants {
		for _, name := range entrants[i].Named {
			look, digest, err := source.State(name, "")
			if err != nil {
				return nil, err
			}
			g.files = append(g.files, guarded{name, look, digest})
		}
	}
	return g, nil
}

// check returns an error that names a file that has changed.
func (g *guard) check() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.files {
		f := &g.files[i]
		now, digest, err := source.State(f.name, f.look)
		if err == nil && now != f.look && digest != f.digest {
			err = fmt.Errorf("it is not what it was when the cup began")
		}
		if err != nil {
			return fmt.Errorf("%s has changed: %w; put it back to go on, or begin another cup with it",
				f.name, err)
		}
		f.look = now
	}
	return nil
}
