package hextictactoe

import "strconv"

// count adds a placed piece to the tallies and to the text of the cells.
func (g *Game) count(p Piece) {
	g.pieces[p.Side-X]++
	if len(g.cells) > 0 {
		g.cells = append(g.cells, ',')
	}
	g.cells = appendCoord(append(g.cells, '{'), p.Coord)
	g.cells = append(g.cells, `,"p":"`...)
	g.cells = append(g.cells, p.Side.String()...)
	g.cells = append(g.cells, `"}`...)
}

// AppendState implements engine.Game.
func (g *Game) AppendState(b []byte) []byte {
	b = append(b, `{"board":{"cells":[`...)
	b = append(b, g.cells...)
	b = g.appendNews(append(b, `]}`...))
	b = append(b, `,"view_distance":`...)
	b = strconv.AppendInt(b, int64(g.options.ViewDistance), 10)
	b = append(b, `,"win_distance":`...)
	b = strconv.AppendInt(b, int64(g.options.WinDistance), 10)
	b = append(b, `,"turn_limit":`...)
	b = strconv.AppendInt(b, int64(g.limit), 10)
	b = append(b, `,"clock":{"type":"`...)
	b = append(b, g.options.Clock.Kind...)
	b = append(b, `","base_ms":`...)
	b = strconv.AppendInt(b, g.options.Clock.Base, 10)
	b = append(b, `,"increment_ms":`...)
	b = strconv.AppendInt(b, g.options.Clock.Increment, 10)
	return append(b, `}}`...)
}

// AppendDelta implements engine.Game: it appends the new pieces of the board and the other
// fields that can change.
func (g *Game) AppendDelta(b []byte) []byte {
	fresh := g.cells[g.text:]
	if len(fresh) > 0 && fresh[0] == ',' {
		fresh = fresh[1:]
	}
	b = append(b, `{"board":{"cells":[`...)
	b = append(b, fresh...)
	b = g.appendNews(append(b, `]}`...))
	return append(b, '}')
}

// appendNews appends the fields that change with each step.
func (g *Game) appendNews(b []byte) []byte {
	b = append(b, `,"to_move":"`...)
	b = append(b, g.toMove.String()...)
	b = append(b, `","previous":[`...)
	for i, first := range g.recent {
		if first.Placed == 0 {
			continue
		}
		if i > 0 && g.recent[0].Placed > 0 {
			b = append(b, ',')
		}
		b = g.recent[i].append(b)
	}
	b = append(b, `],"move":`...)
	b = strconv.AppendInt(b, int64(g.moves), 10)
	b = append(b, `,"clocks":`...)
	b = g.clocks.append(b)
	b = append(b, `,"status":"`...)
	b = append(b, g.status()...)
	b = append(b, `","reason":"`...)
	b = append(b, g.reason...) // needs no escapes
	b = append(b, `","row":`...)
	return appendCoords(b, g.row)
}

// status returns the status of the game in Hivemaker's terms.
func (g *Game) status() string {
	switch {
	case !g.over:
		return "in_progress"
	case g.winner == X:
		return "x_wins"
	case g.winner == O:
		return "o_wins"
	}
	return "draw"
}

func (m *Move) append(b []byte) []byte {
	b = append(b, `{"side":"`...)
	b = append(b, m.Side.String()...)
	b = append(b, `","pieces":`...)
	return append(appendCoords(b, m.Pieces[:m.Placed]), '}')
}

// append appends the time left in whole milliseconds, or null without a clock.
func (c *clocks) append(b []byte) []byte {
	if c.Kind == NoClock {
		return append(b, "null"...)
	}
	b = append(b, `{"x":`...)
	b = strconv.AppendInt(b, c.left[0]/1000, 10)
	b = append(b, `,"o":`...)
	b = strconv.AppendInt(b, c.left[1]/1000, 10)
	return append(b, '}')
}

func appendCoords(b []byte, list []Coord) []byte {
	b = append(b, '[')
	for i, c := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendCoord(append(b, '{'), c), '}')
	}
	return append(b, ']')
}

func appendCoord(b []byte, c Coord) []byte {
	b = append(b, `"q":`...)
	b = strconv.AppendInt(b, int64(c.Q), 10)
	b = append(b, `,"r":`...)
	return strconv.AppendInt(b, int64(c.R), 10)
}
