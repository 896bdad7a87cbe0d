package picture

import "github.com/hexarena/hexarena/maps"

// Colours that belong to no player.
var (
	black     = same(maps.Hex(0))
	white     = same(maps.Hex(0xFFFFFF))
	shade     = same(maps.Hex(0x0B0E14)) // behind what is white on any cell
	badgeInk  = same(maps.Hex(0x0A0C11))
	emptyInk  = ink{maps.Hex(0x212734), maps.Hex(0xDDE2EA)} // a cell of a board without end
	circleInk = ink{maps.Hex(0xFFFFFF), maps.Hex(0x4A2500)} // the circle on its piece

	stageInk     = themed(func(t *maps.Theme) maps.Color { return t.Stage })
	glowInk      = themed(func(t *maps.Theme) maps.Color { return t.Glow })
	rimInk       = themed(func(t *maps.Theme) maps.Color { return t.Rim })
	gapInk       = themed(func(t *maps.Theme) maps.Color { return t.Gap })
	freeInk      = themed(func(t *maps.Theme) maps.Color { return t.Free })
	seamInk      = themed(func(t *maps.Theme) maps.Color { return t.Seam })
	textInk      = themed(func(t *maps.Theme) maps.Color { return t.Text })
	quietInk     = themed(func(t *maps.Theme) maps.Color { return t.Quiet })
	ghostInk     = themed(func(t *maps.Theme) maps.Color { return t.Ghost })
	ghostLineInk = themed(func(t *maps.Theme) maps.Color { return t.GhostLine })
	ghostFillInk = themed(func(t *maps.Theme) maps.Color { return t.GhostFill })
	bombInk      = themed(func(t *maps.Theme) maps.Color { return t.Bomb })
	coreInk      = themed(func(t *maps.Theme) maps.Color { return t.Core })
	flameInk     = themed(func(t *maps.Theme) maps.Color { return t.Flame })
	borderInk    = themed(func(t *maps.Theme) maps.Color { return t.Border })

	warningInk = ink{coreInk.dark, textInk.light} // where bombs are about to explode
	accentInk  = ink{white.dark, textInk.light}   // marks on a board without end
	shadowInk  = ink{black.dark, quietInk.light.Mix(white.light, 0.4)}
)

func themed(of func(t *maps.Theme) maps.Color) ink {
	return ink{of(&maps.DarkTheme), of(&maps.LightTheme)}
}

// Slots number the looks of players. free is that of a cell without an owner, spectre that of
// special players.
const (
	free    = -2
	spectre = -1
)

// toned returns an ink of a slot that belongs to a player.
func toned(slot int, of func(t *maps.Tones) maps.Color) ink {
	look := maps.PlayerLook(slot)
	return ink{of(&look.Dark), of(&look.Light)}
}

// fillOf returns the ink of a slot's cells.
func fillOf(slot int) ink {
	switch slot {
	case free:
		return freeInk
	case spectre:
		return ghostFillInk
	}
	return toned(slot, func(t *maps.Tones) maps.Color { return t.Strong })
}

// lineOf returns the ink of a slot's lines.
func lineOf(slot int) ink {
	if slot < 0 {
		return ink{ghostInk.dark, ghostLineInk.light}
	}
	return toned(slot, func(t *maps.Tones) maps.Color { return t.Line })
}

// bodyOf returns the ink of a slot's characters.
func bodyOf(slot int) ink {
	if slot < 0 {
		return ghostInk
	}
	return toned(slot, func(t *maps.Tones) maps.Color { return t.Body })
}
