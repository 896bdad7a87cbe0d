package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

// comparison plays matches by turns without viewers and with them. Each is a
// server of its own, so that neither leaves the other anything.
type comparison struct {
	binary   string // hexarena
	self     string // this program, which is the players as well
	dir      string // for the recordings, removed in the end
	viewers  int
	rounds   int
	turns    int // of a match
	progress io.Writer
}

const (
	tick     = 100 * time.Millisecond
	maxTurns = 65_535
	minTurns = 20

	// What the first turns and the last are like is not measured.
	early = 5
	late  = 5
)

// figures are what was measured in one match.
type figures struct {
	turns    series  // from TURN to TURN, ms, of all players
	answers  series  // from TURN to answer as the server counts it, ms
	resident int     // memory of the server near the end, bytes
	busy     float64 // processor time of the server for a turn, ms
	sight    sight   // of the viewers
}

func (c *comparison) run(ctx context.Context, out io.Writer) (err error) {
	if c.self, err = os.Executable(); err != nil {
		return err
	}
	if c.dir, err = os.MkdirTemp("", "hexarena-viewload-"); err != nil {
		return err
	}
	defer os.RemoveAll(c.dir)
	if err := c.build(ctx); err != nil {
		return err
	}
	var without, with []figures
	for round := range c.rounds {
		what := fmt.Sprintf("round %d of %d", round+1, c.rounds)
		for _, viewers := range []int{0, c.viewers} {
			f, err := c.match(ctx, viewers, what)
			if err != nil {
				return fmt.Errorf("%s, %d viewers: %w", what, viewers, err)
			}
			c.say("%s, %d viewers: turns of %.2f ms, answers in %.2f ms, p99 delay to viewers %.1f ms, resident %.1f MB",
				what, viewers, f.turns.median(), f.answers.median(), f.sight.Delay.P99, float64(f.resident)/1e6)
			if viewers == 0 {
				without = append(without, f)
			} else {
				with = append(with, f)
			}
		}
	}
	return c.report(out, without, with)
}

// build builds hexarena if none was named.
func (c *comparison) build(ctx context.Context) error {
	if c.binary != "" {
		return nil
	}
	c.say("building hexarena")
	c.binary = filepath.Join(c.dir, "hexarena.exe") // a name that every system runs
	return proc.Build(ctx, c.binary)
}

// say tells of progress.
func (c *comparison) say(format string, args ...any) { fmt.Fprintf(c.progress, format+"\n", args...) }

// match plays one match before so many viewers, who are there before it begins.
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
	if err := a.enter(ctx, viewers); err != nil {
		return f, err
	}
	defer a.leave()
	a.measuring.Store(true)
	before := busyTime(srv.ID())
	p, err := proc.Start(ctx, c.self, playersCommand, srv.Addr)
	if err != nil {
		return f, err
	}
	defer p.Stop()
	if err := c.follow(p, what, viewers); err != nil {
		return f, err
	}
	a.measuring.Store(false)
	f.resident = proc.Memory(srv.ID())
	f.busy = milliseconds(busyTime(srv.ID())-before) / float64(c.turns-late)
	if f.turns, err = intervals(p); err != nil {
		return f, err
	}
	if f.answers, err = answers(ctx, srv.Page, id); err != nil {
		return f, err
	}
	a.leave()
	if viewers > 0 {
		f.sight, err = a.sum()
	}
	return f, err
}

// follow waits for the last turns of a match.
func (c *comparison) follow(p *proc.Process, what string, viewers int) error {
	for {
		text, err := p.Line()
		if err != nil {
			return err
		}
		turn, err := strconv.Atoi(string(text))
		if err != nil {
			return fmt.Errorf("the players say %s", text)
		}
		if turn >= c.turns-late {
			return nil
		}
		if turn > 0 && turn%50 == 0 {
			c.say("%s, %d viewers: turn %d of %d", what, viewers, turn, c.turns)
		}
	}
}

// intervals are the times from TURN to TURN, as players got them, once the match
// is over.
func intervals(p *proc.Process) (all series, err error) {
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
