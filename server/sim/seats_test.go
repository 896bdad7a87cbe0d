package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// startedBot checks that the seat of a started bot is taken by its process, and by no other where
// the server knows that. The caller holds mu.
func (o *observer) startedBot(s match.SeatInfo) {
	c := o.server.computer
	for i, conduct := range o.plan.started {
		bot := c.bot(startedCommand(conduct, i))
		key := fmt.Sprint("seat ", len(o.plan.builtins)+i/o.plan.rooms+1)
		mine := o.plan.rooms == 1 || strings.HasSuffix(o.name, fmt.Sprintf("room%d", i%o.plan.rooms))
		is := c.botAt(s.Remote) == bot
		if one := c.processOf(bot); is && slices.Contains(o.stayed, one) {
			o.expect(!one.hungUp(), "%s, which had stayed, gets a seat although it has hung up", one)
		}
		if mine {
			o.expect(!is || s.Key == key, "%s at %s gets the seat with the key %q, not its own", bot,
				s.Remote, s.Key)
		} else {
			o.expect(!is, "%s at %s plays in another match", bot, s.Remote)
		}
		if mine && s.Key == key {
			o.expect(is || o.plan.usurps(), "%s at %s gets the seat of %s", s.Nickname, s.Remote, bot)
		}
	}
}

// restarted is more than it takes to start a bot again that could not be started, and the bot to
// log in.
const restarted = 2500 * time.Millisecond

// seatsKept checks how the bots that the server has seated have held out in a match that is over:
// those that it started have ended, no honest one has left, and the report says what became of the
// others.
func (o *observer) seatsKept(r *host.Result, seats []seat.Spec) {
	left := o.server.computer.running()
	stay := !slices.ContainsFunc(left, func(c *child) bool { return !c.mayStay() })
	o.expect(o.plan.rooms > 1 || stay && len(left) <= o.plan.staying, "%v go on after the match", left)
	usurped := o.plan.usurps()
	for i, one := range r.Report().Seats {
		if len(seats[i].Argv) == 0 || r.Err != nil {
			continue
		}
		conduct, _, _ := strings.Cut(seats[i].Argv[0], " ")
		ok := true
		switch conduct {
		case "honest":
			ok = one.Status == result.Held || one.Status == result.Absent || usurped
		case "missing":
			ok = one.Status != result.Absent || o.plan.once || o.waited < restarted
		case "crashing":
			ok = one.Status != result.Left || usurped
		case "never", "early":
			ok = one.Status == result.Absent || usurped
		}
		o.expect(ok, "%s is reported as %q: %s", seats[i].Argv[0], one.Status, one.Error)
		if bot := o.server.computer.bot(seats[i].Argv); conduct == "honest" && !usurped {
			o.stays(bot, &one, left)
		}
	}
}

// stays checks that an honest bot which has stayed since an earlier match has played this one, and
// goes on to stay unless there may be too many.
func (o *observer) stays(bot string, r *result.SeatReport, left []*child) {
	is := func(c *child) bool { return c.bot == bot }
	if slices.ContainsFunc(o.stayed, is) {
		// the match began before its turn to be seated came
		late := o.plan.once && r.Status == result.Absent
		o.expect(late || r.Resumed && r.Status == result.Held,
			"%s, which had stayed, is reported as %q, resumed: %t, %s", bot, r.Status, r.Resumed, r.Error)
	}
	p := o.server.computer.processOf(bot)
	if p == nil || r.Status != result.Held || o.server.ctx.Err() != nil {
		return
	}
	stays := slices.Contains(left, p)
	o.expect(stays || !p.mayStay() || o.plan.staying < len(o.plan.started),
		"%s does not go on after the match", p)
}
