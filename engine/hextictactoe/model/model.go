// Package model implements the rules of hexagonal tic-tac-toe slowly and plainly, for tests that
// compare it with the clever implementation. It shares nothing with that but coordinates.
package model

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Model is one game. It scans all pieces for every question and leaves all JSON to encoding/json.
type Model struct {
	options  options
	pieces   map[hexgrid.Coord]string
	order    []Piece
	toMove   string
	moves    int
	left     map[string]int64 // microseconds
	previous []Move
	status   string
	reason   string
	row      map[hexgrid.Coord]bool // cells of the winning rows
}

// options are what recordings keep of the options of a game, as far as states show them too.
type options struct {
	View  int   `json:"view_distance"`
	Win   int   `json:"win_distance"`
	Limit int   `json:"turn_limit"`
	Clock Clock `json:"clock"`
}

// New returns the game with the options that a recording keeps as JSON, which are known to be
// valid. It is a draw after turns moves, unless the options say after how many.
func New(text []byte, turns int) *Model {
	m := &Model{
		pieces: map[hexgrid.Coord]string{}, toMove: "o", status: "in_progress",
		row: map[hexgrid.Coord]bool{},
	}
	position := struct {
		Setup *struct {
			ToMove string  `json:"to_move"`
			Cells  []Piece `json:"cells"`
		} `json:"setup"`
	}{}
	for _, into := range []any{&m.options, &position} {
		if err := json.Unmarshal(text, into); err != nil {
			panic(err)
		}
	}
	if m.options.Limit == 0 {
		m.options.Limit = turns
	}
	base := 1000 * m.options.Clock.Base
	m.left = map[string]int64{"x": base, "o": base}
	if position.Setup == nil {
		m.put(hexgrid.Coord{}, "x")
		return m
	}
	m.toMove = position.Setup.ToMove
	for _, p := range position.Setup.Cells {
		m.put(hexgrid.Coord(p.Cell), p.P)
	}
	return m
}

func (m *Model) put(c hexgrid.Coord, p string) {
	m.pieces[c] = p
	m.order = append(m.order, Piece{Cell(c), p})
}

func (m *Model) other() string { return map[string]string{"x": "o", "o": "x"}[m.toMove] }

// Step plays the first answer of the side to move to the newest turn that it answered, if there is
// one. A side that has left forfeits, also while the other one is to move.
func (m *Model) Step(inputs []engine.Input) {
	if m.Over() {
		return
	}
	var counts *engine.Input
	gone := ""
	for i, in := range inputs {
		switch {
		case in.Player == player(m.toMove):
			if counts == nil || in.Turn > counts.Turn {
				counts = &inputs[i]
			}
		case in.Player == player(m.other()) && in.Lapse == engine.Gone:
			gone = m.other()
		}
	}
	if counts != nil {
		m.answer(counts)
	}
	if gone != "" && !m.Over() {
		m.toMove = gone
		m.forfeit("left")
	}
}

// answer plays the answer of the side to move.
func (m *Model) answer(in *engine.Input) {
	if lapse, ok := map[engine.Lapse]string{
		engine.TimedOut: "out of time", engine.Gone: "left", engine.Malformed: "unreadable answer",
	}[in.Lapse]; ok {
		if in.Lapse == engine.TimedOut {
			m.left[m.toMove] = 0
		}
		m.forfeit(lapse)
		return
	}
	clock := m.options.Clock
	if clock.Type != "none" && in.Micros > m.left[m.toMove] {
		m.left[m.toMove] = 0
		m.forfeit("out of time")
		return
	}
	if clock.Type == "match" || clock.Type == "incremental" {
		m.left[m.toMove] += 1000*clock.Increment - in.Micros
	}
	cells, why := m.parse(in.Actions)
	if why == "" {
		why = m.move(cells)
	}
	if why != "" {
		m.forfeit(why)
	}
}

func (m *Model) forfeit(why string) {
	m.status, m.reason = m.other()+"_wins", "forfeit: "+why
}

// parse parses actions as documented.
func (m *Model) parse(actions []byte) (cells []hexgrid.Coord, why string) {
	var list []json.RawMessage
	if json.Unmarshal(actions, &list) != nil || list == nil {
		return nil, "unreadable answer"
	}
	if len(list) != 1 {
		return nil, map[bool]string{true: "no move", false: "more than one move"}[len(list) == 0]
	}
	var action map[string]json.RawMessage
	var pieces []json.RawMessage
	if json.Unmarshal(list[0], &action) != nil || json.Unmarshal(action["pieces"], &pieces) != nil ||
		pieces == nil {
		return nil, "malformed move"
	}
	for i, text := range pieces {
		var p map[string]any
		if json.Unmarshal(text, &p) != nil {
			p = nil
		}
		q, okQ := p["q"].(float64)
		r, okR := p["r"].(float64)
		if i == 2 {
			return nil, "a move is two pieces"
		}
		if !okQ || !okR || q != math.Trunc(q) || r != math.Trunc(r) || math.Abs(q) > 1<<31-1 ||
			math.Abs(r) > 1<<31-1 {
			return nil, "malformed move"
		}
		cells = append(cells, hexgrid.Coord{Q: int(q), R: int(r)})
	}
	if len(cells) == 0 {
		return nil, "a move is two pieces"
	}
	return cells, ""
}

// move places the cells if they are a legal move.
func (m *Model) move(cells []hexgrid.Coord) (why string) {
	done := Move{Side: m.toMove}
	before := len(m.order)
	for _, c := range cells {
		if why = m.fault(c); why != "" {
			break
		}
		m.put(c, m.toMove)
		done.Pieces = append(done.Pieces, Cell(c))
		if m.findRows(); len(m.row) > 0 {
			break
		}
	}
	if why == "" && len(done.Pieces) == 1 && len(m.row) == 0 {
		why = "one piece that does not win"
	}
	if why != "" { // the whole move is void
		for _, p := range m.order[before:] {
			delete(m.pieces, hexgrid.Coord(p.Cell))
		}
		m.order = m.order[:before]
		return why
	}
	m.previous = append(m.previous, done)
	m.moves++
	if len(m.row) > 0 {
		m.status, m.reason = m.toMove+"_wins", "win: a row complete"
	} else if m.options.Limit > 0 && m.moves == m.options.Limit {
		m.status, m.reason = "draw", "draw: turn limit"
	}
	m.toMove = m.other()
	return ""
}

func (m *Model) fault(c hexgrid.Coord) string {
	near := false
	for p := range m.pieces {
		near = near || hexgrid.Distance(p, c) <= m.options.View
	}
	_, taken := m.pieces[c]
	switch {
	case max(c.Q, -c.Q, c.R, -c.R) > 1<<29:
		return "beyond the edge of the board"
	case taken:
		return "cell occupied"
	case !near:
		return "too far from every piece"
	}
	return ""
}

// findRows searches from every piece in every direction.
func (m *Model) findRows() {
	for start, side := range m.pieces {
		for _, d := range hexgrid.Dirs {
			row := []hexgrid.Coord{start}
			for c := start.Step(d); m.pieces[c] == side; c = c.Step(d) {
				row = append(row, c)
			}
			if len(row) >= m.options.Win {
				for _, c := range row {
					m.row[c] = true
				}
			}
		}
	}
}

// Over reports whether the game is over.
func (m *Model) Over() bool { return m.status != "in_progress" }

// Reason returns why the game is over; empty if it is not.
func (m *Model) Reason() string { return m.reason }

// Awaited returns the player that is to move, or engine.NoPlayer after the end.
func (m *Model) Awaited() engine.PlayerID {
	if m.Over() {
		return engine.NoPlayer
	}
	return player(m.toMove)
}

// Left returns the microseconds that the side to move has for its move; 0 without a clock.
func (m *Model) Left() int64 { return m.left[m.toMove] }

// Winner returns the player that has won, or engine.NoPlayer.
func (m *Model) Winner() engine.PlayerID {
	switch m.status {
	case "x_wins":
		return player("x")
	case "o_wins":
		return player("o")
	}
	return engine.NoPlayer
}

// player returns the player with a side.
func player(side string) engine.PlayerID {
	return engine.PlayerID(slices.Index([]string{"x", "o"}, side))
}
