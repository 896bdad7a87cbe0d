package state

import (
	"errors"
	"slices"

	"github.com/hexarena/hexarena/server/cup/exam"
)

// ExamRecord is the result of a version of a team in an exam.
type ExamRecord struct {
	Exam    string      `json:"exam"` // its digest
	Version string      `json:"version"`
	Result  exam.Result `json:"result"`
}

// Exams are the results of all teams in exams.
type Exams struct {
	records map[int][]*ExamRecord // by team, in the order in which its versions took exams
}

// ExamTaken adds the result of a version of a team in an exam.
type ExamTaken struct {
	Head
	Team int         `json:"team,omitempty"`
	Exam *ExamRecord `json:"exam,omitempty"`
}

func (*ExamTaken) kind() string { return "exam" }

func (a *ExamTaken) apply(s *State) error {
	if err := s.Teams.check(a.Team); err != nil {
		return err
	}
	if a.Exam == nil {
		return errors.New("an exam has no result")
	}
	s.Exams.records[a.Team] = append(s.Exams.records[a.Team], a.Exam)
	return nil
}

// Take adds the result of a version of a team in an exam.
func (es *Exams) Take(team int, r ExamRecord) (Act, error) {
	return &ExamTaken{Team: team, Exam: &r}, nil
}

// Unexamined returns the version, with its team, that was sent first of those that play for their
// teams and have not taken an exam. It leaves out digests in skipped, and returns nil if no version
// is left.
func (s *State) Unexamined(digest string, skipped map[string]bool) (team int, found *Version) {
	for number, t := range s.Teams.list {
		v := s.Versions.plays(number)
		if v == nil || t.Removed || skipped[v.Digest] || found != nil && v.At >= found.At {
			continue
		}
		taken := func(r *ExamRecord) bool { return r.Exam == digest && r.Version == v.Digest }
		if !slices.ContainsFunc(s.Exams.records[number], taken) {
			team, found = number, v
		}
	}
	return team, found.copy()
}

// Scores returns the best score of all versions of a team for each mark of an exam, so that a
// pass stands.
func (es *Exams) Scores(team int, digest string, marks []exam.Mark) (best []exam.Score) {
	for _, mark := range marks {
		best = append(best, exam.Score{Mark: mark})
	}
	for _, r := range es.records[team] {
		if r.Exam != digest {
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

// Remark returns the remark on the version that took an exam last, for its team alone: why it
// was not examined, or how it failed in matches. It may be empty.
func (es *Exams) Remark(team int, digest string) (remark string) {
	for _, r := range es.records[team] {
		if r.Exam == digest {
			remark = r.Result.Remark()
		}
	}
	return remark
}

// ExamResults returns the best result of each team in an exam: that of the version that passed, or
// else of the one with the most marks.
func (s *State) ExamResults(digest string) (list []exam.Result) {
	for _, t := range s.Teams.list {
		if t.Removed {
			continue
		}
		best := exam.Result{Problem: "it has sent no version that has taken the exam"}
		for _, r := range s.Exams.records[t.Number] {
			better := best.Problem != "" || marksOf(&r.Result) >= marksOf(&best)
			if r.Exam == digest && better {
				best = r.Result
			}
		}
		best.Submission = t.Name
		list = append(list, best)
	}
	return list
}

// marksOf returns the number of marks that a result passed.
func marksOf(r *exam.Result) (passed int) {
	for i := range r.Scores {
		if r.Scores[i].Passed {
			passed++
		}
	}
	return passed
}
