package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/hexarena/hexarena/server/analysis"
)

// stream judges the game and writes a line of JSON for the judge, and for each move.
func (a *analyse) stream(ctx context.Context, g *analysis.Game) error {
	lines := json.NewEncoder(a.stdout)
	a.Begun = func(j *analysis.Judge) { _ = lines.Encode(map[string]*analysis.Judge{"judge": j}) } // who is gone needs no answer
	a.Judged = func(m *analysis.Move) { _ = lines.Encode(m) }
	_, err := analysis.Run(ctx, g, a.Options)
	return err
}

// tell judges the game and writes what comes of it, each move as it is judged.
func (a *analyse) tell(ctx context.Context, g *analysis.Game) error {
	blunders := map[string]int{}
	done := 0
	said := newProgress(a.stderr, a.path, len(g.Moves))
	a.Begun = func(j *analysis.Judge) {
		if !a.asJSON {
			tellJudge(a.stdout, j)
		}
	}
	a.Judged = func(m *analysis.Move) {
		done++
		if m.Blunder {
			blunders[m.Side]++
		}
		if a.asJSON {
			said.turn(m.Number)
			return
		}
		fmt.Fprintln(a.stdout, moveText(m))
	}
	r, err := analysis.Run(ctx, g, a.Options)
	said.done()
	switch {
	case r != nil && a.asJSON:
		if err := json.NewEncoder(a.stdout).Encode(r); err != nil {
			return fmt.Errorf("write the analysis: %w", err)
		}
	case r != nil:
		fmt.Fprintf(a.stdout, "%d of %d moves judged; blunders: x %d, o %d\n", done, len(g.Moves), blunders["x"], blunders["o"])
	}
	return err
}

// tellJudge says who judges, and what it lacks.
func tellJudge(w io.Writer, j *analysis.Judge) {
	fmt.Fprintf(w, "judge: %s at %s\n", plain(j.Name), plain(j.Address))
	for _, f := range j.Features {
		if !f.Declared {
			fmt.Fprintf(w, "  without %s: %s\n", f.Name, f.Effect)
		}
	}
	fmt.Fprintf(w, "%4s    %-16s %-8s %-8s %-16s %s\n", "move", "played", "before", "after", "judge plays", "then")
}

func moveText(m *analysis.Move) string {
	mark := ""
	if m.Blunder {
		mark = "?? "
	}
	preferred, instead := "", ""
	if m.Preferred != nil {
		preferred, instead = analysis.CellsText(m.Preferred), evaluationText(m.Instead)
	}
	text := fmt.Sprintf("%4d %-1s  %-16s %-8s %-8s %-16s %-8s %s", m.Number, m.Side, analysis.CellsText(m.Pieces),
		evaluationText(m.Before), evaluationText(m.After), preferred, instead, mark+plain(m.Note))
	return strings.TrimRight(text, " ")
}

// evaluationText is an evaluation as a table has it.
func evaluationText(e *analysis.Evaluation) string {
	switch {
	case e == nil:
		return "-"
	case e.WinIn != nil && *e.WinIn > 0:
		return fmt.Sprintf("x in %d", *e.WinIn)
	case e.WinIn != nil && *e.WinIn < 0:
		return fmt.Sprintf("o in %d", -*e.WinIn)
	case e.Heuristic != nil:
		return fmt.Sprintf("%+.3g", *e.Heuristic)
	}
	return "-"
}
