package feed

import (
	"bufio"
	"cmp"
	"context"
	"io"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// Recorded holds what the events of a recording contain in addition to what is in the file.
type Recorded struct {
	ID       string         // replaces the match's id
	Running  bool           // the match is still being played
	Progress func(step int) // called after each turn; may be nil
	// Again opens the recording once more, so that the end has the turns that decided; may be nil.
	Again func() (*recording.Reader, error)
}

// Limits of the turns that decided.
const (
	// maxCourse is the largest number of players times turns of a match whose decisions are found: a
	// course of that size takes 8 MB, which is 16 players in the longest match.
	maxCourse = 1 << 20
	// maxRivals is the number of players to whom the best one is compared: that of a large map.
	maxRivals = 15
)

// WriteRecorded replays a recording and writes its events to w, one per line. They are
// those of the live match. If the end is missing, an incomplete event says why; if the
// file is damaged, the returned error is a [*recording.DamageError] nevertheless. The
// recording is not verified.
func WriteRecorded(
	ctx context.Context, w io.Writer, about Recorded, r *recording.Reader, games recording.Games,
) error {
	replay, err := recording.NewReplay(r, games)
	if err != nil {
		return err
	}
	replay.Uncheck()
	e := recordedEvents{
		replay: replay, header: r.Header(), account: result.NewReplayed(r.Header(), false),
	}
	h := r.Header()
	if about.Again != nil && len(h.Counts) > 0 && h.Turns <= maxCourse/max(1, len(h.Seats)) {
		e.course = result.NewCourse(h)
	}
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
		if _, err := out.Write(append(e.event(about.ID, t), '\n')); err != nil {
			return err
		}
		if about.Progress != nil {
			about.Progress(t.Step)
		}
	}
	if r.Step() < 0 {
		return cmp.Or(damage, recording.ErrEmpty)
	}
	last := e.gap(damage, about.Running)
	if end := r.End(); end != nil {
		decided, err := e.decided(ctx, about.Again)
		if err != nil {
			return err
		}
		last = e.end(end, decided)
	}
	if _, err := out.Write(append(last, '\n')); err != nil {
		return err
	}
	return cmp.Or(out.Flush(), damage)
}

// recordedEvents makes the events of a recording.
type recordedEvents struct {
	replay  *recording.Replay
	header  *recording.Header
	account *result.Replayed
	course  *result.Course // nil: the end has no turns that decided
	gone    []engine.PlayerID
	turn    Turn
	buf     []byte
}

// event returns the event of a turn. That of turn 0 is the start.
func (e *recordedEvents) event(id string, t *recording.Turn) []byte {
	e.account.Add(e.replay, t)
	if e.course != nil {
		e.course.Add(e.replay, t)
	}
	for _, left := range t.Left {
		e.gone = append(e.gone, left.Player)
	}
	if t.Step == 0 {
		start := newStart(id, e.header, e.replay.State(), t.Printed)
		start.Scores = e.scores(nil)
		e.buf, _ = start.append(e.buf[:0])
	} else {
		e.setTurn(t)
		e.buf, _ = e.turn.append(e.buf[:0])
	}
	return e.buf
}

// setTurn sets the turn that was replayed last.
func (e *recordedEvents) setTurn(t *recording.Turn) {
	result, scores := e.replay.Result(), e.turn.Scores[:0]
	e.turn = Turn{
		Step: t.Step, At: t.At, Winner: result.Winner, Refused: result.Refused, Gone: e.gone,
		Printed: t.Printed,
		Answers: e.turn.Answers[:0], Delta: e.replay.AppendDelta(e.turn.Delta[:0]),
	}
	e.turn.Scores = e.scores(scores)
	for i := range t.Inputs {
		in := &t.Inputs[i]
		e.turn.Answers = append(e.turn.Answers,
			match.Answer{Input: in.Input, Took: in.Took, Debug: in.Debug})
	}
	if len(e.turn.Delta) == 0 {
		e.turn.State = e.replay.State()
	}
}

// scores appends the scores that a game logic sent.
func (e *recordedEvents) scores(dst []int64) []int64 {
	if e.header.Rules != recording.External {
		return dst
	}
	return appendScores(dst, len(e.header.Seats), e.replay.AppendTally)
}

// gap returns the event that says why the end is missing.
func (e *recordedEvents) gap(damage error, running bool) []byte {
	gap := Incomplete{Reason: Truncated, Turn: e.turn.Step, Turns: e.header.Turns}
	switch {
	case damage != nil:
		gap.Reason, gap.Error = Damaged, damage.Error()
	case running:
		gap.Reason = Running
	}
	return gap.append(nil)
}

// decided returns the turns that decided between the best player and each of the others; nil if
// they are not known.
func (e *recordedEvents) decided(
	ctx context.Context, again func() (*recording.Reader, error),
) (list []*result.Decisions, err error) {
	if e.course == nil {
		return nil, nil
	}
	e.course.Close(nil)
	list = []*result.Decisions{}
	last := 0
	for _, pair := range e.course.Rivals(maxRivals) {
		d := e.course.Between(pair[0], pair[1])
		list, last = append(list, d), max(last, d.Last())
	}
	if last == 0 {
		return list, nil
	}
	r, err := again()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for t, err := range r.Turns() {
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return nil, err
		}
		for _, d := range list {
			d.Add(e.replay, t)
		}
		if t.Step == last {
			break
		}
	}
	return list, nil
}

func (e *recordedEvents) end(recorded *recording.End, decided []*result.Decisions) []byte {
	end := End{
		Turn: recorded.Turns, Winner: recorded.Winner, Reason: recorded.Reason,
		Error: recorded.Error, Printed: recorded.Printed, Report: e.account.Report(recorded),
		Decided: decided,
	}
	end.setTally(len(e.header.Seats), e.replay.AppendTally)
	return end.append(nil)
}
