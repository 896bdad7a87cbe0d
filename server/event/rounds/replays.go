package rounds

import (
	"slices"
	"sync"

	"github.com/hexarena/hexarena/server/event/state"
)

// replays are the matches that are to be played again.
type replays struct {
	mu      sync.Mutex
	matches []int
}

func (p *replays) add(match int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.matches, match) {
		p.matches = append(p.matches, match)
	}
}

func (p *replays) remove(match int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.matches = slices.DeleteFunc(p.matches, func(k int) bool { return k == match })
}

// next returns the first match whose teams are ready, or -1.
func (p *replays) next(s *state.State, ready []int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	isAway := func(team int) bool { return !slices.Contains(ready, team) }
	for _, k := range p.matches {
		row, err := s.Results.Row(k)
		if err == nil && !slices.ContainsFunc(s.Teams.In(row), isAway) {
			return k
		}
	}
	return -1
}
