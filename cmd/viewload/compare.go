package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// comparison plays matches alternately without viewers and with them. Each match has a
// server of its own, so that none affects the next.
type comparison struct {
	binary   string // hexarena
	self     string // this program, which is also the players
	dir      string // of the recordings; removed at the end
	viewers  int
	rounds   int
	turns    int // of a match
	progress io.Writer
}

const (
	tick     = 100 * time.Millisecond // of a match
	maxTurns = 65_535
	minTurns = 20 // leaves some between the first and the last ones

	// The first and the last turns are not measured: clients start and end in them.
	early = 5
	late  = 5
)

// figures are the measurements of one match.
type figures struct {
	turns    harness.Series // from TURN to TURN, of all players, in ms
	answers  harness.Series // from TURN to answer by the server's clock, in ms
	resident int            // memory of the server near the end, in bytes
	cpu      float64        // processor time of the server per turn, in ms
	viewers  summary
}

func (c *comparison) run(ctx context.Context, out io.Writer) (err error) {
	if c.self, err = os.Executable(); err != nil {
		return err
	}
	var remove func()
	if c.dir, c.binary, remove, err = harness.Workspace(ctx, "viewload", c.binary); err != nil {
		return err
	}
	defer remove()
	var without, with []figures
	for round := range c.rounds {
		what := fmt.Sprintf("round %d of %d", round+1, c.rounds)
		for _, viewers := range []int{0, c.viewers} {
			f, err := c.match(ctx, viewers, what)
			if err != nil {
				return fmt.Errorf("%s, %d viewers: %w", what, viewers, err)
			}
			c.report("%s, %d viewers: turns of %.2f ms, answers in %.2f ms, p99 delay to viewers %.1f ms, resident %.1f MB",
				what, viewers, f.turns.Median(), f.answers.Median(), f.viewers.Delay.P99, float64(f.resident)/1e6)
			if viewers == 0 {
				without = append(without, f)
			} else {
				with = append(with, f)
			}
		}
	}
	return c.printTable(out, without, with)
}

// report prints a line of progress.
func (c *comparison) report(format string, args ...any) {
	fmt.Fprintf(c.progress, format+"\n", args...)
}

// match plays one match with the given number of viewers, who connect before it begins.
func (c *comparison) match(ctx context.Context, viewers int, what string) (f figures, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	srv, err := c.serve(ctx)
	if err != nil {
		return f, err
	}
	defer srv.Stop()
	id, err := matchID(ctx, srv.Page)
	if err != nil {
		return f, err
	}
	a := &audience{url: "ws" + strings.TrimPrefix(srv.Page, "http") + "api/live"}
	if err := a.connect(ctx, viewers); err != nil {
		return f, err
	}
	defer a.disconnect()
	a.measuring.Store(true)
	before := harness.CPUTime(srv.ID())
	p, err := harness.Start(ctx, c.self, playersCommand, srv.Addr)
	if err != nil {
		return f, err
	}
	defer p.Stop()
	if err := c.awaitLastTurns(p, what, viewers); err != nil {
		return f, err
	}
	a.measuring.Store(false)
	f.resident = harness.Memory(srv.ID())
	f.cpu = harness.Milliseconds(harness.CPUTime(srv.ID())-before) / float64(c.turns-late)
	if f.turns, err = intervals(p); err != nil {
		return f, err
	}
	if f.answers, err = answers(ctx, srv.Page, id); err != nil {
		return f, err
	}
	a.disconnect()
	if viewers > 0 {
		f.viewers, err = a.summarize()
	}
	return f, err
}

// awaitLastTurns waits for the last turns of a match.
func (c *comparison) awaitLastTurns(p *harness.Process, what string, viewers int) error {
	for {
		text, err := p.Line()
		if err != nil {
			return err
		}
		turn, err := strconv.Atoi(string(text))
		if err != nil {
			return fmt.Errorf("the players printed %s", text)
		}
		if turn >= c.turns-late {
			return nil
		}
		if turn > 0 && turn%50 == 0 {
			c.report("%s, %d viewers: turn %d of %d", what, viewers, turn, c.turns)
		}
	}
}

// intervals returns the times from TURN to TURN that the players measured, when the match
// is over.
func intervals(p *harness.Process) (all harness.Series, err error) {
	for {
		text, err := p.Line()
		if err != nil {
			return nil, err
		}
		if text[0] != '[' {
			continue
		}
		var arrivals [][]float64
		if err := json.Unmarshal(text, &arrivals); err != nil {
			return nil, err
		}
		for _, one := range arrivals {
			for i := early; i < len(one)-late; i++ {
				all = append(all, one[i]-one[i-1])
			}
		}
		return all, nil
	}
}
