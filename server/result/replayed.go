package result

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Replayed makes the report on a recorded match. It has an account watch the recording, so that the
// report is the one that the match had when it was played, as far as the recording tells: not
// which bots never logged in, or when the others did.
type Replayed struct {
	header  *recording.Header
	account *Account
	endings Endings
	seats   []match.SeatInfo
	tally   recordedTally
	digest  bool
	last    *match.Play // that the account has not seen: whether it ends the match shows later
	step    int
	at      time.Duration
}

// NewReplayed returns a Replayed for a recording with the header h, whose turns follow. The digest
// of all states takes time in proportion to their size.
func NewReplayed(h *recording.Header, digest bool) *Replayed {
	r := &Replayed{
		header: h, digest: digest, endings: Endings{}, tally: recordedTally{names: h.Counts},
	}
	for id := range h.Seats {
		role := match.Player
		if id < h.Specials {
			role = match.Special
		}
		r.seats = append(r.seats, match.SeatInfo{
			Candidate: match.Candidate{Role: role, Nickname: h.Seats[id].Nickname, Remote: strconv.Itoa(id)},
			ID:        engine.PlayerID(id),
		})
	}
	r.account = New(Options{Tally: &r.tally, Digest: digest})
	return r
}

// Add adds a turn, which has been replayed. Both are valid until Add returns.
func (r *Replayed) Add(p *recording.Replay, t *recording.Turn) {
	frame := &match.Frame{Moment: match.Turned, Table: match.Table{Seats: r.seats}}
	if r.digest {
		frame.State = slices.Clone(p.State())
	}
	r.flush()
	r.leave(t.Left)
	r.endings.Note(t.Printed)
	r.step, r.at = t.Step, t.At
	r.tally.counts = append(r.tally.counts[:0], t.Tally...)
	if t.Step == 0 {
		r.account.Started(frame)
		return
	}
	r.tally.replay = p
	r.last = &match.Play{
		Step: t.Step, Frame: frame, Result: engine.Result{Refused: slices.Clone(t.Refused)},
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		answer := match.Answer{
			Input: engine.Input{Player: in.Player, Turn: in.Input.Turn, Lapse: in.Lapse}, Took: in.Took,
		}
		if len(t.Refused) > 0 && in.Abridged == (recording.Abridged{}) {
			answer.Actions = slices.Clone(in.Actions) // for the account to explain the refusals
		}
		r.last.Answers = append(r.last.Answers, answer)
	}
}

// flush shows the account the turn that it has not seen.
func (r *Replayed) flush() {
	if r.last != nil {
		r.account.Played(r.last)
		r.last = nil
	}
}

func (r *Replayed) leave(left []recording.Departure) {
	for _, d := range left {
		s := r.seats[d.Player]
		s.Reason = d.Reason
		r.account.Left(s, s.Role)
	}
}

// Report returns the report after the last turn. end is nil if the recording has none. Turn 0 must
// have been added.
func (r *Replayed) Report(end *recording.End) *Report {
	end = cmp.Or(end, &recording.End{Turns: r.step, Winner: engine.NoPlayer, Error: truncated})
	if r.last != nil && end.Error == "" {
		r.last.Frame.Moment = match.Ended
	}
	r.flush()
	r.leave(end.Left)
	r.endings.Note(end.Printed)
	ending := match.Ending{Steps: end.Turns, Winner: end.Winner, Reason: end.Reason, Seats: r.seats}
	if end.Error != "" {
		ending.Err = errors.New(end.Error)
	}
	r.account.Ended(&ending)
	played := r.account.Result()
	played.Started, played.Ended = r.header.Started, r.header.Started.Add(r.at)
	return played.Report(r.header, r.endings)
}

// truncated is what the report says of a recording without an end.
const truncated = "the recording is truncated"

// recordedTally holds the figures at the end.
type recordedTally struct {
	replay *recording.Replay
	names  []string
	counts []int64 // of each player in turn
}

// Explain implements engine.Explainer. Answers that the recording abridged are not explained.
func (t *recordedTally) Explain(in *engine.Input, r *engine.Refusal) string {
	if in.Actions == nil {
		return ""
	}
	return t.replay.Explain(in, r)
}

// AppendTally implements Tally.
func (t *recordedTally) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	for i, name := range t.names {
		dst = append(dst, engine.Count{Name: name, Value: t.counts[int(p)*len(t.names)+i]})
	}
	return dst
}
