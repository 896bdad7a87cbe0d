package tui

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/launch"
)

// WriteExam writes the results of an exam: that of one bot with a line for each mark, those of
// several with a line for each bot.
func WriteExam(w io.Writer, marks []exam.Mark, results []exam.Result) error {
	var b strings.Builder
	if len(results) == 1 {
		writeResult(&b, &results[0])
	} else {
		resultTable(marks, results).Write(&b)
	}
	return writeColored(w, b.String(), "results")
}

func writeResult(b *strings.Builder, r *exam.Result) {
	if r.Problem != "" {
		fmt.Fprintf(b, "%s was not examined: %s\n", Plain(r.Submission), PlainLines(r.Problem))
		return
	}
	if len(r.Scores) == 0 { // it never logged in
		fmt.Fprintf(b, "%s fails: %s; hexarena cup show %s tells more\n", Plain(r.Submission),
			Plain(r.RemarkLine()), Plain(launch.Quote([]string{r.Folder})))
		return
	}
	table := &Table{
		Columns: []Column{Left("against"), Right("matches"), Right("score"), Right("mark"), Remarks()},
	}
	missed := 0
	for _, s := range r.Scores {
		remark := ""
		if !s.Passed {
			missed++
			remark = "not reached"
		}
		table.Add(Plain(s.Against), strconv.Itoa(s.Matches), percent(s.Percent/100),
			percent(s.Mark.Percent/100), remark)
	}
	table.Write(b)
	if forfeits := r.RemarkLine(); forfeits != "" {
		fmt.Fprintf(b, "\nForfeited matches: %s; hexarena cup show %s tells more\n", Plain(forfeits),
			Plain(launch.Quote([]string{r.Folder})))
	}
	if r.Passed {
		fmt.Fprintf(b, "\n%s passes: it reaches %s\n", Plain(r.Submission), count(len(r.Scores), "mark"))
		return
	}
	fmt.Fprintf(b, "\n%s fails: it does not reach %d of %s\n", Plain(r.Submission), missed,
		count(len(r.Scores), "mark"))
}

func resultTable(marks []exam.Mark, results []exam.Result) *Table {
	table := &Table{Columns: []Column{Left("submission"), Left("")}}
	for _, m := range marks {
		table.Columns = append(table.Columns,
			Right(fmt.Sprintf("%s (%g %%)", Plain(m.Against), m.Percent)))
	}
	table.Columns = append(table.Columns, Remarks())
	for i := range results {
		r := &results[i]
		row := []string{Plain(r.Submission), "fails"}
		if r.Passed {
			row[1] = "passes"
		}
		for i := range marks {
			score := ""
			if i < len(r.Scores) {
				score = percent(r.Scores[i].Percent / 100)
			}
			row = append(row, score)
		}
		table.Add(append(row, Plain(r.RemarkLine()))...)
	}
	return table
}
