package why_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/why"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/result"
)

// cup returns a cup of which matches 0 to 5, 12 and 13 are recorded. Of those that both bots
// played, they are furthest apart in match 3.
func cup(t *testing.T) *archive.Cup {
	t.Helper()
	p := cuptest.Plan(plan.RoundRobin, 2, 2)
	rows := cuptest.Rows(p, 20)
	for _, row := range rows {
		clear(row.Forfeits) // all empty
	}
	rows[3].Scores, rows[3].Forfeits[0] = []int64{-500, 500}, "crash"
	rows[4].Scores, rows[4].Forfeits[1] = []int64{-900, 900}, "absent"
	rows[5].Scores, rows[5].Forfeits[0] = []int64{-900, 900}, "unstarted"
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Whole, rows)
	for k := range 6 {
		if err := os.WriteFile(filepath.Join(dir, "matches", fmt.Sprint(k, ".hexarena")), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// asked records what bots were asked, and has those in differs answer otherwise in TURN 7 when they
// are shown what another player was shown, or always.
func asked(
	log *[]string, differs string,
) func(context.Context, string, string, int) (*rerun.Report, error) {
	return func(_ context.Context, bot, path string, player int) (*rerun.Report, error) {
		*log = append(*log, fmt.Sprintf("%s %s", bot, filepath.Base(path)))
		r := &rerun.Report{Compared: 99}
		if bot == differs || differs == "all" && len(*log) > 2 {
			r.Differences = []rerun.Difference{{Turn: 7, Recorded: `["a"]`, Answered: `["b"]`}, {Turn: 9}}
		}
		return r, nil
	}
}

// reported returns a report that names its recording, and a turn that names the players.
func reported(
	_ context.Context, path string, a, b engine.PlayerID,
) (*result.Report, []result.Decision, error) {
	decided := []result.Decision{{Turn: 7, About: []string{fmt.Sprint(a, b)}}}
	return &result.Report{Digest: filepath.Base(path)}, decided, nil
}

// Bots that answer as they did are compared with each other, in the matches in which they were
// furthest apart.
func TestFirstTurn(t *testing.T) {
	c := cup(t)
	a, b := c.Plan.Bots[0].Name, c.Plan.Bots[1].Name
	var log []string
	answer, err := why.Explain(t.Context(), why.Options{Cup: c, A: a, B: b, Ask: asked(&log, "all"), Report: reported})
	if err != nil || answer.Unsteady != "" || len(answer.Turns) != 3 || len(answer.Matches) != 5 {
		t.Fatalf("the answer is %+v, %v", answer, err)
	}
	for _, m := range answer.Matches {
		if m.Report.Digest != filepath.Base(m.File) {
			t.Errorf("match %d has the report of %s", m.K, m.Report.Digest)
		}
		winner := map[bool]string{true: a, false: b}[m.RankA < m.RankB]
		if m.RankA == m.RankB {
			winner = ""
		}
		if m.Winner != winner || len(m.Decided) != 1 {
			t.Errorf("match %d was won by %q, want %q; decided by %v", m.K, m.Winner, winner, m.Decided)
		}
	}
	if first := answer.Turns[0]; first.K != 3 || first.Turn != 7 || first.Recorded != `["a"]` ||
		first.Answered != `["b"]` || filepath.Base(first.File) != "3.hexarena" {
		t.Errorf("the first turn is %+v, want turn 7 of match 3", first)
	}
	if want := []string{a + " 3.hexarena", b + " 3.hexarena", b + " 3.hexarena"}; !slices.Equal(log[:3], want) {
		t.Errorf("asked were %q, want %q first", log, want)
	}
}

// A bot that differs from itself is named, and compared with no other.
func TestUnsteady(t *testing.T) {
	c := cup(t)
	for _, bot := range []string{c.Plan.Bots[0].Name, c.Plan.Bots[1].Name} {
		var log []string
		answer, err := why.Explain(t.Context(), why.Options{Cup: c, A: c.Plan.Bots[0].Name, B: c.Plan.Bots[1].Name, Ask: asked(&log, bot), Report: reported})
		if err != nil || answer.Unsteady != bot || answer.Itself.Turn != 7 || len(answer.Turns) > 0 ||
			answer.Matches[0].K != 3 {
			t.Errorf("%s: the answer is %+v, %v", bot, answer, err)
		}
	}
}

// Two bots that answer the same in all turns have no first turn.
func TestSame(t *testing.T) {
	c := cup(t)
	var log []string
	answer, err := why.Explain(t.Context(), why.Options{Cup: c, A: c.Plan.Bots[0].Name, B: c.Plan.Bots[1].Name, Ask: asked(&log, ""), Report: reported})
	if err != nil || answer.Unsteady != "" || answer.Turns[0].Differs() ||
		answer.Turns[0].Compared != 99 {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
}

// Without a recording there is no answer, and a bot that fails is named.
func TestNoAnswer(t *testing.T) {
	c := cup(t)
	a, b := c.Plan.Bots[0].Name, c.Plan.Bots[1].Name
	broken := func(context.Context, string, string, int) (*rerun.Report, error) { return nil, errors.New("it broke") }
	if _, err := why.Explain(t.Context(), why.Options{Cup: c, A: a, B: b, Ask: broken, Report: reported}); err == nil || !strings.Contains(err.Error(), "it broke") {
		t.Errorf("a bot that breaks: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(c.Dir, "matches")); err != nil {
		t.Fatal(err)
	}
	if _, err := why.Explain(t.Context(), why.Options{Cup: c, A: a, B: b, Ask: broken, Report: reported}); err == nil || !strings.Contains(err.Error(), "--keep all") {
		t.Errorf("without recordings: %v", err)
	}
}
