// Package picture draws moments of matches as pictures, and many of them as an
// animation: the board as the page shows it, and below it the players with their
// scores. It knows the games' states as clients read them, and writes no files.
//
// A game's drawing is a [Drawing]; [NewHexabomb] and [NewHextictactoe] make those of
// the games there are. [NewGIF] takes any.
package picture

import (
	"fmt"
	"image"
	"image/color"

	"github.com/hexarena/hexarena/engine"
)

// Drawing draws one match, turn after turn. It is told of every turn, in order,
// and draws those that are wanted: what the board shows may depend on turns before.
type Drawing interface {
	// Follow tells of the next turn; it keeps nothing of it.
	Follow(m *Moment) error
	// Draw brings the image up to the turn that was followed last, and is the part
	// of it that may have changed.
	Draw() image.Rectangle
	// Image is what was drawn. It stays the drawing's.
	Image() *image.RGBA
	// Palette is at most n colours with which any image of the match looks right.
	Palette(n int) color.Palette
}

// Moment is a turn of a match.
type Moment struct {
	Step    int    // 0: the board as it was set
	State   []byte // after it, as clients read it
	Inputs  []engine.Input
	Refused []engine.Refusal
}

// Match is what a drawing has to know of a match.
type Match struct {
	Names    []string // of the players, by id
	Specials int      // special players: ids 0 to Specials-1
	Turns    int
}

// Options are what whoever asks for a picture chooses.
type Options struct {
	Size  int // of the longer side, in pixels, MinSize to MaxSize
	Light bool
}

// Bounds of Options.Size.
const (
	MinSize = 160
	MaxSize = 4096
)

func (o *Options) check() error {
	if o.Size < MinSize || o.Size > MaxSize {
		return fmt.Errorf("size %d is not in %d…%d", o.Size, MinSize, MaxSize)
	}
	return nil
}
