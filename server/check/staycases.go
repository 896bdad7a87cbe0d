package check

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// stay plays a match with another id after the first one.
func (r *run) stay() error {
	if err := r.logIn(); err != nil {
		return err
	}
	if err := r.oneOfSeveral(r.usualPlaces(), 0); err != nil {
		return err
	}
	at := r.usualPlaces()
	at.id = engine.PlayerID(at.players - 1)
	if err := r.oneOfSeveral(at, 1); err != nil {
		return err
	}
	if what := r.table.refusals(); what != "" {
		return failed("stay", "In its second match, as player %d, its actions were refused: %s.", at.id,
			what)
	}
	return r.kick(netorcai.KickFinished)
}

// oneOfSeveral plays a match after which the bot stays.
func (r *run) oneOfSeveral(at places, seed uint64) error {
	r.seed = seed
	if err := r.begin(at, caseTurns+1); err != nil {
		return err
	}
	if err := r.turns(caseTurns); err != nil {
		return err
	}
	return r.end(false)
}

// stayTwice plays the first match again after another one, and compares the answers.
func (r *run) stayTwice() error {
	if err := r.logIn(); err != nil {
		return err
	}
	if err := r.oneOfSeveral(r.usualPlaces(), 0); err != nil {
		return err
	}
	first := r.actions
	if err := r.oneOfSeveral(r.usualPlaces(), 1); err != nil {
		return err
	}
	if err := r.oneOfSeveral(r.usualPlaces(), 0); err != nil {
		return err
	}
	return r.differs(first, "stay-memory", "in the same match after another one")
}
