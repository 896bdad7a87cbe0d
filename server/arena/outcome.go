package arena

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/result"
)

// clock notes when what happened.
type clock struct{ begun, full, over time.Time }

func newClock() *clock { return &clock{begun: time.Now()} }

func (c *clock) filled() { c.full = time.Now() }

func (c *clock) ended() { c.over = time.Now() }

// report puts together what is known of a match once all is over.
func (a *Arena) report(e *host.Result, c *clock) *Report {
	r := &Report{
		Rules:    a.room.Rules(),
		Seed:     a.opts.Seed,
		Turns:    e.Steps,
		TurnsMax: a.opts.Turns,
		Reason:   e.Reason,
		Digest:   a.account.Result().Digest,
		Times: Times{
			Started: c.begun.UTC().Round(time.Millisecond),
			Logins:  result.Millis(c.full.Sub(c.begun)),
			Match:   result.Millis(c.over.Sub(c.full)),
		},
		Recording: e.Recording, RecordingErr: e.RecordingErr,
		Err: e.Err,
	}
	if e.Err != nil {
		r.Error = e.Err.Error()
	}
	for _, b := range a.bots {
		s := a.seatReport(b)
		if s.ID != engine.NoPlayer && s.ID == e.Winner {
			r.Winner = s.Label
		}
		r.Seats = append(r.Seats, s)
	}
	return r
}

func (a *Arena) seatReport(b *bot) SeatReport {
	s := SeatReport{
		Label: b.seat.Label, Argument: b.seat.Argument, Interpreter: b.seat.Interpreter,
		Nickname: b.nickname, Seed: b.seed, Special: b.seat.Special,
		ID: engine.NoPlayer, Refused: map[string]int{},
	}
	if b.remote != "" {
		s.ID = a.account.Player(b.remote)
	}
	if s.ID != engine.NoPlayer {
		p := &a.account.Result().Players[s.ID]
		s.Counts, s.Rank, s.Refused, s.Time = p.Counts, p.Rank, p.Refused, p.Time
		s.Answers, s.Skipped, s.Missed = p.Answers, p.Skipped, p.Missed
	}
	s.Status, s.Error = a.status(b)
	s.Untraced, s.Denied, s.Remarks = b.untraced, b.denied, a.remarks(b)
	if b.started != nil {
		s.Command, s.Log = b.started.Argv(), b.started.Log
	}
	if b.proc != nil {
		s.Exit, _ = b.exitCode()
		if s.Status != Held {
			s.LastLines = b.proc.Tail()
		}
	}
	if d, left := a.account.Departure(b.remote); left {
		s.Reason = d.Reason
	}
	return s
}

// remarks says what is odd about the logins for a bot's seat, and its own.
func (a *Arena) remarks(b *bot) (list []string) {
	switch {
	case b.untraced && b.usurped:
		list = append(list, "its login came from another process, before its own did")
	case b.untraced && a.claims.traced:
		list = append(list, "its login came from a process that was not started for it")
	case b.untraced:
		list = append(list, "its login did not come by its own port, which is in "+a.portNames())
	case b.usurped:
		list = append(list, "another process had taken its seat")
	}
	if b.alias != "" {
		list = append(list, fmt.Sprintf("it calls itself %q, the nickname of another bot", b.alias))
	}
	switch {
	case b.denied == 1:
		list = append(list, fmt.Sprintf("another login of its process, as %q, was refused", b.deniedAs))
	case b.denied > 1:
		list = append(list, fmt.Sprintf("%d other logins of its process, the first as %q, were refused", b.denied, b.deniedAs))
	}
	return list
}

// status says how a bot held out, and if it did not, what was wrong.
func (a *Arena) status(b *bot) (Status, string) {
	if b.absent != nil {
		return Absent, b.absent.Error()
	}
	if b.remote == "" && b.guest() {
		return Absent, "no client took the seat"
	}
	if b.remote == "" {
		return Absent, "the match ended before its turn to start came"
	}
	d, left := a.account.Departure(b.remote)
	if !left {
		return Held, ""
	}
	when := fmt.Sprintf(" after turn %d", d.Step)
	if d.Step == 0 {
		when = " before the first turn"
	}
	exit, crashed := b.exit()
	switch {
	case b.talked != nil && !crashed:
		return Left, d.Reason + when
	case b.talked == nil && !d.HungUp(): // a bot that was kicked may end as it likes
		return Left, "kicked" + when + ": " + d.Reason
	case crashed:
		return Crashed, exit + when
	case exit != "":
		return Left, exit + when
	}
	return Left, "hung up" + when
}

// exit says how a bot ended by itself, "" if it did not or no one here can see it.
func (b *bot) exit() (how string, crashed bool) {
	switch {
	case b.inside != nil && b.inside.Err() != nil:
		return b.inside.Err().Error(), true
	case b.proc != nil:
		return b.exitCode()
	}
	return "", false
}

// exitCode says how a bot's process ended by itself, "" if it did not.
func (b *bot) exitCode() (how string, crashed bool) {
	if !b.proc.Ended() {
		return "", false
	}
	if e := b.proc.Exit(); !e.Stopped {
		return e.String(), e.Code != 0
	}
	return "", false
}
