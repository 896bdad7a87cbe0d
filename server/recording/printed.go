package recording

import (
	"sync"

	"github.com/hexarena/hexarena/engine"
)

// maxPrinted bounds what is kept of a bot's output in a turn, in bytes. The rest
// is counted and left out.
const maxPrinted = 16 << 10

// pages are what the bots have printed since it was last taken.
type pages struct {
	mu   sync.Mutex // guards all below
	list []page
	some bool // a page is not empty
}

type page struct {
	label  string
	player engine.PlayerID // Nobody until the match starts
	lines  []string
	bytes  int
	lost   bool // it is full, and lines were left out
}

// of is the page with a label. The caller holds mu.
func (p *pages) of(label string) *page {
	for i := range p.list {
		if p.list[i].label == label {
			return &p.list[i]
		}
	}
	p.list = append(p.list, page{label: label, player: engine.Nobody})
	return &p.list[len(p.list)-1]
}

func (p *pages) seat(label string, id engine.PlayerID) {
	if label == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(label).player = id
}

func (p *pages) add(label, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pg := p.of(label)
	p.some = true
	switch {
	case pg.bytes+len(line) <= maxPrinted:
		pg.lines = append(pg.lines, line)
		pg.bytes += len(line) + 1
	case !pg.lost:
		pg.lost = true
		pg.lines = append(pg.lines, "[more was printed in this turn than a recording keeps]")
	}
}

// take empties the pages of those who play into dst.
func (p *pages) take(dst []Output) []Output {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.some {
		return dst
	}
	p.some = false
	for i := range p.list {
		pg := &p.list[i]
		if pg.player != engine.Nobody && len(pg.lines) > 0 {
			dst = append(dst, Output{pg.player, pg.lines})
		}
		pg.lines, pg.bytes, pg.lost = nil, 0, false
	}
	return dst
}
