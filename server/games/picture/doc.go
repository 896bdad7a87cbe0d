// Package picture draws moments of matches as images or SVGs, or many of them as an animation:
// the board as the page shows it and, below it, the players with their scores. It reads the
// games' states in the form that clients read, and opens no files.
//
// A [Drawing] draws a game on a [Canvas]; [NewHexabomb], [NewHextictactoe] and [NewMap] return
// drawings. [NewImage], [NewGIF] and [WriteSVG] provide the canvas and work with any of them.
package picture

import (
	"fmt"
	"image"

	"github.com/hexarena/hexarena/engine"
)

// Drawing draws one match. Follow must be called for every turn, in order, because the board
// may show things that depend on earlier turns.
type Drawing interface {
	// Follow processes the next turn; it does not retain m.
	Follow(m *Moment) error
	// Draw draws the last turn followed.
	Draw(c Canvas)
	// Title says what the last turn followed is.
	Title() string
	// Size returns the size of the picture in pixels.
	Size() image.Point
	// Light reports whether the picture is for a light background.
	Light() bool
}

// Moment is a step of a match.
type Moment struct {
	Step    int    // 0 for the initial board
	State   []byte // after the step, in the form that clients read
	Inputs  []engine.Input
	Refused []engine.Refusal
	Scores  []int64 // the first figure of each player, by id; empty if the game has no figures
}

// turn returns the number of the TURN that shows the board: −1 for the initial board, since step 1
// is played before TURN 0 is sent.
func (m *Moment) turn() int { return m.Step - 1 }

// Match holds what a drawing needs to know about a match.
type Match struct {
	Names    []string // of the players, by ID
	Specials int      // special players: with IDs 0 to Specials-1
	Turns    int      // zero means no limit
}

// Options are the user's choices.
type Options struct {
	// length of the longer side in pixels, MinSize to MaxSize; zero: 960, or more if the board
	// needs it
	Size  int
	Light bool // for a light background; an SVG adapts to its reader's
}

// Limits of Options.Size.
const (
	MinSize = 160
	MaxSize = 4096
)

// frame is what the drawings of games have in common.
type frame struct {
	layout
	fonts
	light bool
}

// Size implements Drawing.
func (f *frame) Size() image.Point { return f.size }

// Light implements Drawing.
func (f *frame) Light() bool { return f.light }

// newFrame returns the frame of a picture of an area.
func (o *Options) newFrame(a area) (frame, error) {
	if o.Size != 0 && (o.Size < MinSize || o.Size > MaxSize) {
		return frame{}, fmt.Errorf("size %d is not in %d…%d", o.Size, MinSize, MaxSize)
	}
	l, err := newLayout(a, o.Size)
	return frame{l, fonts{}, o.Light}, err
}
