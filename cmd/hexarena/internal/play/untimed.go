package play

import (
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// untimed reports whether turns wait for a client however long it takes: for a bot of the user's
// own that says in its LOGIN that a debugger is attached, and for one that the user starts and a
// person, unless the user chose a limit. A stranger's program in an open seat cannot hold the match
// up.
func (r *round) untimed(s *seat.Spec, c *match.Candidate) bool {
	switch s.Kind {
	case seat.Process:
		return c.Debugger
	case seat.Wait:
		return c.Debugger || !r.limited()
	}
	return c.Person && !r.limited()
}

// limited reports whether the user chose a time limit, or a clock that lasts for all moves.
func (r *round) limited() bool {
	return r.Values.Given("turn-timeout") || r.Pace == config.Timer ||
		r.alternates() && r.instance.Budget.Lasting
}

// untimedNote says which players have no deadline.
type untimedNote struct {
	match.BaseWatcher
	round *round
	view  tui.View
}

// Joined implements match.Watcher.
func (n *untimedNote) Joined(info match.SeatInfo, _ match.Role) {
	name := tui.Plain(info.Nickname)
	switch {
	case info.Debugger && info.Untimed:
		n.round.sayer(n.view)("%s is being debugged: turns wait for it without a time limit", name)
	case info.Untimed && n.round.TurnTimeout > 0:
		n.round.sayer(n.view)("turns wait for %s without a time limit; --turn-timeout %v sets one", name,
			n.round.TurnTimeout)
	}
}
