package play

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/launch"
)

// goHeadless changes the defaults for a match in process: nothing is drawn on the terminal, and nothing is recorded.
func (p *runner) goHeadless() {
	p.live = false
	if !p.changed("record") {
		p.Record = ""
	}
}

// plansCup reports whether the options ask for many headless matches, which are a cup.
func (p *runner) plansCup() bool { return p.headless && (p.changed("count") || p.changed("jobs")) }

// runCup prints the command of the cup that the options stand for, and runs it.
func (p *runner) runCup(ctx context.Context) error {
	words := p.cupWords()
	fmt.Fprintf(p.Stderr, "played as a cup, in which each bot has each seat equally often:\n  hexarena %s\n", tui.Plain(launch.Quote(words)))
	return p.Cup(ctx, words)
}

// cupWords returns the command of that cup. Settings that cups do not have are in it as well: the command refuses them.
func (p *runner) cupWords() []string {
	words := []string{"cup", "--format", "round-robin", "--count", strconv.Itoa(p.count)}
	if p.changed("jobs") {
		words = append(words, "--jobs", strconv.Itoa(p.jobs))
	}
	if p.changed("map") {
		words = append(words, "--maps", p.Values.Text("map"))
	}
	if p.Record != "" {
		words = append(words, "--out", p.Record, "--keep", "all")
	}
	words = append(words, p.Values.Arguments("headless", "count", "jobs", "map", "record")...)
	for i := range p.seats {
		if s := &p.seats[i]; !s.Special {
			words = append(words, s.Argument)
		}
	}
	return words
}
