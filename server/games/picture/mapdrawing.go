package picture

import (
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
)

// NewMap returns the drawing of a map: its name, description and figures, and the board with
// every player's starting positions, and the special positions as ghosts. Characters have the
// numbers of a classical match. Info is what package maps says of the map.
func NewMap(m *hexabomb.Map, info maps.Info, o Options) (Drawing, error) {
	state, specials := maps.Opening(m)
	match := Match{Specials: specials}
	if specials > 0 {
		match.Names = append(match.Names, "special")
	}
	for i := range m.Starts {
		match.Names = append(match.Names, strconv.Itoa(i))
	}
	d, err := newHexabomb(m, match, o, &heading{info.Name, info.Description, figures(info)})
	if err != nil {
		return nil, err
	}
	return d, d.Follow(&Moment{State: state})
}

// heading is the text above a map.
type heading struct{ name, description, figures string }

const headingHeight = 96 // pixels, of three lines

func (h *heading) height() int {
	if h == nil {
		return 0
	}
	return headingHeight
}

func (h *heading) write(c Canvas, f *frame) {
	const x = 24
	room := float64(f.size.X - 2*x)
	for _, l := range []struct {
		text    string
		bold    bool
		size, y float64
		ink     Ink
	}{
		{h.name, true, 28, 40, textInk},
		{h.description, false, 15, 66, quietInk},
		{h.figures, false, 13, 88, quietInk},
	} {
		c.Write(Label{f.fitting(printable(l.text), l.bold, l.size, room), l.bold, l.size, 0}, x, l.y,
			l.ink)
	}
}

// figures returns a map's figures in one line.
func figures(info maps.Info) string {
	parts := []string{
		count(info.Players, "player"),
		count(info.Characters, "character") + " each",
		count(info.Cells, "cell"),
		count(info.Specials, "special position"),
	}
	if info.Holes > 0 {
		parts = append(parts, count(info.Holes, "hole"))
	}
	return strings.Join(parts, " · ")
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return spaced(n) + " " + what + "s"
}
