// Package rehearsal plays an event with bots of this process: many that are honest, and some that
// hang, leave and send garbage.
package rehearsal

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Options say which event is rehearsed, and how.
type Options struct {
	Event    *event.Event
	Game     *games.Game
	Addr     string        // of the port that bots connect to
	Teams    int           // 2 or more
	Duration time.Duration // after which no round begins, and the bots leave
	Out      io.Writer
	// Progress is called every second with the seconds that have passed, those of Duration, and what
	// was played until then.
	Progress func(passed, total int, played string)
	Failed   func(*panics.Error) // told of a panic in a bot
}

// between is the time between two reports of progress, which changes by a second.
const between = time.Second

// Play signs teams up, has their bots play until the time is over, and returns how many matches
// were played in a minute. play plays rounds until its context ends.
func Play(
	ctx context.Context, o Options, play func(context.Context),
) (perMinute float64, err error) {
	fmt.Fprintf(o.Out, "%d teams play for %v, at %s\n", o.Teams, o.Duration, o.Addr)
	began := time.Now()
	ctx, stop := context.WithTimeout(ctx, o.Duration)
	defer stop()
	var running sync.WaitGroup
	for i := range o.Teams {
		b := &bot{game: o.Game, kind: kindOf(i, o.Teams), number: i, addr: o.Addr}
		if b.token, err = b.signUp(o.Event); err != nil {
			break
		}
		panics.Go(&running, func() { b.run(ctx, o.Duration) }, o.Failed)
	}
	if err == nil {
		panics.Go(&running, func() { o.tell(ctx, began) }, o.Failed)
		play(ctx)
	}
	stop()
	running.Wait()
	return float64(o.Event.View().Matches) / time.Since(began).Minutes(), err
}

// tell prints how far the rehearsal is, until ctx ends.
func (o *Options) tell(ctx context.Context, began time.Time) {
	for tick := time.NewTicker(between); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		v, passed := o.Event.View(), time.Since(began)
		o.Progress(int(passed.Seconds()), int(o.Duration.Seconds()), fmt.Sprintf(
			"round %d, %d matches, %.0f a minute", v.Rounds, v.Matches, float64(v.Matches)/passed.Minutes()))
	}
}
