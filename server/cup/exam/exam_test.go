package exam

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/cup/standings"
)

func TestParseMark(t *testing.T) {
	if m, err := ParseMark("painter", " 62.5 %"); err != nil || m != (Mark{"painter", 62.5}) {
		t.Errorf("62.5 %% is %v, %v", m, err)
	}
	for _, text := range []string{"60", "%", "0%", "101%", "-5%", "NaN%", "half"} {
		if _, err := ParseMark("painter", text); err == nil ||
			!strings.Contains(err.Error(), "such as 60%") {
			t.Errorf("%s is a mark: %v", text, err)
		}
	}
}

// A mark is reached with exactly its share, ties half, and all have to be.
func TestGrade(t *testing.T) {
	table := &standings.Table{
		Bots: []standings.Bot{
			{Name: "ann", Forfeits: map[string]int{"hung": 1, "crash": 2}}, {Name: "a"}, {Name: "b"},
		},
		Meetings: []standings.Meeting{
			{Bot: "a", Against: "ann", Wins: 5},
			{Bot: "ann", Against: "a", Wins: 2, Ties: 2, Losses: 1},
			{Bot: "ann", Against: "b", Wins: 1, Losses: 2},
		},
		Errors: []standings.ErrorGroup{
			{Bot: "a", Exit: "of another"},
			{Bot: "ann", Exit: "exit code 1", Printed: []string{"Traceback", "KeyError: 3"}},
		},
	}
	names := []string{"ann", "a", "b"}
	for _, tt := range []struct {
		a, b   float64
		passed bool
	}{{60, 33, true}, {60.1, 33, false}, {60, 34, false}} {
		marks := []Mark{{"a", tt.a}, {"b", tt.b}}
		if r, err := Grade(table, names, marks); err != nil || r.Passed != tt.passed {
			t.Errorf("marks of %v and %v: %+v, %v", tt.a, tt.b, r, err)
		}
	}
	if r, err := Grade(table, []string{"ann", "c"}, []Mark{{"c", 50}}); err == nil ||
		!strings.Contains(err.Error(), "ann has played no match against c") {
		t.Errorf("a mark without a match: %+v, %v", r, err)
	}
	marks := []Mark{{"=a", 60}, {"b", 50}}
	r, err := Grade(table, names, marks)
	if err != nil {
		t.Fatal(err)
	}
	r.Submission, r.Folder = "ann", "cups/exam-1"
	r.Origin = standings.Origin{
		Version: "1.2", Commit: "c0ffee", Plan: "2a9a", Command: "hexarena cup ann",
	}
	var got strings.Builder
	if err := WriteCSV(&got, marks, []Result{r, {Submission: "+bob", Problem: "no file, nothing\r\nx.c:1"}}); err != nil {
		t.Fatal(err)
	}
	want := "submission,passed,'=a (mark 60),b (mark " +
		"50),remark,folder,version,commit,plan,command\r\n" +
		"ann,false,60.0,33.3,\"crash 2, hung 1: exit code 1: KeyError: " +
		"3\",cups/exam-1,1.2,c0ffee,2a9a,hexarena cup ann\r\n" +
		"'+bob,false,,,\"no file, nothing\",,,,,\r\n"
	if got.String() != want {
		t.Errorf("the CSV is\n%s\nwant\n%s", &got, want)
	}
}

// A remark tells forfeits and their reason, as far as there are any, and a table has its first line.
func TestRemark(t *testing.T) {
	crashed := map[string]int{"crash": 2}
	for _, tt := range []struct {
		r          Result
		want, line string
	}{
		{Result{Forfeits: crashed, Error: "exit code 1"}, "crash 2: exit code 1", "crash 2: exit code 1"},
		{Result{Forfeits: crashed}, "crash 2", "crash 2"},
		{Result{Error: "bob was in none"}, "bob was in none", "bob was in none"},
		{Result{Problem: "no build\nx.c:1"}, "no build\nx.c:1", "no build"},
		{Result{}, "", ""},
	} {
		if got, line := tt.r.Remark(), tt.r.RemarkLine(); got != tt.want || line != tt.line {
			t.Errorf("%+v: %q, %q", tt.r, got, line)
		}
	}
}
