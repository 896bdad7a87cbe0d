package maps

import "fmt"

// Color is a 24-bit colour. The zero Color is no colour: the renderer chooses one.
type Color uint32

const opaque = 1 << 24 // distinguishes black from no colour

// Hex returns the colour written as 0xRRGGBB.
func Hex(rgb uint32) Color { return Color(rgb&0xFFFFFF | opaque) }

// RGB returns the components of c; ok is false for the zero Color.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&opaque != 0
}

// String returns the colour as #rrggbb, or "" for the zero Color.
func (c Color) String() string {
	if c&opaque == 0 {
		return ""
	}
	return fmt.Sprintf("#%06x", uint32(c&0xFFFFFF))
}

// Mix returns c blended with d; share, from 0 to 1, is the weight of d.
func (c Color) Mix(d Color, share float64) Color {
	mix := func(shift int) uint32 {
		from, to := float64(c>>shift&0xFF), float64(d>>shift&0xFF)
		return uint32(from+(to-from)*share+0.5) << shift
	}
	return Hex(mix(16) | mix(8) | mix(0))
}

// Tones are the colours of one player on a light or a dark background.
type Tones struct {
	Body   Color // characters
	Line   Color // outlines and text
	Fill   Color // cells, subdued
	Strong Color // cells that must be distinguishable at a glance
}

// Look is the colours that distinguish a player. Package picture adds a shape.
type Look struct {
	Ink   Color // for text on Body
	Dark  Tones // on a dark background
	Light Tones // on a light background
}

// PlayerLook returns the look of the i-th ordinary player, from 0. Looks repeat after
// NumLooks.
func PlayerLook(i int) Look { return looks[i%NumLooks] }

// NumLooks is the number of different looks.
const NumLooks = len(looks)

var looks = [...]Look{
	look(0xFFFFFF, [4]uint32{0x4273E8, 0x6C97FF, 0x254BAB, 0x3460CD},
		[4]uint32{0x2F62DE, 0x2450C4, 0x6A93E9, 0x426FDA}),
	look(0x14100A, [4]uint32{0xF58A1F, 0xFF9D3D, 0xAE5700, 0xD37100},
		[4]uint32{0xF08420, 0xB95A00, 0xF5AA73, 0xF29650}),
	look(0x04120E, [4]uint32{0x1FB899, 0x2FD3B2, 0x0A8A70, 0x009D81},
		[4]uint32{0x12A386, 0x08755F, 0x72BDA8, 0x4DAF96}),
	look(0xFFFFFF, [4]uint32{0xB8347F, 0xE0559F, 0x8D1B60, 0xA2256D},
		[4]uint32{0xA92A72, 0x8E1E5E, 0xC66F99, 0xB64E84}),
	look(0x191500, [4]uint32{0xF4DA4E, 0xFFE869, 0xBD9F28, 0xD2B430},
		[4]uint32{0xEFC931, 0x8C6A00, 0xF2D982, 0xF0D160}),
	look(0x160A26, [4]uint32{0xCFA3FF, 0xDDBBFF, 0x8E6AB4, 0xAF86DB},
		[4]uint32{0xBB88F5, 0x7D46C8, 0xCDACF7, 0xC399F5}),
	look(0x14060A, [4]uint32{0xEB505B, 0xFF6F78, 0xA92936, 0xD64855},
		[4]uint32{0xDC3F4C, 0xB3202E, 0xEB7F80, 0xE36165}),
	look(0x04141A, [4]uint32{0x71D7ED, 0x8FE6FA, 0x3C92A4, 0x55B5CA},
		[4]uint32{0x43BEDB, 0x0B7C99, 0x87D0E4, 0x68C6DF}),
	look(0x07140A, [4]uint32{0x74D55F, 0x8CE877, 0x429230, 0x5AB546},
		[4]uint32{0x52BD3C, 0x2F7F1E, 0x8BD07E, 0x6FC65F}),
	look(0xFFFFFF, [4]uint32{0xB23A12, 0xDE5B2C, 0x811E00, 0x9D2D02},
		[4]uint32{0x9C3310, 0x7A2408, 0xBC715C, 0xAB5238}),
	look(0xFFFFFF, [4]uint32{0x4636C8, 0x7A6CF5, 0x301C97, 0x3C2AB4},
		[4]uint32{0x3A2BB0, 0x2A1E8F, 0x6970C9, 0x4E4EBB}),
	look(0x1E0510, [4]uint32{0xFE90B5, 0xFFA9C6, 0xB35B79, 0xDA7598},
		[4]uint32{0xF47BA6, 0xB93468, 0xF9A3BF, 0xF68FB1}),
}

// Theme is a background and the colours that belong to no player.
type Theme struct {
	Stage, Glow         Color // behind the board, outside and in the middle
	Rim, Gap            Color // edge of the board; border between owners
	Free, Seam          Color // a cell without an owner; its outline
	Text, Quiet         Color // primary and secondary text
	Ghost, GhostLine    Color // the special player's characters
	GhostFill           Color // the special player's cells
	Bomb                Color
	Core, Flame, Border Color // of an explosion, from the inside
}

// The themes.
var (
	LightTheme = Theme{
		Stage: Hex(0xF1F3F7), Glow: Hex(0xFBFCFE), Rim: Hex(0xAEB6C5), Gap: Hex(0xFFFFFF),
		Free: Hex(0xD3D8E1), Seam: Hex(0xC3C9D4),
		Text: Hex(0x12161F), Quiet: Hex(0x475063), Ghost: Hex(0xFFFFFF), GhostLine: Hex(0x2B3140),
		GhostFill: Hex(0x7C8498),
		Bomb:      Hex(0x161A22), Core: Hex(0xFFFFFF), Flame: Hex(0xFFB020), Border: Hex(0xD9380B),
	}
	DarkTheme = Theme{
		Stage: Hex(0x0F131B), Glow: Hex(0x161C28), Rim: Hex(0x3A4356), Gap: Hex(0x0B0E14),
		Free: Hex(0x282E3A), Seam: Hex(0x1F242E),
		Text: Hex(0xF3F5F9), Quiet: Hex(0xAEB7C7), Ghost: Hex(0xF4F6FA), GhostLine: Hex(0x12161F),
		GhostFill: Hex(0x9AA3B6),
		Bomb:      Hex(0x0A0C11), Core: Hex(0xFFFBEF), Flame: Hex(0xFFC65C), Border: Hex(0xFF7A3C),
	}
)

func look(ink uint32, dark, light [4]uint32) Look {
	tones := func(c [4]uint32) Tones {
		return Tones{Body: Hex(c[0]), Line: Hex(c[1]), Fill: Hex(c[2]), Strong: Hex(c[3])}
	}
	return Look{Ink: Hex(ink), Dark: tones(dark), Light: tones(light)}
}
