package picture

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
)

// position holds the visible part of a state of hexagonal tic-tac-toe.
type position struct {
	Board struct {
		Cells []positionPiece `json:"cells"`
	} `json:"board"`
	ToMove   string `json:"to_move"`
	Previous []struct {
		Pieces []hextictactoe.Coord `json:"pieces"`
	} `json:"previous"`
	Move int `json:"move"`
	// the time left in milliseconds; nil without a clock
	Clocks       map[string]*int64    `json:"clocks"`
	Status       string               `json:"status"`
	Row          []hextictactoe.Coord `json:"row"`
	ViewDistance int                  `json:"view_distance"`
	WinDistance  int                  `json:"win_distance"`
	TurnLimit    int                  `json:"turn_limit"`
}

type positionPiece struct {
	hextictactoe.Coord
	P    string `json:"p"`
	side hextictactoe.Side
}

func parsePosition(state []byte) (*position, error) {
	s := &position{}
	if err := json.Unmarshal(state, s); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if len(s.Board.Cells) == 0 {
		return nil, errors.New("state: board.cells has no pieces")
	}
	for i := range s.Board.Cells {
		p := &s.Board.Cells[i]
		side, ok := hextictactoe.ParseSide(p.P)
		if !ok {
			return nil, fmt.Errorf("state: piece %d has p %.20q, it must be x or o", i, p.P)
		}
		if !hextictactoe.OnBoard(p.Coord) {
			return nil, fmt.Errorf("state: piece %d is at %d,%d, beyond the limit of %d", i, p.Q, p.R,
				hextictactoe.MaxCoord)
		}
		p.side = side
	}
	if d := s.ViewDistance; d < 1 || d > hextictactoe.MaxDistance {
		return nil, fmt.Errorf("state: view_distance %d is not from 1 to %d", d, hextictactoe.MaxDistance)
	}
	if d := s.WinDistance; d < 2 || d > hextictactoe.MaxDistance {
		return nil, fmt.Errorf("state: win_distance %d is not from 2 to %d", d, hextictactoe.MaxDistance)
	}
	return s, nil
}

// ahead reports whether a side is to move or has won.
func (s *position) ahead(side hextictactoe.Side) bool {
	if s.Status == "in_progress" {
		return s.ToMove == side.String()
	}
	return s.Status == side.String()+"_wins"
}

// faded returns a function that reports whether a piece is drawn faded: once the game is won,
// all pieces except those of the winning rows and the last moves.
func (s *position) faded() func(hextictactoe.Coord) bool {
	bright := map[hextictactoe.Coord]bool{}
	for _, c := range s.Row {
		bright[c] = true
	}
	for _, m := range s.Previous {
		for _, c := range m.Pieces {
			bright[c] = true
		}
	}
	return func(c hextictactoe.Coord) bool { return len(s.Row) > 0 && !bright[c] }
}

// runs returns the ends of the straight lines of at least that many cells.
func runs(cells []hextictactoe.Coord, least int) (found [][2]hextictactoe.Coord) {
	cells = slices.Clone(cells) // a cell may be in several rows
	slices.SortFunc(cells, hextictactoe.Coord.Compare)
	cells = slices.Compact(cells)
	has := map[hextictactoe.Coord]bool{}
	for _, c := range cells {
		has[c] = true
	}
	for _, axis := range []hexgrid.Dir{hexgrid.XPlus, hexgrid.YPlus, hexgrid.ZPlus} {
		for _, c := range cells {
			if has[c.Step(axis.Opposite())] {
				continue
			}
			end, n := c, 1
			for has[end.Step(axis)] {
				end = end.Step(axis)
				n++
			}
			if n >= least {
				found = append(found, [2]hextictactoe.Coord{c, end})
			}
		}
	}
	return found
}
