package host

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// startLogic starts the game logic of the match, if it is to be started, and returns what is called
// with the match's error when the match is over, which may explain it. The match is aborted if the
// game logic does not log in.
func (r *Room) startLogic(ctx context.Context) (dismiss func(error) error) {
	if r.spec.Logic == nil {
		return func(err error) error { return err }
	}
	started, err := r.host.launchLogic(ctx, r.spec.Logic, r.spec.Seed, r.spec.Bots.Launch, r.logic)
	if err != nil {
		r.abort(seating.ErrNoLogic) // without what a compiler has printed
		return func(aborted error) error {
			if errors.Is(aborted, seating.ErrNoLogic) {
				return fmt.Errorf("%w: %w", aborted, err)
			}
			return aborted
		}
	}
	waiting, stop := context.WithCancel(ctx)
	var login sync.WaitGroup
	panics.Go(&login, func() {
		if err := started.Wait(waiting, r.refereed); err != nil {
			r.abort(err) // without effect if the match is over
		}
	}, func(p *panics.Error) {
		panics.Logged(r.log, "Waiting for a game logic failed")(p)
		r.abort(p)
	})
	return func(err error) error {
		stop()
		login.Wait()
		started.Dismiss(ctx)
		if errors.Is(err, session.ErrLogicFailed) || errors.Is(err, seating.ErrNoLogic) {
			err = started.Explain(err)
		}
		return err
	}
}

// attachLogic starts the match when its game logic has logged in.
func (r *Room) attachLogic() {
	if r.spec.Logic == nil {
		r.logic.Attach(r.match.Refresh, r.match.Started)
		return
	}
	r.refereed = make(chan struct{})
	r.logic.Attach(func() {
		close(r.refereed)
		r.match.Refresh()
	}, r.match.Started)
}

// launchLogic starts the program of a game logic whose clients connect to the given one.
func (h *Host) launchLogic(
	ctx context.Context, spec *seat.Spec, seed uint64, how seating.Launch, logic *session.Logic,
) (*seating.Logic, error) {
	return h.bots.StartLogic(ctx, spec, seed&netorcai.MaxSeed, how, logic, func(conn session.Conn) {
		if !h.enter() {
			_ = conn.Close()
			return
		}
		defer h.running.Done()
		o := h.session
		o.Gate, o.Door, o.Logic = nil, noSeats{}, func(string) *session.Logic { return logic }
		h.serveSession(session.New(conn, o))
	})
}

// logic returns what a game logic that has logged in at the host's port is to referee: the match
// for which it was started, else one whose rules connect by themselves.
func (h *Host) logic(remote string) *session.Logic {
	if l := h.bots.Referee(remote); l != nil {
		return l
	}
	return h.lobby.logic()
}

// noSeats is a session.Door that gives no seats: the port of a game logic has none.
type noSeats struct{}

var errNoSeats = errors.New("this port is that of the game logic")

func (noSeats) Join(match.Seat, match.Candidate) (*match.Place, error) { return nil, errNoSeats }

// Referee starts the game logic of a match that is not played on the host, such as one that is
// recorded, and returns it when it has logged in. Of the spec, it uses what concerns the game
// logic. The caller calls dismiss when it needs the referee no more.
func (h *Host) Referee(
	ctx context.Context, spec *Spec,
) (referee match.Referee, dismiss func(), err error) {
	logic, joined := session.NewLogic(spec.GameTimeout, h.log), make(chan struct{})
	logic.Match = match.SeriesOf(spec.Labels).Number
	logic.Attach(func() { close(joined) }, func() bool { return false })
	started, err := h.launchLogic(ctx, spec.Logic, spec.Seed, spec.Bots.Launch, logic)
	if err != nil {
		return nil, nil, err
	}
	if err := started.Wait(ctx, joined); err != nil {
		started.Dismiss(ctx)
		return nil, nil, started.Explain(err)
	}
	return logic, func() {
		logic.Close(nil)
		started.Dismiss(ctx)
	}, nil
}
