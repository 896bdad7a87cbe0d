package event

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/event/state"
)

// Exam is an exam for the versions that teams send.
type Exam struct {
	Digest string // of the exam: results of another one do not count
	Marks  []exam.Mark
	// Take plays the matches that a version in a file has not played yet, one at a time. The next
	// call plays those that the end of ctx interrupts.
	Take func(ctx context.Context, v state.Upload, path string) (exam.Result, error)
}

// examine runs the exam for each team's current version, one at a time and while no round is
// played, until ctx ends.
func (r *Rounds) examine(ctx context.Context) {
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
		err := r.takeExam(idle, team, v)
		if err != nil && idle.Err() == nil {
			failed[v.Digest] = true
			r.opts.Log.Error().Err(err).Str("version", v.Digest).Msg("A version cannot take the exam until the event is started again")
		}
	}
}

// takeExam runs the exam for a version, and notes the result.
func (r *Rounds) takeExam(ctx context.Context, team int, v *state.Version) error {
	path, err := r.opts.Store.Path(v.Upload)
	if err != nil {
		return err
	}
	result, err := r.opts.Exam.Take(ctx, v.Upload, path)
	if err != nil {
		return err
	}
	record := state.ExamRecord{Exam: r.opts.Exam.Digest, Version: v.Digest, Result: result}
	return r.event.Do(func(s *state.State) (state.Act, error) { return s.TakeExam(team, record) })
}

// sendExam answers with the results of all teams in the exam as a table for other programs.
func (s *Site) sendExam(w http.ResponseWriter, _ *http.Request) {
	x := s.Rounds.opts.Exam
	if x == nil {
		answer(w, http.StatusNotFound, nil, errors.New("the event has no exam: start it with --exam FILE"))
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	list := ask(s.Event, func(s *state.State) []exam.Result { return s.ExamResults(x.Digest) })
	_ = exam.WriteCSV(w, x.Marks, list) // the client may be gone
}

// examScores returns the best score of a team for each mark of an exam.
func (s *Site) examScores(team int, x *Exam) []exam.Score {
	return ask(s.Event, func(s *state.State) []exam.Score { return s.ExamScores(team, x.Digest, x.Marks) })
}

// markExam returns the part of a team's page on the exam.
func markExam(scores []exam.Score) markup {
	return mark(`<section>
<h2>Exam</h2>
<table>
<thead><tr><th>Against</th><th class="number">Needed</th><th class="number">Best</th><th>Mark</th></tr></thead>
<tbody>%s</tbody>
</table>
<p class="aside">A version that the team sends takes it between two rounds. A mark that one version has passed stands.</p>
</section>`, markEach(scores, func(s exam.Score) markup {
		best, state := markup(""), markup("not passed yet")
		if s.Matches > 0 {
			best = mark("%s of %s matches", fmt.Sprintf("%.1f %%", s.Percent), s.Matches)
		}
		if s.Passed {
			state = `<span class="ok">passed</span>`
		}
		return mark(`<tr><th scope="row">%s</th><td class="number">%s</td><td class="number">%s</td><td>%s</td></tr>`,
			s.Against, fmt.Sprintf("%g %%", s.Mark.Percent), best, state)
	}))
}
