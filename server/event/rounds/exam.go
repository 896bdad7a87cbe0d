package rounds

import (
	"context"
	"errors"

	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Exam is an exam for the versions that teams send.
type Exam struct {
	Digest string // of the exam: results of another one do not count
	Marks  []exam.Mark
	// Take plays the matches that a version in a file has not played yet, one at a time. The next
	// call plays those that the end of ctx interrupts.
	Take func(ctx context.Context, v state.Upload, path string) (exam.Result, error)
}

// examiner runs the exam of an event.
type examiner struct {
	*Rounds
	store *versions.Store
}

// run runs the exam for each team's current version, one at a time and while no round is
// played, until ctx ends.
func (r *examiner) run(ctx context.Context) {
	failed := map[string]bool{} // versions, by digests; the error was logged
	for ctx.Err() == nil {
		changed := r.event.View().Changed
		idle, freed := r.idle.now()
		var team int
		var v *state.Version
		r.event.Read(func(s *state.State) { team, v = s.Unexamined(r.opts.Exam.Digest, failed) })
		if v == nil || idle.Err() != nil {
			select {
			case <-ctx.Done():
			case <-changed:
			case <-freed:
			}
			continue
		}
		var err error
		p := panics.Catch(func() { err = r.take(idle, team, v) })
		if p != nil {
			err = p
		}
		if p != nil || err != nil && idle.Err() == nil {
			failed[v.Digest] = true
			r.opts.Log.Error().Err(err).Str("version", v.Digest).Msg(
				"A version cannot take the exam until the event is started again")
		}
	}
}

// take runs the exam for a version, and notes the result.
func (r *examiner) take(ctx context.Context, team int, v *state.Version) error {
	path, err := r.store.Path(v.Upload)
	if err != nil {
		return err
	}
	result, err := r.opts.Exam.Take(ctx, v.Upload, path)
	if err != nil {
		return err
	}
	record := state.ExamRecord{Exam: r.opts.Exam.Digest, Version: v.Digest, Result: result}
	err = r.event.Do(func(s *state.State) (state.Act, error) { return s.Exams.Take(team, record) })
	if errors.Is(err, state.ErrForgotten) {
		return r.event.RemoveExam(v.Digest) // which was written since then
	}
	return err
}
