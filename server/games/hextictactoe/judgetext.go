package hextictactoe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hextictactoe/analysis"
)

// writeJudgement judges the game and writes what comes of it: lines of text or of JSON for the
// judge and for each move, as it is judged, or one JSON object at the end.
func writeJudgement(
	ctx context.Context, j *games.Judgement, g *analysis.Game, o analysis.Options,
) error {
	out := json.NewEncoder(j.Out)
	o.Begun = func(who *analysis.Judge) {
		switch {
		case j.Lines:
			_ = out.Encode(map[string]*analysis.Judge{"judge": who}) // a reader that is gone needs no answer
		case !j.JSON:
			writeJudge(j.Out, who)
		}
	}
	judged, total := 0, len(o.Moves)
	if o.Moves == nil {
		total = len(g.Moves)
	}
	o.Answered = func() {
		if j.Progress != nil {
			j.Progress(judged, total)
		}
	}
	blunders := map[string]int{}
	o.Judged = func(m *analysis.Move) {
		judged++
		if m.Blunder {
			blunders[m.Side]++
		}
		switch {
		case j.Lines:
			_ = out.Encode(m)
		case !j.JSON:
			fmt.Fprintln(j.Out, moveText(m))
		}
		o.Answered()
	}
	r, err := analysis.Run(ctx, g, o)
	switch {
	case r == nil || j.Lines:
	case j.JSON:
		if err := out.Encode(r); err != nil {
			return fmt.Errorf("write the analysis: %w", err)
		}
	default:
		fmt.Fprintf(j.Out, "%d of %d moves judged; blunders: x %d, o %d\n", len(r.Moves), len(g.Moves),
			blunders["x"], blunders["o"])
	}
	return err
}

// writeJudge writes which bot judges, and what it lacks.
func writeJudge(w io.Writer, j *analysis.Judge) {
	fmt.Fprintf(w, "judge: %s at %s\n", printable(j.Name), printable(j.Address))
	for _, f := range j.Features {
		if !f.Declared {
			fmt.Fprintf(w, "  without %s: %s\n", f.Name, f.Effect)
		}
	}
	fmt.Fprintf(w, "%4s    %-16s %-8s %-8s %-16s %s\n", "move", "played", "before", "after",
		"judge plays", "then")
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
	text := fmt.Sprintf("%4d %-1s  %-16s %-8s %-8s %-16s %-8s %s",
		m.Number, m.Side, analysis.CellsText(m.Pieces), evaluationText(m.Before),
		evaluationText(m.After), preferred, instead, mark+printable(m.Note))
	text = strings.TrimRight(text, " ")
	if len(m.Line) > 0 {
		var line []string
		for _, move := range m.Line {
			line = append(line, analysis.CellsText(move))
		}
		text += "\n        the judge goes on: " + strings.Join(line, " ")
	}
	return text
}

// evaluationText returns an evaluation as the table has it.
func evaluationText(e *htttx.Evaluation) string {
	switch {
	case e == nil:
		return "-"
	case e.WinIn != nil && *e.WinIn > 0:
		return fmt.Sprintf("x in %d", *e.WinIn)
	case e.WinIn != nil && *e.WinIn < 0:
		return fmt.Sprintf("o in %d", -*e.WinIn)
	case e.Heuristic != nil:
		return textutil.Minus(fmt.Sprintf("%+.3g", *e.Heuristic))
	}
	return "-"
}

// printable returns text that may come from a bot, without what would steer a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
