package event

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/event/workers"
	"github.com/hexarena/hexarena/server/seat"
)

// Versions in JavaScript can run in Web Workers of the operator's page, so that a host that cannot isolate bots runs them as well. A match
// takes as many workers as it has versions. One whose page is lost does not count: that is no failure of a bot.

// leaseTime is how long practice waits for workers: a match of a few seconds may end meanwhile.
const leaseTime = 5 * time.Second

// lostReason is why a version plays no rounds in whose test matches the operator's page was lost again and again.
var lostReason = fmt.Sprintf("the admin page, which runs it, was lost %d times during its test match: a bot that takes all memory does that", maxFailures)

// newWorkers returns what runs versions in the operator's page, nil if they do not run there.
func (r *Rounds) newWorkers() *workers.Pool {
	if !r.opts.Store.InWorkers() {
		return nil
	}
	return workers.NewPool(workers.Options{
		Operates: r.event.Operates, Least: r.event.plan.Seats, Answer: r.opts.Board.AnswerSize, Changed: r.pageChanged, Log: r.opts.Log,
	})
}

// pageChanged has all that waits for the operator's page look again.
func (r *Rounds) pageChanged() {
	r.event.mu.Lock()
	defer r.event.mu.Unlock()
	r.event.tell()
}

// closeWorkers ends all workers.
func (r *Rounds) closeWorkers() {
	if r.workers != nil {
		r.workers.Close()
	}
}

// asleep reports whether versions wait for the operator to open the page that runs them.
func (r *Rounds) asleep() bool { return r.workers != nil && !r.workers.State().Open }

// awaitsPage reports whether a team's version plays, or is tried, as soon as the operator opens that page.
func (r *Rounds) awaitsPage(team int) bool {
	if !r.asleep() {
		return false
	}
	line, _ := r.players()
	return line[team].sent != nil || r.event.hasUntried(team)
}

// lease waits for the workers that the versions in some seats need. The lease is nil if they need none.
func (r *Rounds) lease(ctx context.Context, seats []seat.Spec) (*workers.Lease, error) {
	n := 0
	for i := range seats {
		if seats[i].Kind == seat.Process {
			n++
		}
	}
	if r.workers == nil || n == 0 {
		return nil, nil
	}
	return r.workers.Take(ctx, n)
}

// leaseSoon is lease for a match that begins at once or not at all.
func (r *Rounds) leaseSoon(ctx context.Context, seats []seat.Spec) (*workers.Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	l, err := r.lease(ctx, seats)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("the admin page, which runs the versions, has no worker free: try again in a moment")
	}
	return l, err
}

// sending says to teams that are about to join what they may send.
func (s *Site) sending() string {
	store := s.Rounds.opts.Store
	switch {
	case s.Event.frozenNow() != nil:
		return "Versions are frozen: the matches that are played now decide the order, without teams that sign up now."
	case store == nil:
		return "Bots cannot be sent here, since " + s.NoSend + ": each plays while it is connected."
	case store.InWorkers():
		return store.Only() + " It plays on without you; other bots play while they are connected."
	}
	return "A bot can also be sent: then it plays on without you."
}

// sendingForOperator says the same to the operator.
func (s *Site) sendingForOperator() string {
	if err := s.Event.frozenNow(); err != nil {
		return "Teams cannot send their bots, since " + err.Error() + "."
	}
	if store := s.Rounds.opts.Store; store != nil {
		return "Teams may send their bots: " + store.String() + "."
	}
	return "Teams cannot send their bots, since " + s.NoSend + "."
}

// whyNoSend returns why no team can send a version now, "" if teams can.
func (s *Site) whyNoSend() string {
	if err := s.Event.frozenNow(); err != nil {
		return err.Error()
	}
	return s.NoSend
}

// markWorkers returns how many versions run in the operator's page, if some do there.
func (p *shown) markWorkers() markup {
	if p.Workers == nil || !p.Workers.Open {
		return ""
	}
	return mark(" JavaScript versions: %s of %s workers run.", p.Workers.Running, p.Workers.Workers)
}

// handleWorkers registers the WebSocket of the page that runs versions. It is told the operator's token by a message: browsers send no header.
func (s *Site) handleWorkers(mux *http.ServeMux) {
	mux.HandleFunc("GET /admin/runner", func(w http.ResponseWriter, r *http.Request) {
		if s.Rounds.workers == nil {
			answer(w, http.StatusNotFound, nil, errors.New("no version runs in a page here: start the event with --send browser"))
			return
		}
		s.Rounds.workers.ServeHTTP(w, r)
	})
}

// sendSource answers with the code of a version.
func (s *Site) sendSource(w http.ResponseWriter, r *http.Request) {
	store := s.Rounds.opts.Store
	if store == nil {
		answer(w, http.StatusNotFound, nil, errors.New("no versions can be sent here"))
		return
	}
	text, err := store.Source(r.PathValue("digest"), r.PathValue("file"))
	if err != nil {
		answer(w, http.StatusNotFound, nil, errors.New("there is no such version in JavaScript"))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8") // it must not run in a page
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	_, _ = w.Write(text) // the client may be gone
}
