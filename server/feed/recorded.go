package feed

import (
	"bufio"
	"context"
	"io"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Recorded holds what the events of a recording contain besides what is in the file.
type Recorded struct {
	ID      string // replaces the match's id
	Running bool   // the match is still being played
}

// WriteRecorded replays a recording and writes its events to w, one per line. They are
// those of the live match. If the end is missing, an incomplete event says why; if the
// file is damaged, the returned error is a [*recording.DamageError] nevertheless. The
// recording is not verified.
func WriteRecorded(ctx context.Context, w io.Writer, about Recorded, r *recording.Reader, games recording.Games) error {
	replay, err := recording.NewUncheckedReplay(r, games)
	if err != nil {
		return err
	}
	e := recordedEvents{replay: replay, header: r.Header()}
	out := bufio.NewWriterSize(w, 64<<10)
	var damage error
	for t, err := range replay.Turns() {
		if err != nil {
			damage = err
			break
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if _, err := out.Write(e.line(about.ID, t)); err != nil {
			return err
		}
	}
	switch {
	case r.Step() < 0 && damage != nil:
		return damage
	case r.Step() < 0:
		return recording.ErrEmpty
	}
	if _, err := out.Write(e.last(r.End(), damage, about.Running)); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return damage
}

// recordedEvents makes the events of a recording.
type recordedEvents struct {
	replay *recording.Replay
	header *recording.Header
	gone   []engine.PlayerID
	turn   Turn
	buf    []byte
}

// last returns the last event and a line feed: the end, or why it is missing.
func (e *recordedEvents) last(end *recording.End, damage error, running bool) []byte {
	if end != nil {
		return e.end(end)
	}
	gap := Incomplete{Reason: Truncated, Turn: e.turn.Step, Turns: e.header.Turns}
	switch {
	case damage != nil:
		gap.Reason, gap.Error = Damaged, damage.Error()
	case running:
		gap.Reason = Running
	}
	return append(gap.append(e.buf[:0]), '\n')
}

// line returns the event of a turn and a line feed. The event of turn 0 is the start.
func (e *recordedEvents) line(id string, t *recording.Turn) []byte {
	if t.Step > 0 {
		e.setTurn(t)
	} else {
		start := e.start(id, t)
		e.buf, _ = start.append(e.buf[:0])
	}
	for _, left := range t.Left {
		e.gone = append(e.gone, left.Player)
	}
	if t.Step > 0 {
		e.turn.Gone = e.gone
		e.buf, _ = e.turn.append(e.buf[:0])
	}
	e.buf = append(e.buf, '\n')
	return e.buf
}

func (e *recordedEvents) start(id string, t *recording.Turn) Start {
	h := e.header
	s := Start{
		ID: id, Labels: h.Labels, Rules: h.Rules, Map: h.MapName, Players: h.Players, Specials: h.Specials,
		Turns: h.Turns, Seed: h.Seed, State: e.replay.State(), Seats: []Seat{}, Printed: t.Printed,
		IntervalMS: milliseconds(durationOf(h.DelayTurns)),
	}
	for i := range h.Seats {
		seat := &h.Seats[i]
		s.Seats = append(s.Seats, Seat{
			ID: engine.PlayerID(i), Nickname: seat.Nickname, Label: seat.Label, Special: seat.Special, Started: seat.Command != nil,
			Version: seat.Version, Language: seat.Language,
		})
	}
	return s
}

// setTurn sets the turn that was replayed last.
func (e *recordedEvents) setTurn(t *recording.Turn) {
	turn, result := &e.turn, e.replay.Result()
	turn.Step, turn.At, turn.Printed = t.Step, t.At, t.Printed
	turn.Winner, turn.Refused = result.Winner, result.Refused
	turn.Answers = turn.Answers[:0]
	for i := range t.Inputs {
		in := &t.Inputs[i]
		turn.Answers = append(turn.Answers, match.Answer{Input: in.Input, Took: in.Took, Debug: in.Debug})
	}
	turn.Delta = e.replay.AppendDelta(turn.Delta[:0])
	if len(turn.Delta) == 0 {
		turn.State = e.replay.State()
	}
}

// end returns the event of the end and a line feed.
func (e *recordedEvents) end(recorded *recording.End) []byte {
	end := End{
		Turn: recorded.Turns, Winner: recorded.Winner, Reason: recorded.Reason,
		Error: recorded.Error, Printed: recorded.Printed,
	}
	if e.header.Rules != recording.External {
		for id := range e.header.Seats {
			end.Tally = append(end.Tally, e.replay.AppendTally(nil, engine.PlayerID(id)))
		}
	}
	return append(end.append(e.buf[:0]), '\n')
}
