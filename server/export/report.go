package export

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// accountant has the account of a match watch a recording, so that the report on it is the one that the
// match had when it was played, as far as the recording tells: not how a bot's process ended, or when
// bots logged in.
type accountant struct {
	file    *recording.Reader
	account *result.Account
	seats   []match.SeatInfo
	tally   tally
	digest  bool
	last    *match.Play // that the account has not seen: whether it ends the match shows later
	step    int
	at      time.Duration
}

// newAccountant returns an accountant for a recording whose turns follow. The digest of all states
// takes time in proportion to their size.
func newAccountant(file *recording.Reader, digest bool) *accountant {
	h := file.Header()
	a := &accountant{file: file, digest: digest, tally: tally{names: h.Counts}}
	for id := range h.Seats {
		role := match.Player
		if id < h.Specials {
			role = match.Special
		}
		a.seats = append(a.seats, match.SeatInfo{
			Candidate: match.Candidate{Role: role, Nickname: h.Seats[id].Nickname, Remote: strconv.Itoa(id)}, ID: engine.PlayerID(id),
		})
	}
	a.account = result.New(result.Options{Tally: &a.tally, Digest: digest})
	return a
}

// add adds a turn.
func (a *accountant) add(p *recording.Replay, t *recording.Turn) {
	frame := &match.Frame{Moment: match.Turned, Table: match.Table{Seats: a.seats}}
	if a.digest {
		frame.State = slices.Clone(p.State())
	}
	a.flush()
	a.leave(t.Left)
	a.step, a.at = t.Step, t.At
	a.tally.counts = append(a.tally.counts[:0], t.Tally...)
	if t.Step == 0 {
		a.account.Started(frame)
		return
	}
	a.last = &match.Play{Step: t.Step, Frame: frame, Result: engine.Result{Refused: slices.Clone(t.Refused)}}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		a.last.Answers = append(a.last.Answers, match.Answer{
			Input: engine.Input{Player: in.Player, Turn: in.Input.Turn, Lapse: in.Lapse}, Took: in.Took,
		})
	}
}

// flush shows the account the turn that it has not seen.
func (a *accountant) flush() {
	if a.last != nil {
		a.account.Played(a.last)
		a.last = nil
	}
}

func (a *accountant) leave(left []recording.Departure) {
	for _, d := range left {
		s := a.seats[d.Player]
		s.Reason = d.Reason
		a.account.Left(s, s.Role)
	}
}

// report returns the report after the last turn.
func (a *accountant) report() *result.Report {
	h, end := a.file.Header(), cmp.Or(a.file.End(), &recording.End{Turns: a.step, Winner: engine.NoPlayer, Error: truncated})
	if a.last != nil && end.Error == "" {
		a.last.Frame.Moment = match.Ended
	}
	a.flush()
	a.leave(end.Left)
	ending := match.Ending{Steps: end.Turns, Winner: end.Winner, Reason: end.Reason, Seats: a.seats}
	r := &result.Report{
		Rules: h.RulesName(), Seed: h.Seed, Turns: end.Turns, TurnsMax: h.Turns, Reason: end.Reason, Error: end.Error,
		Times: result.Times{Started: h.Started, Match: result.Millis(a.at)},
	}
	if end.Error != "" {
		ending.Err = errors.New(end.Error)
		r.Err = ending.Err
	}
	a.account.Ended(&ending)
	played := a.account.Result()
	r.Digest = played.Digest
	for id := range h.Seats {
		s := seatReport(&h.Seats[id], engine.PlayerID(id), &played.Players[id])
		if s.ID == end.Winner {
			r.Winner = s.Label
		}
		r.Seats = append(r.Seats, s)
	}
	return r
}

// truncated is what the report says of a recording without an end.
const truncated = "the recording is truncated"

// seatReport returns the report on a player's seat.
func seatReport(seat *recording.Seat, id engine.PlayerID, p *result.Player) result.SeatReport {
	s := result.SeatReport{
		Label: seat.Name(), Argument: seat.Label, Command: seat.Command, Nickname: seat.Nickname, Seed: seat.Seed, Special: seat.Special,
		ID: id, Figures: p.Figures, Status: result.Held,
	}
	if d := p.Left; d != nil {
		s.Status, s.Reason, s.Error = result.Left, d.Reason, d.Reason+d.When()
		if d.HungUp() {
			s.Error = "hung up" + d.When()
		}
	}
	return s
}

// tally holds the figures at the end.
type tally struct {
	names  []string
	counts []int64 // of each player in turn
}

// AppendTally implements result.Tally.
func (t *tally) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	for i, name := range t.names {
		dst = append(dst, engine.Count{Name: name, Value: t.counts[int(p)*len(t.names)+i]})
	}
	return dst
}
