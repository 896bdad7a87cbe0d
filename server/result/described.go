package result

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
)

// Endings are how the processes of players' bots ended, as recordings have it.
type Endings map[engine.PlayerID]string

// Note adds the endings that are in what bots printed.
func (e Endings) Note(printed []recording.Output) {
	for i := range printed {
		if o := &printed[i]; o.Ended != "" {
			e[o.Player] = o.Ended
		}
	}
}

// Report returns the report on a match whose players the header of a recording describes. It is the
// same for the live match and its recording.
func (r *Result) Report(h *recording.Header, endings Endings) *Report {
	report := &Report{
		Rules: h.RulesName(), Seed: h.Seed, Turns: r.Steps, TurnsMax: h.Turns, Reason: r.Reason,
		Digest: r.Digest,
		Times:  Times{Started: r.Started, Match: Millis(r.Ended.Sub(r.Started))}, Err: r.Err,
	}
	if r.Err != nil {
		report.Error = r.Err.Error()
	}
	for id := range min(len(h.Seats), len(r.Players)) {
		s := describedSeat(&h.Seats[id], &r.Players[id], endings[engine.PlayerID(id)])
		s.ID = engine.PlayerID(id)
		if s.ID == r.Winner {
			report.Winner = s.Label
		}
		report.Seats = append(report.Seats, s)
	}
	return report
}

// describedSeat returns the report on the seat of a player whose process ended in a way, empty if
// that is not known.
func describedSeat(seat *recording.Seat, p *Player, ended string) SeatReport {
	s := SeatReport{
		Label: seat.Name(), Argument: seat.Label, Command: seat.Command, Nickname: seat.Nickname,
		Seed: seat.Seed, Special: seat.Special,
		Figures: p.Figures, Status: Held,
	}
	if p.Left != nil {
		exit, crashed := recording.Output{Ended: ended}.Exit()
		s.Reason = p.Left.Reason
		s.Status, s.Error = p.Left.Status(exit, crashed)
	}
	return s
}

// Status returns how a player that left held out, and what was wrong: exit says how its process
// ended, empty if it has not or that is not known, and crashed that it ended with an error.
func (d Departure) Status(exit string, crashed bool) (Status, string) {
	switch when := d.When(); {
	case crashed:
		return Crashed, exit + when
	case !d.HungUp():
		return Left, "removed" + when + ": " + d.Reason
	case exit != "":
		return Left, exit + when
	default:
		return Left, "hung up" + when
	}
}
