package picture

import "github.com/hexarena/hexarena/maps"

// Colours that belong to no player.
var (
	dark, light = &maps.DarkTheme, &maps.LightTheme

	black     = same(maps.Hex(0))
	white     = same(maps.Hex(0xFFFFFF))
	backInk   = same(maps.Hex(0x0B0E14)) // behind what is white on any cell
	badgeInk  = same(maps.Hex(0x0A0C11))
	emptyInk  = Ink{maps.Hex(0x212734), maps.Hex(0xDDE2EA)} // a cell of a board without end
	circleInk = Ink{maps.Hex(0xFFFFFF), maps.Hex(0x4A2500)} // the circle on its piece

	stageInk     = Ink{dark.Stage, light.Stage}
	glowInk      = Ink{dark.Glow, light.Glow}
	rimInk       = Ink{dark.Rim, light.Rim}
	gapInk       = Ink{dark.Gap, light.Gap}
	freeInk      = Ink{dark.Free, light.Free}
	seamInk      = Ink{dark.Seam, light.Seam}
	textInk      = Ink{dark.Text, light.Text}
	quietInk     = Ink{dark.Quiet, light.Quiet}
	ghostInk     = Ink{dark.Ghost, light.Ghost}
	ghostLineInk = Ink{dark.GhostLine, light.GhostLine}
	ghostFillInk = Ink{dark.GhostFill, light.GhostFill}
	bombInk      = Ink{dark.Bomb, light.Bomb}
	coreInk      = Ink{dark.Core, light.Core}
	flameInk     = Ink{dark.Flame, light.Flame}
	borderInk    = Ink{dark.Border, light.Border}

	warningInk = Ink{coreInk.Dark, textInk.Light} // where bombs are about to explode
	accentInk  = Ink{white.Dark, textInk.Light}   // marks on a board without end
	shadowInk  = Ink{black.Dark, quietInk.Light.Mix(white.Light, 0.4)}
)

// Slots number the looks of players. free is that of a cell without an owner, spectre that of
// special players.
const (
	free    = -2
	spectre = -1
)

// fillOf returns the ink of a slot's cells.
func fillOf(slot int) Ink {
	switch slot {
	case free:
		return freeInk
	case spectre:
		return ghostFillInk
	}
	look := maps.PlayerLook(slot)
	return Ink{look.Dark.Strong, look.Light.Strong}
}

// lineOf returns the ink of a slot's lines.
func lineOf(slot int) Ink {
	if slot < 0 {
		return Ink{ghostInk.Dark, ghostLineInk.Light}
	}
	look := maps.PlayerLook(slot)
	return Ink{look.Dark.Line, look.Light.Line}
}

// bodyOf returns the ink of a slot's characters.
func bodyOf(slot int) Ink {
	if slot < 0 {
		return ghostInk
	}
	look := maps.PlayerLook(slot)
	return Ink{look.Dark.Body, look.Light.Body}
}
