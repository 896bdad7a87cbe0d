package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
)

var (
	textColor  = maps.Hex(0xF3F5F9)
	quietColor = maps.Hex(0xAEB7C7)
	faintColor = maps.Hex(0x828DA1)
	railColor  = maps.Hex(0x1C222E)
	alarmColor = maps.Hex(0xFFB454)
)

// Sizes of the parts around the board.
const (
	minPanel, maxPanel = 24, 38 // columns of the ranking beside the board
	maxBelow           = 8      // rows of the ranking below the board
	minHeight          = 8      // rows for more than the board
)

// draw draws the whole terminal.
func (m *liveModel) draw() string {
	if m.width < 1 || m.height < 1 {
		return ""
	}
	s := newScreen(m.width, m.height, stageColor)
	p := s.all()
	if m.scene == nil {
		m.drawNotes(p)
		return s.encode(m.depth != noColors)
	}
	body := p
	if p.h >= minHeight {
		m.drawHead(p.part(0, 0, p.w, 1))
		m.drawShares(p.part(0, 1, p.w, 1))
		m.drawKeys(p.part(0, p.h-1, p.w, 1))
		body = p.part(0, 2, p.w, p.h-3)
	}
	board, panel, beside, style := m.layOut(body)
	m.board.draw(board, m.scene.state, style)
	if beside {
		m.drawPanel(panel)
	} else {
		m.drawLines(panel)
	}
	return s.encode(m.depth != noColors)
}

// layOut finds the largest scale at which the board fits, with the ranking
// beside it or below.
func (m *liveModel) layOut(p pane) (board, panel pane, beside bool, style boardStyle) {
	style = boardStyle{
		specials: m.scene.specials, marks: m.marks || m.depth == fewColors,
		plain: m.depth == noColors, flat: m.depth != trueColors,
	}
	below := min(len(m.scene.seats), maxBelow, p.h/3)
	above := p.part(0, 0, p.w, p.h-below)
	for _, scale := range []liveScale{large, medium, small} {
		if scale == small && style.plain {
			break
		}
		style.scale = scale
		w, h := m.board.size(scale)
		if width := min(p.w-w-1, maxPanel); width >= minPanel && h <= p.h {
			return p.part(0, 0, p.w-width, p.h), p.part(p.w-width, 0, width, p.h), true, style
		}
		if w <= above.w && h <= above.h {
			return above, p.part(0, p.h-below, p.w, below), false, style
		}
	}
	return above, p.part(0, p.h-below, p.w, below), false, style
}

// drawNotes shows how far the seats are filled.
func (m *liveModel) drawNotes(p pane) {
	m.view.mu.Lock()
	notes := slices.Clone(m.view.notes)
	m.view.mu.Unlock()
	x := p.text(2, 1, "hexarena", pen{fg: textColor, bold: true})
	p.text(x+2, 1, "waiting for the bots", pen{fg: quietColor})
	room := max(0, p.h-4)
	for i, note := range notes[max(0, len(notes)-room):] {
		p.text(2, 3+i, note, pen{fg: faintColor})
	}
}

func (m *liveModel) drawHead(p pane) {
	x := p.text(1, 0, "hexarena", pen{fg: textColor, bold: true})
	x = p.text(x+2, 0, m.view.run.game.Name+" on "+m.view.run.instance.Map, pen{fg: quietColor})
	if m.view.run.suddenDeath {
		p.text(x, 0, ", sudden death", pen{fg: quietColor})
	}
	turn := fmt.Sprintf("turn %d of %d", m.scene.step, m.view.run.turns)
	switch {
	case m.scene.over && m.scene.winner != "":
		turn = m.scene.winner + " wins"
	case m.scene.over:
		turn = "the match is over"
	case m.full && m.rate.value > 0:
		turn = fmt.Sprintf("%.0f turns/s  %s", m.rate.value, turn)
	}
	p.right(p.w-1, 0, "  "+turn, pen{fg: textColor, bold: true})
}

func (m *liveModel) drawKeys(p pane) {
	speed := "full speed"
	if m.full {
		speed = "slower"
	}
	x := 1
	for _, k := range [][2]string{{"f", speed}, {"m", "letters"}, {"q", "stop"}} {
		x = p.text(x, 0, k[0], pen{fg: textColor, bold: true})
		x = p.text(x+1, 0, k[1], pen{fg: faintColor}) + 3
	}
}

// drawShares shows whose the board is, as parts of a bar.
func (m *liveModel) drawShares(p pane) {
	rail := p.part(1, 0, p.w-2, 1)
	rail.fill(0, 0, rail.w, railColor)
	total, sum := len(m.scene.state.Cells), 0
	for id := range m.scene.seats {
		color := hexabomb.ColorOf(engine.PlayerID(id))
		look := lookOf(color, m.scene.specials)
		cells := m.scene.state.CellCount[engine.PlayerID(id)]
		from := sum * rail.w / total
		sum += cells
		n := sum*rail.w/total - from
		rail.fill(from, 0, n, look.Dark.Strong)
		text := fmt.Sprintf(" %s %d%% ", tagOf(color, m.scene.specials), 100*cells/total)
		if len(text) <= n {
			rail.text(from+(n-len(text))/2, 0, text, pen{fg: look.Ink, bold: true})
		}
	}
	from := sum * rail.w / total
	if text := fmt.Sprintf("free %d%%", 100*(total-sum)/total); len(text)+2 <= rail.w-from {
		rail.text(from+(rail.w-from-len(text))/2, 0, text, pen{fg: faintColor})
	}
}

// standing is a seat in the ranking beside the board.
type standing struct {
	liveSeat
	color       hexabomb.Color
	look        maps.Look
	tag         string
	score       int
	cells       int
	alive, team int
}

// standings are the seats, the leader first, special players last.
func (m *liveModel) standings() []standing {
	list := make([]standing, len(m.scene.seats))
	for id := range list {
		color := hexabomb.ColorOf(engine.PlayerID(id))
		list[id] = standing{
			liveSeat: m.scene.seats[id], color: color,
			look: lookOf(color, m.scene.specials), tag: tagOf(color, m.scene.specials),
			score: m.scene.state.Score[engine.PlayerID(id)], cells: m.scene.state.CellCount[engine.PlayerID(id)],
		}
	}
	for _, c := range m.scene.state.Characters {
		if id := int(c.Color.Player()); id < len(list) {
			list[id].team++
			if c.Alive {
				list[id].alive++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b standing) int {
		special := func(s standing) int { return btoi(int(s.color) <= m.scene.specials) }
		return cmp.Or(special(a)-special(b), b.score-a.score, b.cells-a.cells)
	})
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// drawPanel draws the ranking beside the board, with as many rows for a seat as
// there is room for.
func (m *liveModel) drawPanel(p pane) {
	list := m.standings()
	most := 1
	for _, s := range list {
		most = max(most, s.cells)
	}
	rows := min(max(p.h/max(1, len(list)), 1), 4)
	y := 0
	if rows > 1 {
		y = 1
	}
	for i, s := range list {
		if y+1 >= p.h && i+1 < len(list) {
			p.text(1, y, fmt.Sprintf("and %d more", len(list)-i), pen{fg: faintColor})
			return
		}
		s.drawName(p, y)
		if rows > 2 {
			bar := p.w - 8
			p.fill(5, y+1, bar, railColor)
			p.fill(5, y+1, (bar*s.cells+most-1)/most, s.look.Dark.Strong)
		}
		if rows > 1 {
			p.text(5, y+min(rows-1, 2), s.account(), pen{fg: quietColor})
		}
		y += rows
	}
}

// drawName draws a seat's first row: its letter, its name and its score.
func (s *standing) drawName(p pane, y int) {
	p.text(1, y, pad(s.tag), pen{s.look.Ink, s.look.Dark.Body, true})
	score := strconv.Itoa(s.score)
	x := p.part(0, 0, p.w-len(score)-4, p.h).text(5, y, s.label, pen{fg: s.look.Dark.Line, bold: true})
	if !s.connected {
		p.part(0, 0, p.w-len(score)-4, p.h).text(x+1, y, "gone", pen{fg: alarmColor})
	}
	p.right(p.w-3, y, score, pen{fg: textColor, bold: true})
}

// account is what a seat has, in words.
func (s *standing) account() string {
	return fmt.Sprintf("%d cells  %d/%d alive", s.cells, s.alive, s.team)
}

// drawLines draws the ranking below the board, a line for a seat.
func (m *liveModel) drawLines(p pane) {
	const name = 22
	for i, s := range m.standings() {
		if i+1 == p.h && i+1 < len(m.scene.seats) {
			p.text(1, i, fmt.Sprintf("and %d more", len(m.scene.seats)-i), pen{fg: faintColor})
			return
		}
		left := p.part(0, 0, min(p.w, name+12), p.h)
		s.drawName(left, i)
		p.text(left.w, i, s.account(), pen{fg: quietColor})
	}
}
