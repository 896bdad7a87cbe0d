package maps

import (
	"fmt"
	"io"
	"strings"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Colours of a board on a terminal, for any background.
var (
	FreeColor    = Hex(0x39414F) // a cell without an owner
	SpectreColor = Hex(0x858EA1) // the special player's cells
	spectreInk   = Hex(0x14161C)
	white        = Hex(0xFFFFFF)
	black        = Hex(0x000000)
)

// Texture returns c, made slightly lighter or darker depending on the cell, so that no
// two neighbours have the same shade.
func Texture(c Color, at hexgrid.Coord) Color {
	switch ((at.Q-at.R)%3 + 3) % 3 {
	case 0:
		return c.Mix(black, 0.10)
	case 1:
		return c.Mix(white, 0.06)
	}
	return c
}

// DrawText draws a map with its starting and special positions, and a line that explains
// the symbols. It returns an error if the board is too large for a Canvas, or if writing
// to w fails.
func DrawText(w io.Writer, m *hexabomb.Map, depth ColorDepth) error {
	canvas, err := NewCanvas(m.Cells)
	if err != nil {
		return err
	}
	drawn := map[hexgrid.Coord]Cell{}
	for p, starts := range m.Starts {
		for _, c := range starts {
			drawn[c] = startCell(p, c)
		}
	}
	for _, c := range m.Specials {
		drawn[c] = Cell{Text: "@", Fg: spectreInk, Bg: Texture(SpectreColor, c), Bold: true}
	}
	b := canvas.AppendFrame(nil, depth, func(_ int, at hexgrid.Coord) Cell {
		if cell, ok := drawn[at]; ok {
			return cell
		}
		cell := Cell{Bg: Texture(FreeColor, at)}
		if depth == NoColor {
			cell.Text = "·"
		}
		return cell
	})
	b = append(b, "\n\n"...)
	b = append(b, textLegend(m)...)
	_, err = w.Write(append(b, '\n'))
	return err
}

func startCell(player int, at hexgrid.Coord) Cell {
	look := PlayerLook(player)
	return Cell{Text: playerLetters(player), Fg: look.Ink, Bg: Texture(look.Dark.Body, at), Bold: true}
}

func textLegend(m *hexabomb.Map) string {
	legend := fmt.Sprintf("%s: player 0", playerLetters(0))
	if n := len(m.Starts); n > 1 {
		legend = fmt.Sprintf("%s to %s: players 0 to %d", playerLetters(0), playerLetters(n-1), n-1)
	}
	if len(m.Specials) > 0 {
		legend += "   @: special positions"
	}
	return legend
}

// playerLetters returns the name of a player in at most two columns: A to Z, then AA, AB
// and so on, and ?? when these are used up.
func playerLetters(player int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	const second = letters + "abcdefghijklmnopqrstuvwxyz"
	if player < len(letters) {
		return letters[player : player+1]
	}
	player -= len(letters)
	if player >= len(letters)*len(second) {
		return strings.Repeat("?", CellWidth)
	}
	return letters[player/len(second):][:1] + second[player%len(second):][:1]
}
