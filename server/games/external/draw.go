package external

import (
	"math"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
)

// farthest bounds coordinates, so that sizes of pictures cannot overflow; the page has the same
// bound.
const farthest = 1<<16 - 1

// longestLabel is the number of characters of a label that are written.
const longestLabel = 4

// draw returns the drawing of a match by the view that its game logic sent. Boards of all layouts
// are drawn with a corner of the cells at the top.
func draw(m *games.Match, last []byte, o picture.Options) (picture.Drawing, error) {
	view, err := netorcai.ParseView(m.View)
	if err != nil {
		return nil, err
	}
	read := func(state []byte) (picture.Cells, error) { return cellsIn(state, view) }
	return picture.NewCells(m.Rules, last, read,
		picture.Match{Names: m.Names, Specials: m.Specials, Turns: m.Turns}, o)
}

// cellsIn returns what a view shows of a state.
func cellsIn(state jsonscan.Value, view *netorcai.View) (c picture.Cells, err error) {
	if state, err = jsonscan.Parse(state); err != nil {
		return c, err
	}
	c.Board = appendMarks(nil, state.At(view.Cells), &view.Marks, "")
	for i := range view.Pieces {
		p := &view.Pieces[i]
		c.Pieces = appendMarks(c.Pieces, state.At(p.List), &p.Marks, p.ShownIf)
	}
	return c, nil
}

// appendMarks appends the members of a list that have coordinates, and in which the field shownIf
// is true unless it is empty.
func appendMarks(
	dst []picture.Cell, list jsonscan.Value, m *netorcai.Marks, shownIf string,
) []picture.Cell {
	for _, e := range list.Elements() {
		cell := picture.Cell{Player: -1}
		var q, r bool
		shown := shownIf == ""
		for key, v := range e.Fields() { // one field may be named for several things
			if key.Is(m.Q) {
				cell.Q, q = coordinate(v)
			}
			if key.Is(m.R) {
				cell.R, r = coordinate(v)
			}
			if key.Is(m.Color) {
				cell.Player, cell.Color = colorOf(v)
			}
			if m.Label != "" && key.Is(m.Label) {
				cell.Label = labelOf(v)
			}
			if shownIf != "" && key.Is(shownIf) {
				shown = string(v) == "true"
			}
		}
		if q && r && shown {
			dst = append(dst, cell)
		}
	}
	return dst
}

func coordinate(v jsonscan.Value) (n int, ok bool) {
	i, ok := v.Int32()
	return int(i), ok && math.Abs(float64(i)) <= farthest
}

// colorOf returns the player that a color names, or else the color, or none.
func colorOf(v jsonscan.Value) (player int, c maps.Color) {
	if n, ok := v.Int32(); ok {
		return int(n), 0
	}
	digits, ok := strings.CutPrefix(v.Text(), "#")
	if len(digits) == 3 {
		digits = strings.Join(
			[]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	rgb, err := strconv.ParseUint(digits, 16, 32)
	if !ok || len(digits) != 6 || err != nil {
		return -1, 0
	}
	return -1, maps.Hex(uint32(rgb))
}

func labelOf(v jsonscan.Value) string {
	text := v.Text()
	if v.Kind() == jsonscan.Number {
		text = string(v)
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), longestLabel)])
}
