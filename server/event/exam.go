package event

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/event/versions"
)

// Exam is an exam for the versions that teams send.
type Exam struct {
	Digest string // of the exam: results of another one do not count
	Marks  []exam.Mark
	// Take has a version in a file play the matches that it has not played yet, one at a time. What the end of ctx interrupts is played by the next
	// call.
	Take func(ctx context.Context, v versions.Version, path string) (exam.Result, error)
}

// examRecord is the result of a version of a team in an exam.
type examRecord struct {
	Exam    string      `json:"exam"` // its digest
	Version string      `json:"version"`
	Result  exam.Result `json:"result"`
}

// applyExamined applies an act about an exam.
func (s *state) applyExamined(a *Act) error {
	if a.Exam == nil {
		return errors.New("an exam has no result")
	}
	s.exams[a.Team] = append(s.exams[a.Team], a.Exam)
	return nil
}

// took reports whether a version of a team has a result in an exam.
func (s *state) took(team int, exam, version string) bool {
	return slices.ContainsFunc(s.exams[team], func(r *examRecord) bool { return r.Exam == exam && r.Version == version })
}

// unexamined returns the version that was sent first of those that play for their teams and have not taken an exam, and its team. It leaves out
// those in skipped, and returns nil if no version is left.
func (e *Event) unexamined(exam string, skipped map[string]bool) (team int, found *Sent) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for number, t := range e.state.teams {
		v := e.state.plays(number)
		if v != nil && !t.Removed && !skipped[v.Digest] && !e.state.took(number, exam, v.Digest) && (found == nil || v.At < found.At) {
			copied := *v
			team, found = number, &copied
		}
	}
	return team, found
}

// noteExam notes the result of a version in an exam.
func (e *Event) noteExam(team int, r examRecord) error {
	return e.act(func() (*Act, error) { return &Act{Kind: examined, Team: team, Exam: &r}, nil })
}

// passes returns how far a team has come with each mark of an exam: the best score of all its versions, so that a pass stands.
func (e *Event) passes(team int, x *Exam) (best []exam.Score) {
	for _, mark := range x.Marks {
		best = append(best, exam.Score{Mark: mark})
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.state.exams[team] {
		if r.Exam != x.Digest {
			continue
		}
		for i, score := range r.Result.Scores {
			if best[i].Matches == 0 || score.Percent > best[i].Percent {
				best[i] = score
			}
		}
	}
	return best
}

// examRemark returns what is to be said of the version that took an exam last, for its team alone: why it was not examined, or how it failed in
// matches. It may be empty.
func (e *Event) examRemark(team int, x *Exam) (remark string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.state.exams[team] {
		if r.Exam == x.Digest {
			remark = r.Result.Remark()
		}
	}
	return remark
}

// examResults returns the best result of each team in an exam: that of the version that passed, or else of the one with the most marks.
func (e *Event) examResults(x *Exam) (list []exam.Result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	marks := func(r *exam.Result) (passed int) {
		for i := range r.Scores {
			if r.Scores[i].Passed {
				passed++
			}
		}
		return passed
	}
	for _, t := range e.state.teams {
		if t.Removed {
			continue
		}
		best := exam.Result{Problem: "it has sent no version that has taken the exam"}
		for _, r := range e.state.exams[t.Number] {
			if r.Exam == x.Digest && (best.Problem != "" || marks(&r.Result) >= marks(&best)) {
				best = r.Result
			}
		}
		best.Submission = t.Name
		list = append(list, best)
	}
	return list
}

// examine has the versions that play for their teams take the exam, one at a time and while no round is played, until ctx ends.
func (r *Rounds) examine(ctx context.Context) {
	failed := map[string]bool{} // versions, by digests; the error was logged
	for ctx.Err() == nil {
		changed := r.event.View().Changed
		idle, freed := r.idle.now()
		team, v := r.event.unexamined(r.opts.Exam.Digest, failed)
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

// takeExam has a version take the exam, and notes the result.
func (r *Rounds) takeExam(ctx context.Context, team int, v *Sent) error {
	path, err := r.opts.Store.Path(v.Version)
	if err != nil {
		return err
	}
	result, err := r.opts.Exam.Take(ctx, v.Version, path)
	if err != nil {
		return err
	}
	return r.event.noteExam(team, examRecord{Exam: r.opts.Exam.Digest, Version: v.Digest, Result: result})
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
	_ = exam.WriteCSV(w, x.Marks, s.Event.examResults(x)) // the client may be gone
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
