package hextictactoe

import (
	"encoding/json"
	"math"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// model implements the same rules slowly and plainly: it scans all pieces for every
// question and leaves all JSON to encoding/json.
type model struct {
	Options
	limit    int
	pieces   map[Coord]string
	order    []modelPiece
	toMove   string
	moves    int
	left     map[string]int64 // microseconds
	previous []modelMove
	status   string
	reason   string
	row      map[Coord]bool // cells of the winning rows
}

type modelCell struct {
	Q int `json:"q"`
	R int `json:"r"`
}

type modelPiece struct {
	modelCell
	P string `json:"p"`
}

type modelMove struct {
	Side   string      `json:"side"`
	Pieces []modelCell `json:"pieces"`
}

// modelState is a parsed state; the order of the row's cells does not matter.
type modelState struct {
	Board struct {
		Cells []modelPiece `json:"cells"`
	} `json:"board"`
	ToMove   string           `json:"to_move"`
	Previous []modelMove      `json:"previous"`
	Move     int              `json:"move"`
	Clocks   map[string]int64 `json:"clocks"`
	Status   string           `json:"status"`
	Reason   string           `json:"reason"`
	Row      []modelCell      `json:"row"`
	View     int              `json:"view_distance"`
	Win      int              `json:"win_distance"`
	Limit    int              `json:"turn_limit"`
	Clock    struct {
		Type      string `json:"type"`
		Base      int64  `json:"base_ms"`
		Increment int64  `json:"increment_ms"`
	} `json:"clock"`
}

func newModel(o Options, turns int) *model {
	m := &model{Options: o, limit: o.TurnLimit, pieces: map[Coord]string{}, toMove: "o", status: "in_progress", row: map[Coord]bool{}}
	if m.limit == 0 {
		m.limit = turns
	}
	m.left = map[string]int64{"x": 1000 * o.Clock.Base, "o": 1000 * o.Clock.Base}
	if o.Setup == nil {
		m.put(Coord{}, "x")
		return m
	}
	m.toMove = o.Setup.ToMove.String()
	for _, p := range o.Setup.Pieces {
		m.put(p.Coord, p.Side.String())
	}
	return m
}

func (m *model) put(c Coord, p string) {
	m.pieces[c] = p
	m.order = append(m.order, modelPiece{modelCell(c), p})
}

func (m *model) other() string { return map[string]string{"x": "o", "o": "x"}[m.toMove] }

// step plays the answer of the side to move.
func (m *model) step(in engine.Input) {
	if m.status != "in_progress" {
		return
	}
	if lapse, ok := map[engine.Lapse]string{
		engine.TimedOut: "out of time", engine.Gone: "left", engine.Malformed: "unreadable answer",
	}[in.Lapse]; ok {
		if in.Lapse == engine.TimedOut {
			m.left[m.toMove] = 0
		}
		m.forfeit(lapse)
		return
	}
	if k := m.Clock.Kind; k != NoClock && in.Micros > m.left[m.toMove] {
		m.left[m.toMove] = 0
		m.forfeit("out of time")
		return
	} else if k == MatchClock || k == Incremental {
		m.left[m.toMove] += 1000*m.Clock.Increment - in.Micros
	}
	cells, why := m.parse(in.Actions)
	if why != "" {
		m.forfeit(why)
		return
	}
	if why = m.move(cells); why != "" {
		m.forfeit(why)
	}
}

func (m *model) forfeit(why string) {
	m.status, m.reason = m.other()+"_wins", "forfeit: "+why
}

// parse parses actions as documented.
func (m *model) parse(actions []byte) (cells []Coord, why string) {
	var list []json.RawMessage
	if json.Unmarshal(actions, &list) != nil || list == nil {
		return nil, "unreadable answer"
	}
	if len(list) != 1 {
		return nil, map[bool]string{true: "no move", false: "more than one move"}[len(list) == 0]
	}
	var action map[string]json.RawMessage
	var pieces []json.RawMessage
	if json.Unmarshal(list[0], &action) != nil || json.Unmarshal(action["pieces"], &pieces) != nil || pieces == nil {
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
		if !okQ || !okR || q != math.Trunc(q) || r != math.Trunc(r) || math.Abs(q) > 1<<31-1 || math.Abs(r) > 1<<31-1 {
			return nil, "malformed move"
		}
		cells = append(cells, Coord{Q: int(q), R: int(r)})
	}
	if len(cells) == 0 {
		return nil, "a move is two pieces"
	}
	return cells, ""
}

// move places the cells if they are a legal move.
func (m *model) move(cells []Coord) (why string) {
	done := modelMove{Side: m.toMove}
	before := len(m.order)
	for _, c := range cells {
		if why = m.fault(c); why != "" {
			break
		}
		m.put(c, m.toMove)
		done.Pieces = append(done.Pieces, modelCell(c))
		if m.findRows(); len(m.row) > 0 {
			break
		}
	}
	if why == "" && len(done.Pieces) == 1 && len(m.row) == 0 {
		why = "one piece that does not win"
	}
	if why != "" { // the whole move is void
		for _, p := range m.order[before:] {
			delete(m.pieces, Coord(p.modelCell))
		}
		m.order = m.order[:before]
		return why
	}
	m.previous = append(m.previous, done)
	m.moves++
	if len(m.row) > 0 {
		m.status, m.reason = m.toMove+"_wins", "win: a row complete"
	} else if m.limit > 0 && m.moves == m.limit {
		m.status, m.reason = "draw", "draw: turn limit"
	}
	m.toMove = m.other()
	return ""
}

func (m *model) fault(c Coord) string {
	near := false
	for p := range m.pieces {
		near = near || hexgrid.Distance(p, c) <= m.ViewDistance
	}
	_, taken := m.pieces[c]
	switch {
	case c.Q > MaxCoord || c.Q < -MaxCoord || c.R > MaxCoord || c.R < -MaxCoord:
		return "beyond the edge of the board"
	case taken:
		return "cell occupied"
	case !near:
		return "too far from every piece"
	}
	return ""
}

// findRows searches from every piece in every direction.
func (m *model) findRows() {
	for start, side := range m.pieces {
		for _, d := range hexgrid.Dirs {
			row := []Coord{start}
			for c := start.Step(d); m.pieces[c] == side; c = c.Step(d) {
				row = append(row, c)
			}
			if len(row) >= m.WinDistance {
				for _, c := range row {
					m.row[c] = true
				}
			}
		}
	}
}

func (m *model) state() (s modelState) {
	s.Board.Cells = m.order
	s.ToMove, s.Move, s.Status, s.Reason = m.toMove, m.moves, m.status, m.reason
	s.Previous = append([]modelMove{}, m.previous[max(0, len(m.previous)-2):]...)
	if m.Clock.Kind != NoClock {
		s.Clocks = map[string]int64{"x": m.left["x"] / 1000, "o": m.left["o"] / 1000}
	}
	s.Row = []modelCell{}
	for c := range m.row {
		s.Row = append(s.Row, modelCell(c))
	}
	s.View, s.Win, s.Limit = m.ViewDistance, m.WinDistance, m.limit
	s.Clock.Type, s.Clock.Base, s.Clock.Increment = string(m.Clock.Kind), m.Clock.Base, m.Clock.Increment
	return s
}
