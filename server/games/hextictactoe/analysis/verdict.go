package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// Move is a move and the judge's opinion of it.
type Move struct {
	Number int               `json:"move"` // from 1
	Side   string            `json:"side"`
	Pieces []htttx.Cell      `json:"pieces"`
	Won    bool              `json:"won,omitempty"`    // it decided the game
	Before *htttx.Evaluation `json:"before,omitempty"` // of the position that it was made in
	After  *htttx.Evaluation `json:"after,omitempty"`  // of the position that it led to
	Best   bool              `json:"best,omitempty"`   // the judge would have played the same
	// what the judge would have played, if it is something else
	Preferred []htttx.Cell      `json:"preferred,omitempty"`
	Instead   *htttx.Evaluation `json:"instead,omitempty"` // of the position that this leads to
	// what the judge would play in place of this move, and then for both sides in turn
	Line [][]htttx.Cell `json:"line,omitempty"`
	// what the side would play if it could move again
	Threat    []htttx.Cell `json:"threat,omitempty"`
	MissedWin []htttx.Cell `json:"missed_win,omitempty"` // a move that would have won at once
	// for the side that made it, of 2 from won to lost
	Loss    *float64 `json:"loss,omitempty"`
	Blunder bool     `json:"blunder,omitempty"`
	Note    string   `json:"note,omitempty"`
}

// score returns an evaluation, which may be nil, for a side, from -1, lost, to 1, won; ok is false
// if the judge did not say.
func score(e *htttx.Evaluation, side string) (s float64, ok bool) {
	switch {
	case e == nil:
		return 0, false
	case e.WinIn != nil && *e.WinIn != 0:
		s = float64(min(max(*e.WinIn, -1), 1))
	case e.Heuristic != nil:
		s = min(max(*e.Heuristic, -1), 1)
	default:
		return 0, false
	}
	if side == htttx.Circle.String() {
		s = -s
	}
	return s, true
}

// winIn returns in how many moves a side wins, below 0 if it loses, 0 if that is unknown.
func winIn(e *htttx.Evaluation, side string) int32 {
	if e == nil || e.WinIn == nil {
		return 0
	}
	if side == htttx.Circle.String() {
		return -*e.WinIn
	}
	return *e.WinIn
}

// wonBy returns the evaluation of a position that a side has won.
func wonBy(side htttx.Side) *htttx.Evaluation {
	h := 1.0
	if side == htttx.Circle {
		h = -1
	}
	return &htttx.Evaluation{Heuristic: &h}
}

// same reports whether two moves place the same pieces.
func same(a, b []htttx.Cell) bool {
	return len(a) == len(b) &&
		!slices.ContainsFunc(a, func(c htttx.Cell) bool { return !slices.Contains(b, c) })
}

// take keeps the opinions on the positions before and after the move.
func (m *Move) take(before, after *opinion) {
	m.Before, m.After = before.eval, after.eval
	switch {
	case before.fault != "":
		m.Note = before.fault
	case after.fault != "":
		m.Note = after.fault
	}
}

// judge rates the move. It compares the position after the move with the judge's
// evaluation before it, or after the move that the judge prefers if that is better.
func (m *Move) judge(blunder float64) {
	after, known := score(m.After, m.Side)
	best, some := score(m.Before, m.Side)
	if other, ok := score(m.Instead, m.Side); ok && (!some || other > best) {
		best, some = other, true
	}
	if known && some && !m.Won {
		loss := max(0, best-after)
		m.Loss = &loss
		m.Blunder = loss >= blunder
	}
	m.Blunder = m.Blunder || m.MissedWin != nil
	var notes []string
	if m.Note != "" {
		notes = append(notes, m.Note)
	}
	switch before, after := winIn(m.Before, m.Side), winIn(m.After, m.Side); {
	case m.Won:
		notes = append(notes, "wins")
	case m.MissedWin != nil:
		notes = append(notes, "misses a win in one: "+CellsText(m.MissedWin))
	case before > 0 && after <= 0:
		notes = append(notes, fmt.Sprintf("lets a win in %d go", before))
	case after < 0 && before >= 0:
		notes = append(notes, fmt.Sprintf("loses in %d", -after))
	}
	if m.Threat != nil {
		notes = append(notes, "threatens "+CellsText(m.Threat))
	}
	m.Note = strings.Join(notes, "; ")
}

// CellsText returns cells as the notation writes them.
func CellsText(cells []htttx.Cell) string {
	var b strings.Builder
	for _, c := range cells {
		fmt.Fprintf(&b, "[%d,%d]", c.Q, c.R)
	}
	return b.String()
}
