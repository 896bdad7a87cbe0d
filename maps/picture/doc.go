// Package picture draws moments of matches as images, or many of them as an animation: the
// board as the page shows it and, below it, the players with their scores. It reads the games'
// states in the form that clients read, and writes no files.
//
// [Drawing] is the interface of a game's drawing; [NewHexabomb] and [NewHextictactoe] return
// implementations. [NewGIF] works with any of them.
package picture

import (
	"fmt"
	"image"
	"image/color"

	"github.com/hexarena/hexarena/engine"
)

// Drawing draws one match. Follow must be called for every turn, in order, because the board
// may show things that depend on earlier turns; Draw is called for the turns that are wanted.
type Drawing interface {
	// Follow processes the next turn; it does not retain m.
	Follow(m *Moment) error
	// Draw updates the image to the last turn followed and returns the part that may have
	// changed.
	Draw() image.Rectangle
	// Image returns the image, which still belongs to the drawing.
	Image() *image.RGBA
	// Palette returns at most n colours that suit every image of the match.
	Palette(n int) color.Palette
}

// Moment is a turn of a match.
type Moment struct {
	Step    int    // 0 for the initial board
	State   []byte // after the turn, in the form that clients read
	Inputs  []engine.Input
	Refused []engine.Refusal
}

// Match holds what a drawing needs to know about a match.
type Match struct {
	Names    []string // of the players, by ID
	Specials int      // special players: with IDs 0 to Specials-1
	Turns    int
}

// Options are the user's choices.
type Options struct {
	Size  int // length of the longer side in pixels, MinSize to MaxSize
	Light bool
}

// Limits of Options.Size.
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
