package seating

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// Report completes the report on a match that is over, and whose bots have ended, by what came of
// the seats. over is when the match ended.
func (s *Seats) Report(r *result.Report, winner engine.PlayerID, over time.Time) {
	full := s.filled
	if full.IsZero() {
		full = over
	}
	r.Times = result.Times{
		Started: s.begun.UTC().Round(time.Millisecond),
		Logins:  result.Millis(full.Sub(s.begun)), Match: result.Millis(over.Sub(full)),
	}
	for _, b := range s.list {
		one := b.report()
		if one.ID != engine.NoPlayer && one.ID == winner {
			r.Winner = one.Label
		}
		r.Seats = append(r.Seats, one)
	}
}

func (b *Seat) report() result.SeatReport {
	account := b.seats.account
	s := result.SeatReport{
		Label: b.Label, Argument: b.Argument, Interpreter: b.Interpreter,
		Log: b.log, Nickname: b.nickname, Seed: b.Seed, Special: b.Special,
		ID: engine.NoPlayer, Untraced: b.untraced, Denied: b.denied, Remarks: b.remarks(),
		Resumed: b.resumed, CPU: result.Millis(b.cpu),
	}
	s.Chosen = b.Kind != seat.Process && b.nickname != b.Spec.Nickname()
	s.Refused = map[string]int{}
	if b.remote != "" {
		s.ID = account.Player(b.remote)
	}
	if s.ID != engine.NoPlayer {
		s.Figures = account.Result().Players[s.ID].Figures
	}
	s.Status, s.Error = b.status()
	if b.seats.opts.Hung != nil && s.ID != engine.NoPlayer {
		if why := b.seats.opts.Hung(s.ID); why != "" {
			s.Status, s.Error = result.Hung, why // however it has ended since
		}
	}
	if b.started != nil {
		s.Command = b.started.Argv()
	}
	if proc := b.process(); proc != nil {
		var crashed bool
		s.Exit, crashed = b.exit()
		if s.Status != result.Held {
			s.LastLines = proc.Tail()
			if debug := build.Debugging(b.Argv); debug != "" && crashed && s.Status != result.Left {
				s.LastLines = append(s.LastLines, "to see where, with gdb: "+debug)
			}
		}
	}
	if d, left := account.Departure(b.remote); left {
		s.Reason = d.Reason
	}
	return s
}

// Stack makes the started bot of the seat with a number, from 1, print where it is, as far as its
// language can do so, and returns the lines that tell most; nil if it cannot. The bot goes on,
// unless last allows ways that end it.
func (s *Seats) Stack(number int, last bool) []string {
	b := s.list[number-1]
	proc := b.process()
	language := build.Language(b.Argv)
	switch b.Place(s.opts.Launch.Isolate != nil) {
	case launch.InContainer:
		return nil
	case launch.InEngine:
		language = launch.OwnScript
	}
	onOutput := b.Stdio && language == "Java" // the JVM prints stacks on standard output
	if proc == nil || onOutput {
		return nil
	}
	return proc.Stack(language, last)
}

// remarks says what is odd about the logins for a bot's seat, and its own.
func (b *Seat) remarks() (list []string) {
	switch {
	case b.untraced && b.usurped:
		list = append(list, "its login came from another process, before its own did")
	case b.untraced && b.port == nil:
		list = append(list, "its login came from a process that was not started for it")
	case b.untraced:
		list = append(list, "its login did not come by its own port, which is in "+b.seats.portNames())
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
		list = append(
			list,
			fmt.Sprintf("%d other logins of its process, the first as %q, were refused", b.denied,
				b.deniedAs),
		)
	}
	return list
}

// status says how a bot held out, and if it did not, what was wrong.
func (b *Seat) status() (result.Status, string) {
	switch {
	case b.absent != nil:
		return result.Absent, b.absent.Error()
	case b.remote == "" && b.forClients():
		return result.Absent, "no client took the seat"
	case b.remote == "":
		return result.Absent, "the match ended before its turn to start came"
	}
	d, left := b.seats.account.Departure(b.remote)
	if !left {
		return result.Held, ""
	}
	exit, crashed := b.exit()
	return d.Status(exit, crashed && !b.thrownOut(d)) // a bot that was thrown out may end as it likes
}

// thrownOut reports whether a bot that left was kicked. A bot of the HTTTX Bot API is not: what is
// wrong with it shows how it ended.
func (b *Seat) thrownOut(d result.Departure) bool { return !b.conversed() && !d.HungUp() }

// exit says how a bot ended by itself, "" if it did not or no one here can see it.
func (b *Seat) exit() (how string, crashed bool) {
	proc := b.process()
	switch {
	case b.inside != nil && b.inside.Err() != nil:
		return b.inside.Err().Error(), true
	case proc == nil || !proc.Ended() || proc.Exit().Stopped:
		return "", false
	}
	e := proc.Exit()
	return e.String(), e.Crashed()
}
