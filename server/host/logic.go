package host

import (
	"context"
	"errors"
	"sync"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/session"
)

// startLogic starts the game logic of the match, if it is to be started, and returns what is called
// with the match's error when the match is over, which may explain it. The match is aborted if the
// game logic does not log in.
func (r *Room) startLogic(ctx context.Context) (dismiss func(error) error) {
	if r.spec.Logic == nil {
		return func(err error) error { return err }
	}
	logic, err := r.host.bots.StartLogic(r.spec.Logic, r.spec.Seed&netorcai.MaxSeed, r.spec.Bots, r.serveLogic)
	if err != nil {
		r.abort(err)
		return func(err error) error { return err }
	}
	waiting, stop := context.WithCancel(ctx)
	var login sync.WaitGroup
	panics.Go(&login, func() {
		if err := logic.Wait(waiting, r.refereed); err != nil {
			r.abort(err) // without effect if the match is over
		}
	}, func(p *panics.Error) {
		panics.Logged(r.log, "Waiting for a game logic failed")(p)
		r.abort(p)
	})
	return func(err error) error {
		stop()
		login.Wait()
		logic.Dismiss(ctx)
		if errors.Is(err, session.ErrLogicFailed) {
			err = logic.Explain(err)
		}
		return err
	}
}

// serveLogic serves a connection of the match's own game logic. No other client gets a seat there.
func (r *Room) serveLogic(conn session.Conn) {
	h := r.host
	if !h.enter() {
		_ = conn.Close()
		return
	}
	defer h.running.Done()
	o := h.session
	o.Gate, o.Door, o.Logic = nil, noSeats{}, func() *session.Logic { return r.logic }
	h.serveSession(session.New(conn, o))
}

// noSeats is a session.Door that gives no seats.
type noSeats struct{}

var errNoSeats = errors.New("this port is that of the game logic")

func (noSeats) Join(match.Seat, match.Candidate) (*match.Place, error) { return nil, errNoSeats }

// attachLogic has the match start when its game logic has logged in.
func (r *Room) attachLogic() {
	if r.spec.Logic == nil {
		r.logic.Attach(r.match.Refresh)
		return
	}
	r.refereed = make(chan struct{})
	r.logic.Attach(func() {
		close(r.refereed)
		r.match.Refresh()
	})
}
