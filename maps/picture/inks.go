package picture

import "github.com/hexarena/hexarena/maps"

// Colours that belong to no player.
var (
	dark, light = &maps.DarkTheme, &maps.LightTheme

	black     = same(maps.Hex(0))
	white     = same(maps.Hex(0xFFFFFF))
	backInk   = same(maps.Hex(0x0B0E14)) // behind what is white on any cell
	badgeInk  = same(maps.Hex(0x0A0C11))
	emptyInk  = ink{maps.Hex(0x212734), maps.Hex(0xDDE2EA)} // a cell of a board without end
	circleInk = ink{maps.Hex(0xFFFFFF), maps.Hex(0x4A2500)} // the circle on its piece

	stageInk     = ink{dark.Stage, light.Stage}
	glowInk      = ink{dark.Glow, light.Glow}
	rimInk       = ink{dark.Rim, light.Rim}
	gapInk       = ink{dark.Gap, light.Gap}
	freeInk      = ink{dark.Free, light.Free}
	seamInk      = ink{dark.Seam, light.Seam}
	textInk      = ink{dark.Text, light.Text}
	quietInk     = ink{dark.Quiet, light.Quiet}
	ghostInk     = ink{dark.Ghost, light.Ghost}
	ghostLineInk = ink{dark.GhostLine, light.GhostLine}
	ghostFillInk = ink{dark.GhostFill, light.GhostFill}
	bombInk      = ink{dark.Bomb, light.Bomb}
	coreInk      = ink{dark.Core, light.Core}
	flameInk     = ink{dark.Flame, light.Flame}
	borderInk    = ink{dark.Border, light.Border}

	warningInk = ink{coreInk.dark, textInk.light} // where bombs are about to explode
	accentInk  = ink{white.dark, textInk.light}   // marks on a board without end
	shadowInk  = ink{black.dark, quietInk.light.Mix(white.light, 0.4)}
)

// Slots number the looks of players. free is that of a cell without an owner, spectre that of
// special players.
const (
	free    = -2
	spectre = -1
)

// fillOf returns the ink of a slot's cells.
func fillOf(slot int) ink {
	switch slot {
	case free:
		return freeInk
	case spectre:
		return ghostFillInk
	}
	look := maps.PlayerLook(slot)
	return ink{look.Dark.Strong, look.Light.Strong}
}

// lineOf returns the ink of a slot's lines.
func lineOf(slot int) ink {
	if slot < 0 {
		return ink{ghostInk.dark, ghostLineInk.light}
	}
	look := maps.PlayerLook(slot)
	return ink{look.Dark.Line, look.Light.Line}
}

// bodyOf returns the ink of a slot's characters.
func bodyOf(slot int) ink {
	if slot < 0 {
		return ghostInk
	}
	look := maps.PlayerLook(slot)
	return ink{look.Dark.Body, look.Light.Body}
}
