// Package exam judges a bot by pass marks: the share of its matches against each of some named bots
// that it has to win.
//
// An exam of one bot is a gauntlet with given seeds, whose first bot is the one that is judged, so
// that all submissions play on the same boards, from the same places and against the same answers.
package exam

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// Mark is what a bot has to reach against another one.
type Mark struct {
	Against string  `json:"against"`
	Percent float64 `json:"mark"` // of the matches, ties half
}

// ParseMark returns the mark that a text such as 60% says.
func ParseMark(against, text string) (Mark, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(percent > 0 && percent <= 100) {
		return Mark{}, fmt.Errorf(
			"%q is no mark against %s: want a percentage above 0 and up to 100, such as 60%%", text, against)
	}
	return Mark{against, percent}, nil
}

// Score is what a bot reached of a mark.
type Score struct {
	Mark
	Matches int     `json:"matches"`
	Percent float64 `json:"score"`
	Passed  bool    `json:"passed"`
}

// Result is how a bot did in an exam.
type Result struct {
	Submission string         `json:"submission"`
	Passed     bool           `json:"passed"`
	Scores     []Score        `json:"scores"` // in the order of the exam; empty if there is a problem
	Forfeits   map[string]int `json:"forfeits,omitempty"`
	Error      string         `json:"error,omitempty"`   // the most frequent reason of the forfeits
	Problem    string         `json:"problem,omitempty"` // why the bot was not examined
	Folder     string         `json:"folder,omitempty"`  // of its matches
	standings.Origin
}

// Grade returns the result of a bot from the standings of its gauntlet. names are those of the bots
// in the standings: its own and those of the marks, in their order. A mark without a match is an
// error.
func Grade(t *standings.Table, names []string, marks []Mark) (Result, error) {
	r := Result{Passed: true}
	for i, mark := range marks {
		at := slices.IndexFunc(t.Meetings,
			func(m standings.Meeting) bool { return m.Bot == names[0] && m.Against == names[i+1] })
		if at < 0 {
			return Result{}, fmt.Errorf("%s has played no match against %s, so that it has no score",
				names[0], names[i+1])
		}
		m := &t.Meetings[at]
		s := Score{Mark: mark, Matches: m.Wins + m.Ties + m.Losses}
		s.Percent = 100 * float64(2*m.Wins+m.Ties) / float64(2*s.Matches)
		const rounding = 1e-9 // 60 % of 5 matches are 3
		s.Passed = s.Percent+rounding >= mark.Percent
		r.Passed = r.Passed && s.Passed
		r.Scores = append(r.Scores, s)
	}
	for _, b := range t.Bots {
		if b.Name == names[0] && len(b.Forfeits) > 0 {
			r.Forfeits = b.Forfeits
		}
	}
	own := func(e standings.ErrorGroup) bool { return e.Bot == names[0] }
	if i := slices.IndexFunc(t.Errors, own); i >= 0 {
		e := &t.Errors[i]
		r.Error = e.Exit
		if n := len(e.Printed); n > 0 {
			r.Error = strings.TrimPrefix(r.Error+": "+e.Printed[n-1], ": ")
		}
	}
	return r, nil
}

// Remark returns what is to be said of a result beside its scores: why the bot was not examined, or
// its forfeits with their reason. It may be empty.
func (r *Result) Remark() string {
	if r.Problem != "" {
		return r.Problem
	}
	var kinds []string
	for kind, n := range r.Forfeits {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
	}
	slices.Sort(kinds)
	parts := []string{strings.Join(kinds, ", "), r.Error}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// RemarkLine returns the first line of the remark, for a table: a compiler prints many.
func (r *Result) RemarkLine() string {
	line, _, _ := strings.Cut(r.Remark(), "\n")
	return strings.TrimSuffix(line, "\r")
}

// WriteCSV writes a line for each result, with a column for each mark.
func WriteCSV(w io.Writer, marks []Mark, results []Result) error {
	out := textutil.NewCSV(w)
	head := []string{"submission", "passed"}
	for _, m := range marks {
		head = append(head, fmt.Sprintf("%s (mark %g)", m.Against, m.Percent))
	}
	head = append(head, "remark", "folder")
	out.Write(append(head, standings.OriginHeader...)...)
	for i := range results {
		r := &results[i]
		row := []string{r.Submission, strconv.FormatBool(r.Passed)}
		for i := range marks {
			score := ""
			if i < len(r.Scores) {
				score = strconv.FormatFloat(r.Scores[i].Percent, 'f', 1, 64)
			}
			row = append(row, score)
		}
		row = append(row, r.RemarkLine(), r.Folder)
		out.Write(append(row, r.Fields()...)...)
	}
	return out.Flush()
}

// WriteJSON writes the results as one indented JSON list.
func WriteJSON(w io.Writer, results []Result) error {
	return textutil.WriteJSON(w, results)
}
