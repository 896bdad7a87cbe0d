package rerun

import (
	"context"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// logicTimeout is the time that a game logic may take for a turn that is played again: far longer
// than in a match that people watch.
const logicTimeout = time.Minute

// VerifyLogic replays a recording of external rules by a game logic, until ctx ends, and
// compares each turn with the recording, as [recording.Verify] does. It starts the game logic's
// process, which has a time limit to log in, and returns when that is gone.
func VerifyLogic(
	ctx context.Context, r *recording.Reader, logic *seat.Spec, limit time.Duration,
	progress func(turn int),
) (v recording.Verdict, err error) {
	h := r.Header()
	if h.Rules != recording.External {
		return v, fmt.Errorf("a game logic has no part in it: its rules are %s", h.Rules)
	}
	on, err := host.Open(host.Options{Bind: "127.0.0.1"})
	if err != nil {
		return v, err
	}
	defer on.Shutdown(ctx)
	referee, dismiss, err := on.Referee(ctx, &host.Spec{
		Logic: logic, GameTimeout: logicTimeout, Seed: h.Seed, Labels: h.Labels,
		Bots: seating.Options{Launch: seating.Launch{Timeout: limit}},
	})
	if err != nil {
		return v, err
	}
	defer dismiss()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	g := &refereed{Logic: referee.(match.Logic), referee: referee, ctx: ctx, stop: stop}
	v, err = recording.VerifyBy(ctx, r, g, progress)
	if failed := context.Cause(ctx); failed != nil { // what differs follows from that
		err = failed
	}
	return v, err
}

// refereed is an engine.Game whose rules are a referee's. When that fails, it stops the
// verification.
type refereed struct {
	match.Logic
	referee match.Referee
	ctx     context.Context
	stop    context.CancelCauseFunc
}

// Start implements engine.Game.
func (g *refereed) Start(s engine.Setup) (engine.Result, error) {
	o := g.await(g.referee.Begin(s))
	return o.Result, o.Err
}

// Step implements engine.Game.
func (g *refereed) Step(inputs []engine.Input) engine.Result {
	o := g.await(g.referee.Play(inputs))
	if o.Err != nil {
		g.stop(o.Err)
	}
	return o.Result
}

// await returns the outcome that was returned or is delayed.
func (g *refereed) await(o match.Outcome, done bool) match.Outcome {
	if done {
		return o
	}
	select {
	case o := <-g.referee.Results():
		return o
	case <-g.ctx.Done():
		return match.Outcome{Err: context.Cause(g.ctx)}
	}
}

// AppendState implements engine.Game.
func (g *refereed) AppendState(dst []byte) []byte { return g.referee.AppendState(dst) }

// AppendDelta implements engine.Game.
func (g *refereed) AppendDelta(dst []byte) []byte { return g.referee.AppendDelta(dst) }
