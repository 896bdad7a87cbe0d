package model

import (
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// State is what a state in JSON holds.
type State struct {
	Board struct {
		Cells []Piece `json:"cells"`
	} `json:"board"`
	ToMove   string           `json:"to_move"`
	Previous []Move           `json:"previous"`
	Move     int              `json:"move"`
	Clocks   map[string]int64 `json:"clocks"`
	Status   string           `json:"status"`
	Reason   string           `json:"reason"`
	Row      []Cell           `json:"row"` // in any order
	View     int              `json:"view_distance"`
	Win      int              `json:"win_distance"`
	Limit    int              `json:"turn_limit"`
	Clock    Clock            `json:"clock"`
}

// Cell is a cell.
type Cell struct {
	Q int `json:"q"`
	R int `json:"r"`
}

// Piece is a cell that a side has taken.
type Piece struct {
	Cell
	P string `json:"p"`
}

// Move is a move of a side.
type Move struct {
	Side   string `json:"side"`
	Pieces []Cell `json:"pieces"`
}

// Clock is the time that a side has.
type Clock struct {
	Type      string `json:"type"`
	Base      int64  `json:"base_ms"`
	Increment int64  `json:"increment_ms"`
}

// State returns the state, with the cells of its row sorted. It shares the pieces with the model.
func (m *Model) State() (s State) {
	s.Board.Cells = m.order
	s.ToMove, s.Move, s.Status, s.Reason = m.toMove, m.moves, m.status, m.reason
	s.Previous = append([]Move{}, m.previous[max(0, len(m.previous)-2):]...)
	if m.options.Clock.Type != "none" {
		s.Clocks = map[string]int64{"x": m.left["x"] / 1000, "o": m.left["o"] / 1000}
	}
	s.Row = []Cell{}
	for c := range m.row {
		s.Row = append(s.Row, Cell(c))
	}
	s.Sort()
	s.View, s.Win, s.Limit, s.Clock = m.options.View, m.options.Win, m.options.Limit, m.options.Clock
	return s
}

// Sort sorts the cells of the row, each of which it keeps once.
func (s *State) Sort() {
	slices.SortFunc(s.Row, func(a, b Cell) int { return hexgrid.Coord(a).Compare(hexgrid.Coord(b)) })
	s.Row = slices.Compact(s.Row)
}
