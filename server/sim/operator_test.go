package sim

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/nickname"
	"github.com/hexarena/hexarena/server/prompt"
)

// operate runs a server for the matches of the plan, and ends it.
func (p *plan) operate(a *actor) {
	names := nickname.NewNames()
	h, err := host.Open(host.Options{
		Listener: a.net.listen(), Random: a.entropy("ids"), Log: zerolog.New(a.history), Names: names,
		Limits: p.limits, Allow: p.options, WriteTimeout: p.writing, Linger: p.linger,
	})
	if err != nil {
		a.violate("the server does not open: %v", err)
		return
	}
	ctx, quit := context.WithCancel(context.Background())
	defer quit()
	if p.quits > 0 {
		a.act("operator's quit", func(a *actor) {
			a.sleep(p.quits)
			a.note("quits")
			a.close()
			quit()
		})
	}
	var rooms sync.WaitGroup
	for i := range p.rooms {
		rooms.Add(1)
		a.act(fmt.Sprintf("room%d", i), func(a *actor) {
			defer rooms.Done()
			p.host(ctx, a, h)
		})
	}
	rooms.Wait()
	a.sleep(between(a.rng, 0, 100*time.Millisecond))
	a.note("shuts the server down")
	a.close()
	h.Shutdown(ctx)
	a.note("the server has ended")
}

// host plays the matches of one room, one after another.
func (p *plan) host(ctx context.Context, a *actor, h *host.Host) {
	for number := range p.matches {
		room, err := h.Start(ctx, host.Spec{
			Game: p.game(), Settings: p.settings(), Autostart: p.autostart, Pace: p.pace, Seed: a.rng.Uint64(),
			Reconnect: p.grace, Patience: p.patience,
			Labels: map[string]string{"series": a.name, "match": fmt.Sprint(number + 1)},
		})
		if err != nil {
			a.violate("match %d does not open: %v", number+1, err)
			return
		}
		over := make(chan struct{})
		a.act(fmt.Sprintf("%s's console %d", a.name, number+1), func(a *actor) { a.command(room.Match(), over) })
		result := room.Wait()
		close(over)
		a.note("match %d ended after %d turns: %v", number+1, result.Steps, result.Err)
		if result.Err != nil {
			if !errors.Is(result.Err, context.Canceled) && !errors.Is(result.Err, match.ErrNoPlayers) {
				a.violate("match %d of %s failed: %v", number+1, a.name, result.Err)
			}
			if ctx.Err() != nil {
				return
			}
		}
		a.sleep(between(a.rng, 0, 200*time.Millisecond))
	}
}

// command enters commands until the match is over.
func (a *actor) command(m *match.Match, over <-chan struct{}) {
	console := &prompt.Prompt{
		Match: func() *match.Match { return m }, Variables: variables(), Out: output{a},
		Quit: func() { a.violate("the console quits") },
	}
	for {
		a.sleep(between(a.rng, 100*time.Millisecond, 3*time.Second))
		select {
		case <-over:
			return
		default:
		}
		lines := []string{"start", "start", "print all", "set delay-turns=" + fmt.Sprint(turnTime.Milliseconds()+a.rng.Int64N(500)), "set x=1", "print", "help", ""}
		line := lines[a.rng.IntN(len(lines))]
		a.note("enters %q", line)
		console.Do(line)
	}
}

// output is what the console prints.
type output struct{ *actor }

// Write implements io.Writer.
func (o output) Write(b []byte) (int, error) {
	o.note("reads %q", b)
	return len(b), nil
}

// variables returns the variable that operators change here.
func variables() (list []prompt.Variable) {
	for _, v := range config.Variables {
		if v.Name == "delay-turns" {
			list = append(list, prompt.Variable{
				Variable: v,
				Get:      func(s match.Settings) float64 { return s.DelayTurns },
				Set:      func(s *match.Settings, value float64) { s.DelayTurns = value },
			})
		}
	}
	return list
}
