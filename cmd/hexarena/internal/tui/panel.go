package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
)

// The colors around the board. The terminal is drawn dark whatever its own background is.
var (
	stageColor = maps.DarkTheme.Stage
	textColor  = maps.DarkTheme.Text
	quietColor = maps.DarkTheme.Quiet
	faintColor = maps.Hex(0x828DA1)
	railColor  = maps.Hex(0x1C222E) // behind bars
	alarmColor = maps.Hex(0xFFB454)
)

// Sizes of the parts around the board.
const (
	minPanel, maxPanel = 24, 38 // columns of the ranking beside the board
	maxBelow           = 8      // rows of the ranking below the board
	minHeight          = 8      // rows for more than the board
)

// draw draws the whole terminal.
func (m *model) draw() string {
	if m.width < 1 || m.height < 1 {
		return ""
	}
	c := newCanvas(m.width, m.height, stageColor)
	p := c.all()
	if m.scene == nil {
		m.drawNotes(p)
		return c.encode(m.depth != noColors)
	}
	body := p
	list := m.standings()
	if p.h >= minHeight {
		m.drawHead(p.part(0, 0, p.w, 1))
		m.drawShares(p.part(0, 1, p.w, 1), list)
		m.drawKeys(p.part(0, p.h-1, p.w, 1))
		body = m.drawWarnings(p.part(0, 2, p.w, p.h-3))
	}
	l := m.layOut(body)
	m.board.draw(l.board, m.scene, l.scale, tileOptions(l.scale, m.depth, m.letters))
	ranked := ranking(list)
	if l.beside {
		drawPanel(l.panel, ranked)
	} else {
		drawLines(l.panel, ranked)
	}
	return c.encode(m.depth != noColors)
}

// tileOptions says what a terminal of that depth shows; with letters, cells name their owners.
func tileOptions(s scale, d depth, letters bool) games.TileOptions {
	return games.TileOptions{
		Large: s == large, Plain: d == noColors,
		Letters: letters || d == fewColors, Flat: d != trueColors,
	}
}

// layout divides the terminal between the board and the ranking.
type layout struct {
	board, panel pane
	beside       bool // the ranking is beside the board, and not below
	scale        scale
}

// layOut chooses the largest scale at which the board fits, with the ranking beside it or
// below.
func (m *model) layOut(p pane) layout {
	below := min(len(m.scene.seats), maxBelow, p.h/3)
	l := layout{board: p.part(0, 0, p.w, p.h-below), panel: p.part(0, p.h-below, p.w, below)}
	for _, l.scale = range []scale{large, medium, small} {
		if l.scale == small && m.depth == noColors {
			l.scale = medium // the small scale shows colors only
			return l
		}
		w, h := m.board.size(l.scale)
		if width := min(p.w-w-1, maxPanel); width >= minPanel && h <= p.h {
			l.board, l.panel, l.beside = p.part(0, 0, p.w-width, p.h), p.part(p.w-width, 0, width, p.h), true
			return l
		}
		if w <= l.board.w && h <= l.board.h {
			return l
		}
	}
	return l
}

// drawNotes shows what was said before the match started.
func (m *model) drawNotes(p pane) {
	notes := m.view.said()
	x := p.text(2, 1, "hexarena", pen{fg: textColor, bold: true})
	p.text(x+2, 1, "waiting for the bots", pen{fg: quietColor})
	room := max(0, p.h-4)
	for i, note := range notes[max(0, len(notes)-room):] {
		p.text(2, 3+i, note, pen{fg: faintColor})
	}
}

// drawWarnings shows warnings in up to a third of a pane, and returns the rest of it.
func (m *model) drawWarnings(p pane) (rest pane) {
	lines := m.view.warned(p.h / 3)
	n := len(lines)
	below := p.part(0, p.h-n, p.w, n)
	for i, line := range lines {
		below.text(1, i, line, pen{fg: alarmColor})
	}
	return p.part(0, 0, p.w, p.h-n)
}

func (m *model) drawHead(p pane) {
	x := p.text(1, 0, "hexarena", pen{fg: textColor, bold: true})
	if names := m.scene.untimed(); len(names) > 0 { // on a narrow terminal there is no room for both
		p.text(x+2, 0, "no time limit for "+strings.Join(names, ", "), pen{fg: alarmColor})
	} else {
		p.text(x+2, 0, m.view.options.Title, pen{fg: quietColor})
	}
	turn := match.NameBoard(m.scene.step, m.view.options.Match.Turns)
	switch {
	case m.scene.over && m.scene.winner != "":
		turn = m.scene.winner + " wins"
	case m.scene.over:
		turn = "the match is over"
	case m.paused:
		turn = "paused  " + turn
	case m.speed.Full && m.rate.value > 0:
		turn = fmt.Sprintf("%.0f turns/s  %s", m.rate.value, turn)
	}
	p.right(p.w-1, 0, "  "+turn, pen{fg: textColor, bold: true})
}

// untimed returns the labels of the players that turns wait for without a time limit.
func (s *scene) untimed() (labels []string) {
	for _, seat := range s.seats {
		if seat.untimed && seat.connected {
			labels = append(labels, seat.label)
		}
	}
	return labels
}

func (m *model) drawKeys(p pane) {
	pause, full := "pause", "full speed"
	if m.paused {
		pause = "go on"
	}
	if m.speed.Full {
		full = "usual speed"
	}
	x := 1
	for _, k := range [][2]string{
		{"space", pause}, {".", "step"}, {"- +", "speed"}, {"f", full}, {"q", "stop"}, {"m", "letters"},
	} {
		x = p.text(x, 0, k[0], pen{fg: textColor, bold: true})
		x = p.text(x+1, 0, k[1], pen{fg: faintColor}) + 3
	}
}

// drawShares draws a bar with the players' shares of the board.
func (m *model) drawShares(p pane, list []standing) {
	bar := p.part(1, 0, p.w-2, 1)
	bar.fill(0, 0, bar.w, railColor)
	total, sum := len(m.board.places), 0
	for _, s := range list {
		from := sum * bar.w / total
		sum += s.Cells
		n := sum*bar.w/total - from
		bar.fill(from, 0, n, s.Look.Dark.Strong)
		text := fmt.Sprintf(" %s %d%% ", s.Tag, 100*s.Cells/total)
		if len(text) <= n {
			bar.text(from+(n-len(text))/2, 0, text, pen{fg: s.Look.Ink, bold: true})
		}
	}
	from := sum * bar.w / total
	if text := fmt.Sprintf("free %d%%", 100*(total-sum)/total); len(text)+2 <= bar.w-from {
		bar.text(from+(bar.w-from-len(text))/2, 0, text, pen{fg: faintColor})
	}
}

// standing is a player in the ranking.
type standing struct {
	games.Standing
	seat
}

// standings returns the players by id.
func (m *model) standings() []standing {
	players := m.scene.Standings()
	list := make([]standing, len(m.scene.seats))
	for id := range list {
		list[id] = standing{players[id], m.scene.seats[id]}
	}
	return list
}

// ranking returns the players with the leader first and special players last.
func ranking(list []standing) []standing {
	ranked := slices.Clone(list)
	slices.SortStableFunc(ranked, func(a, b standing) int {
		if a.Special != b.Special {
			if a.Special {
				return 1
			}
			return -1
		}
		return cmp.Or(b.Score-a.Score, b.Cells-a.Cells)
	})
	return ranked
}

// drawPanel draws the ranking beside the board, with up to four rows for a player.
func drawPanel(p pane, list []standing) {
	largest := 1
	for _, s := range list {
		largest = max(largest, s.Cells)
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
			p.fill(5, y+1, (bar*s.Cells+largest-1)/largest, s.Look.Dark.Strong)
		}
		if rows > 1 {
			p.text(5, y+min(rows-1, 2), s.Account, pen{fg: quietColor})
		}
		y += rows
	}
}

// drawName draws the first row of a player: letters, name and score.
func (s *standing) drawName(p pane, y int) {
	p.text(1, y, fmt.Sprintf("%-2s", s.Tag), pen{s.Look.Ink, s.Look.Dark.Body, true})
	score := strconv.Itoa(s.Score)
	x := p.part(0, 0, p.w-len(score)-4, p.h).text(5, y, s.label, pen{fg: s.Look.Dark.Line, bold: true})
	if !s.connected {
		p.part(0, 0, p.w-len(score)-4, p.h).text(x+1, y, "gone", pen{fg: alarmColor})
	}
	p.right(p.w-3, y, score, pen{fg: textColor, bold: true})
}

// drawLines draws the ranking below the board, with a line for a player.
func drawLines(p pane, list []standing) {
	const name = 22
	for i, s := range list {
		if i+1 == p.h && i+1 < len(list) {
			p.text(1, i, fmt.Sprintf("and %d more", len(list)-i), pen{fg: faintColor})
			return
		}
		left := p.part(0, 0, min(p.w, name+12), p.h)
		s.drawName(left, i)
		p.text(left.w, i, s.Account, pen{fg: quietColor})
	}
}
