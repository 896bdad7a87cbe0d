package site

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

// sendExam answers with the results of all teams in the exam as a table for other programs.
func (o operator) sendExam(w http.ResponseWriter, _ *http.Request) {
	x := o.Rounds.Options().Exam
	if x == nil {
		answer(w, http.StatusNotFound, nil,
			errors.New("the event has no exam: start it with --exam FILE"))
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	list := event.Ask(o.Event, func(s *state.State) []exam.Result { return s.ExamResults(x.Digest) })
	_ = exam.WriteCSV(w, x.Marks, list) // the client may be gone
}

// examScores returns the best score of a team for each mark of an exam.
func (s *Site) examScores(team int, x *rounds.Exam) []exam.Score {
	return event.Ask(s.Event,
		func(s *state.State) []exam.Score { return s.Exams.Scores(team, x.Digest, x.Marks) })
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
