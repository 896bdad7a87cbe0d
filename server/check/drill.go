package check

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// How long a bot is listened to that should say nothing, and how many turns the first case has. A
// bot that says too much does so at once.
const (
	usualHush  = 50 * time.Millisecond
	drillTurns = 8
	hushTurns  = 2 // after which it is listened to
)

// drill plays an ordinary match one message at a time, so that each is known to be the answer to
// the one before it.
func (r *run) drill() error {
	if err := r.meet(); err != nil {
		return err
	}
	if r.packets != nil {
		return r.packetDrill()
	}
	if err := r.greet(); err != nil {
		return err
	}
	if err := r.quiet(r.hush, "unasked", "before GAME_STARTS"); err != nil {
		return err
	}
	if err := r.begin(r.usualPlaces(), drillTurns+1); err != nil {
		return err
	}
	if err := r.quiet(r.hush, "unasked", "after GAME_STARTS, before the first TURN"); err != nil {
		return err
	}
	for range hushTurns {
		if err := r.turns(1); err != nil {
			return err
		}
		beside := fmt.Sprintf("in addition to its answer to TURN %d", r.asked)
		if err := r.quiet(r.hush, "answers-twice", beside); err != nil {
			return err
		}
	}
	if err := r.turns(drillTurns); err != nil {
		return err
	}
	r.keep()
	return r.finish()
}

// greet logs the bot in, and notes what it asks for.
func (r *run) greet() error {
	if err := r.hear(); err != nil {
		return err
	}
	c := r.checker
	c.wire, c.raw = r.peer.wire, r.peer.raw != nil
	c.stays, c.asPlayer = r.login.Stay, r.login.Role == netorcai.RolePlayer
	if r.login.Nickname != r.Seat.Nickname() {
		r.advise("own-nickname", "It logged in as %q; its BOT_NICKNAME was %q.", r.login.Nickname,
			r.Seat.Nickname())
	}
	if !r.login.Stay {
		r.advise("no-stay", "Its LOGIN has no stay.")
	}
	if r.peer.tap != nil {
		if _, alone := r.peer.tap.seen(); alone {
			r.advise("header-alone", "It sent the four bytes of the length of its LOGIN alone.")
		}
	}
	return nil
}

// keep notes the bot's answers and the actions that were refused.
func (r *run) keep() {
	if r.first {
		r.recorded = slices.Clone(r.actions)
	}
	if what := r.table.refusals(); what != "" {
		r.checker.add("refused", r.about, "Actions were refused: "+what+".", nil)
	}
}

// finish ends the match, and waits for the bot to end.
func (r *run) finish() error {
	if err := r.end(false); err != nil {
		return err
	}
	if err := r.quiet(r.hush, "answers-end", "after GAME_ENDS"); err != nil {
		if f := (*failure)(nil); !errors.As(err, &f) || f.key != "left" && f.key != "crash" {
			return err
		}
		return r.endedEarly() // it need not wait for the KICK
	}
	if err := r.kick(netorcai.KickFinished); err != nil {
		return err
	}
	return r.endedEarly()
}

// endedEarly returns what is wrong with how a bot has ended whose match is over.
func (r *run) endedEarly() error {
	if r.proc == nil {
		return nil
	}
	if err := r.gone("stays-running", "the end of the match"); err != nil {
		return err
	}
	if e := r.proc.Exit(); e.Crashed() {
		return failed("crash-at-end", "It ended with %s after the match.", e)
	}
	return nil
}

// usualPlaces is that of a match of the first players.
func (r *run) usualPlaces() places {
	return places{id: 0, players: min(2, max(1, r.Instance.Players))}
}

// addressOf returns the address of a port.
func addressOf(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }
