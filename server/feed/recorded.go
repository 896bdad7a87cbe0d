package feed

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Recorded is what the events of a recording tell beside what is in the file.
type Recorded struct {
	ID      string // in place of the match's
	Running bool   // the match is still being played
}

// WriteRecorded writes the events of a recording to w, one on a line, by playing
// the match again. They are those of the match as it was live. Where the end is
// missing, an incomplete event says why; if that is damage, the error is a
// [*recording.DamageError] nevertheless. It verifies nothing.
func WriteRecorded(ctx context.Context, w io.Writer, about Recorded, r *recording.Reader, games recording.Games) error {
	p := retelling{header: r.Header(), result: engine.Result{Winner: engine.NoPlayer}}
	if p.header.Rules != recording.External {
		var err error
		if p.game, err = games(p.header.Rules, p.header.Map); err != nil {
			return fmt.Errorf("rules %q: %w", p.header.Rules, err)
		}
		if p.result, err = p.game.Start(p.header.Setup()); err != nil {
			return fmt.Errorf("the recorded match cannot start: %w", err)
		}
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var damage error
	for t, err := range r.Turns() {
		if err != nil {
			damage = err
			break
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if _, err := out.Write(p.line(about.ID, t)); err != nil {
			return err
		}
	}
	switch {
	case r.Step() < 0 && damage != nil:
		return damage
	case r.Step() < 0:
		return recording.ErrEmpty
	}
	if _, err := out.Write(p.last(r.End(), damage, about.Running)); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return damage
}

// last returns the last event and a line feed: the end, or why it is missing.
func (p *retelling) last(end *recording.End, damage error, running bool) []byte {
	if end != nil {
		return p.end(end)
	}
	e := Incomplete{Reason: Truncated, Turn: p.turn.Step, Turns: p.header.Turns}
	switch {
	case damage != nil:
		e.Reason, e.Error = Damaged, damage.Error()
	case running:
		e.Reason = Running
	}
	return append(AppendIncomplete(p.buf[:0], &e), '\n')
}

// retelling is a recorded match that is played again.
type retelling struct {
	header *recording.Header
	game   engine.Game // nil: the states were recorded
	result engine.Result
	gone   []engine.PlayerID
	inputs []engine.Input
	turn   Turn
	state  []byte
	buf    []byte
}

// line is the event of a turn and a line feed; that of turn 0 is the start.
func (p *retelling) line(id string, t *recording.Turn) []byte {
	if t.Step > 0 {
		p.play(t)
	} else {
		start := p.start(id, t)
		p.buf = AppendStart(p.buf[:0], &start)
	}
	for _, left := range t.Left {
		p.gone = append(p.gone, left.Player)
	}
	if t.Step > 0 {
		p.turn.Gone = p.gone
		p.buf = AppendTurn(p.buf[:0], &p.turn)
	}
	p.buf = append(p.buf, '\n')
	return p.buf
}

func (p *retelling) start(id string, t *recording.Turn) Start {
	h := p.header
	s := Start{
		ID: id, Rules: h.Rules, Map: h.MapName, Players: h.Players, Specials: h.Specials,
		Turns: h.Turns, Seed: h.Seed, State: t.State, Seats: []Seat{}, Printed: t.Printed,
		Interval: time.Duration(h.DelayTurns * float64(time.Millisecond)),
	}
	if p.game != nil {
		s.State = p.game.AppendState(nil)
	}
	for i := range h.Seats {
		seat := &h.Seats[i]
		s.Seats = append(s.Seats, Seat{
			ID: engine.PlayerID(i), Nickname: seat.Nickname, Label: seat.Label, Special: seat.Special, Started: seat.Command != nil,
		})
	}
	return s
}

// play plays a turn and notes what it did.
func (p *retelling) play(t *recording.Turn) {
	e := &p.turn
	e.Step, e.At = t.Step, t.At
	e.Winner, e.State, e.Refused, e.Printed = t.Winner, t.State, t.Refused, t.Printed
	e.Answers, p.inputs = e.Answers[:0], p.inputs[:0]
	for i := range t.Inputs {
		in := &t.Inputs[i]
		e.Answers = append(e.Answers, match.Answer{Input: in.Input, Took: in.Took, Debug: in.Debug})
		p.inputs = append(p.inputs, in.Input)
	}
	if p.game == nil {
		p.result.Winner = t.Winner
		return
	}
	p.result = p.game.Step(p.inputs)
	e.Winner, e.Refused = p.result.Winner, p.result.Refused
	e.Delta = p.game.AppendDelta(e.Delta[:0])
	if len(e.Delta) == 0 {
		p.state = p.game.AppendState(p.state[:0])
		e.State = p.state
	}
}

// end is the last event and a line feed.
func (p *retelling) end(e *recording.End) []byte {
	end := End{Turn: e.Turns, Winner: e.Winner, Reason: e.Reason, Error: e.Error, Printed: e.Printed}
	if p.game != nil {
		for id := range p.header.Seats {
			end.Tally = append(end.Tally, p.game.AppendTally(nil, engine.PlayerID(id)))
		}
	}
	return append(AppendEnd(p.buf[:0], &end), '\n')
}
