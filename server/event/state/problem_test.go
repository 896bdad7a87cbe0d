package state

import (
	"slices"
	"testing"
)

// What went wrong in the last round is listed by match, then the versions that play no rounds; what
// was before is not.
func TestProblems(t *testing.T) {
	t.Parallel()
	d := newDay(t, "Ann", "Bob", "Carl", "Dora")
	want := func(when string, want ...Problem) {
		t.Helper()
		if got := d.Problems(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	want("before the first round")
	play := func(forfeits ...string) {
		t.Helper()
		for _, teams := range d.round([]int{0, 1, 2}).Matches {
			row := d.row(teams)
			for i, team := range teams {
				if team < len(forfeits) {
					row.Forfeits[i] = forfeits[team]
				}
			}
			d.add(row)
		}
	}
	play("", "crash", "hung")
	list := d.Problems()
	slices.SortFunc(list, func(a, b Problem) int { return a.Team - b.Team })
	if got := []Problem{{1, 1, "crashed"}, {2, 1, "ceased to answer"}}; !slices.Equal(list, got) {
		t.Errorf("after a round: %v, want %v", list, got)
	}
	a, err := d.Versions.Send(3, Upload{Digest: "0123456789abcdef", File: "bot.py"}, 0)
	d.do(a, err)
	play()
	want("while a version waits for its test match")
	a, err = d.Versions.Try(3, "0123456789abcdef", "it printed nothing")
	d.do(a, err)
	want("after its test match",
		Problem{Team: 3, Text: "has sent bot.py, which plays no rounds: it printed nothing"})
	a, err = d.Teams.Remove([]int{3}, true)
	d.do(a, err)
	want("without the team")
}

// The curve of a team has its rating after each of its matches, and ends with the one of now.
func TestCurve(t *testing.T) {
	t.Parallel()
	d := newDay(t, "Ann", "Bob", "Carl")
	for i := range 2 * LastMatches {
		d.play([]int{0, 1, 2}, 0)
		v, _ := d.TeamView(0, rated(d.Standings()))
		if len(v.Curve) != i+1 || v.Curve[i] != v.Rating {
			t.Fatalf("after match %d: %d points that end with %v, rating %v",
				i+1, len(v.Curve), v.Curve[len(v.Curve)-1], v.Rating)
		}
	}
}
