package sim

import (
	"errors"
	"time"
)

// conversation follows what a guest is told during one connection. Every guest is told what the
// protocol allows in its state. An honest bot loses nothing by what others do: it gets each
// TURN of its match in order, the end, and a KICK at the end of the connection.
type conversation struct {
	*guest
	server   *generation
	address  string    // of the guest
	came     time.Time // before the LOGIN was sent
	seated   bool      // LOGIN_ACK
	begun    bool      // GAME_STARTS, of any match
	playing  bool      // GAME_STARTS, until GAME_ENDS
	thinking bool      // TURN, until it is answered
	turns    int       // of the match
	next     int       // number of the next TURN
	kicked   bool
}

// hear checks what comes next.
func (t *conversation) hear(m message, err error) {
	if m.Type == "GAME_STARTS" && t.conduct == "honest" { // others may come back to the same match
		t.begins(t.name)
	}
	if m.Type == "KICK" && m.Reason == "LOGIN denied: Game has been started" {
		for _, o := range t.observed() {
			t.expect(!o.mayReturn(t.name, t.came), "does not get its seat in %s back", o.name)
		}
	}
	if err != nil {
		process := t.process != nil && t.process.isOver()
		stopped := process && !t.begun // since the match has begun without it
		// After an abort, by an operator or since a bot is missing, the server does not wait for an
		// answer that is on its way, nor for a process.
		aborted := (t.playing || process) && t.aborts() || process && t.plan.needAll
		unheard := errors.Is(err, errNotAccepted) // by a server that shuts down
		t.expect(t.kicked || t.conduct != "honest" || t.server.gone() || stopped || aborted || unheard,
			"loses its connection without a KICK")
		return
	}
	t.expect(!t.kicked, "gets a %s after the KICK", m.Type)
	if t.conduct == "honest" && !t.server.gone() {
		t.keep(m)
	}
	switch m.Type {
	case "LOGIN_ACK":
		t.expect(!t.seated, "is seated again")
		t.seated = true
	case "GAME_STARTS":
		t.expect(t.seated && !t.playing, "is told of a start")
		t.begun, t.playing, t.thinking, t.turns, t.next = true, true, false, m.Turns, 0
		if !t.stays {
			t.expect(m.Match == 0 && m.Seed == 0, "does not stay, and is told of match %d and seed %d",
				m.Match, m.Seed)
		} else if t.role == "player" {
			t.told(t.address, &m)
		}
	case "TURN":
		t.expect(t.playing && !t.thinking && m.Turn >= t.next, "gets TURN %d, not TURN %d", m.Turn,
			t.next)
		t.thinking, t.next = true, m.Turn+1
	case "GAME_ENDS":
		t.expect(t.playing, "is told of an end")
		t.playing, t.thinking = false, false
	case "KICK":
		t.kicked = true
	default:
		t.expect(false, "gets a %s", m.Type)
	}
}

// aborts reports whether an operator ends matches, and has begun to.
func (t *conversation) aborts() bool {
	return t.closing() && t.plan.quits > 0 && !t.plan.drains
}

// keep checks that an honest bot keeps what it has.
func (t *conversation) keep(m message) {
	switch m.Type {
	case "TURN":
		// the other player's turn may end while this one answers
		late := t.plan.duel && m.Turn == t.next+1 ||
			t.process != nil && t.next == 0 && t.plan.usurps() // it has got its seat during the match
		t.expect(m.Turn == t.next || late, "misses TURN %d, and gets TURN %d", t.next, m.Turn)
	case "GAME_ENDS":
		t.expect(t.next == t.turns-1 || t.plan.duel, "is told of the end before TURN %d", t.next)
	case "KICK":
		t.expect(t.innocent(m.Reason), "is kicked: %s", m.Reason)
	}
}

// innocent reports whether a client that did nothing wrong may be kicked for this reason.
func (t *conversation) innocent(reason string) bool {
	switch reason {
	case "Game is finished":
		return !t.playing
	case "netorcai abort":
		if t.plan.duel && !t.playing { // an operator has started a match with one player, which ends it
			return true
		}
		// its end is that of the match, and so is its absence
		if t.plan.logic != "" && (t.plan.logic != "honest" || !t.playing) {
			return true
		}
		if t.plan.once { // bots that the match needs have not come
			return true
		}
		return t.aborts() || t.closing() && !t.playing
	case "Another connection took the seat": // by the bot whose seat it was
		return t.plan.usurps()
	case "LOGIN denied: the seat of the bot that is awaited is taken":
		return !t.playing && t.plan.once
	case "LOGIN denied: the match is strict, and this process cannot be traced to a bot that it " +
		"started":
		return !t.playing && t.plan.strict
	case "LOGIN denied: all seats are reserved for others":
		return !t.playing && len(t.plan.builtins)+len(t.plan.listeners)+len(t.plan.started) > 0
	case "LOGIN denied: Game has been started", "LOGIN denied: Maximum number of players reached", "LOGIN denied: no match is open":
		return !t.playing
	}
	return false
}

func (t *conversation) expect(ok bool, format string, args ...any) {
	if !ok {
		t.violate(t.name+" "+format, args...)
	}
}
