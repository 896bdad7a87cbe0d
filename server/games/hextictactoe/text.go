package hextictactoe

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games"
)

// textLegend explains the grid. It is the same for every state.
const textLegend = `cell: . free, x and o pieces, X and O those of the last move. Neighbours: left and
right in the row, and two in the rows above and below. The board goes on without end.
`

// margin is how far a grid goes beyond the pieces: as far as a row of six can be continued by the
// two pieces of a move, and a cell more.
const margin = 3

// maxText is the greatest number of half cells and of rows that are shown, since pieces may lie far
// apart: more than a screen holds.
const maxText = 400

// text implements games.Game.Text: the part of the board with pieces, and what else a player needs.
func text(m *games.Match, state []byte) (string, error) {
	var s struct {
		Board struct {
			Cells []struct {
				hexgrid.Coord
				P string `json:"p"`
			} `json:"cells"`
		} `json:"board"`
		ToMove   string `json:"to_move"`
		Previous []struct {
			Side   string          `json:"side"`
			Pieces []hexgrid.Coord `json:"pieces"`
		} `json:"previous"`
		Move         int               `json:"move"`
		Clocks       map[string]*int64 `json:"clocks"`
		Status       string            `json:"status"`
		Reason       string            `json:"reason"`
		ViewDistance int               `json:"view_distance"`
		WinDistance  int               `json:"win_distance"`
		TurnLimit    int               `json:"turn_limit"`
	}
	if err := json.Unmarshal(state, &s); err != nil {
		return "", fmt.Errorf("state: %w", err)
	}
	if len(s.Board.Cells) == 0 {
		return "", errors.New("state: board.cells has no pieces")
	}
	marks, last := map[hexgrid.Coord]string{}, "none"
	var pieces []hexgrid.Coord
	for _, c := range s.Board.Cells {
		marks[c.Coord] = c.P
		pieces = append(pieces, c.Coord)
	}
	cells, err := around(pieces)
	if err != nil {
		return "", err
	}
	if n := len(s.Previous); n > 0 {
		last = s.Previous[n-1].Side
		for _, c := range s.Previous[n-1].Pieces {
			marks[c] = strings.ToUpper(marks[c])
			last += fmt.Sprintf(" %d,%d", c.Q, c.R)
		}
	}
	grid, err := games.Grid(cells, 1, func(i int) string {
		if mark := marks[cells[i]]; mark != "" {
			return mark
		}
		return "."
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(grid + textLegend)
	for id, name := range m.Names {
		fmt.Fprintf(&b, "%s: player_id %d (%s)", [sides]string{"x", "o"}[id], id, name)
		if left := s.Clocks[[sides]string{"x", "o"}[id]]; left != nil {
			fmt.Fprintf(&b, ", %d ms left", *left)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "move %d of %d, %s, last move: %s\n",
		s.Move, s.TurnLimit, status(s.Status, s.Reason, s.ToMove), last)
	fmt.Fprintf(&b, "a piece is at most %d from another one; %d in a row win\n", s.ViewDistance,
		s.WinDistance)
	return b.String(), nil
}

// around returns the cells of the rectangle that holds the pieces, with a margin.
func around(pieces []hexgrid.Coord) (cells []hexgrid.Coord, err error) {
	box := maps.Extent(pieces).Inset(-margin)
	box.Min.X, box.Max.X = box.Min.X-margin, box.Max.X+margin // a cell has two halves
	if box.Dx() > maxText || box.Dy() > maxText {
		return nil, fmt.Errorf("the pieces span %d half cells and %d rows; text shows at most %d of each",
			box.Dx(), box.Dy(), maxText)
	}
	for r := box.Min.Y; r <= box.Max.Y; r++ {
		for x := box.Min.X + (box.Min.X+r)&1; x <= box.Max.X; x += 2 {
			cells = append(cells, hexgrid.Coord{Q: (x - r) / 2, R: r})
		}
	}
	return cells, nil
}

// status returns how a game stands: its status, or the side to move.
func status(status, reason, toMove string) string {
	if status == "in_progress" {
		return toMove + " is to move"
	}
	if strings.HasPrefix(reason, status) { // such as "draw: turn limit"
		return reason
	}
	return strings.TrimSpace(status + " " + reason)
}
