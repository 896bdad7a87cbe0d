package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
)

// GIF encodes the images of a drawing as an animation that repeats for ever. Each frame holds
// what changed since the previous one, and has its own palette. Encoded frames are not
// kept, so an animation may have any length.
type GIF struct {
	w     *bufio.Writer
	image *Image
	shown []byte // the pixels of the last frame; nil before the first
}

// NewGIF starts an animation of a drawing.
func NewGIF(w io.Writer, d Drawing) *GIF { return &GIF{w: bufio.NewWriter(w), image: NewImage(d)} }

// The parts of a GIF as image/gif writes one of a single image without a common palette.
const (
	gifHeader  = 13 // bytes before the image
	gifTrailer = 1  // byte after it
)

// frameColors is the greatest number of colours of a frame. Twice as many would make files
// larger by a sixth without a visible difference, as few colours change between two frames.
const frameColors = 127

// repeat is the extension that repeats an animation for ever; it follows the header.
var repeat = []byte("\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00")

// Frame draws the last turn that the drawing followed and shows it for that many hundredths of
// a second.
func (g *GIF) Frame(hundredths int) error {
	img := g.image.Draw()
	var one bytes.Buffer
	err := gif.EncodeAll(&one, &gif.GIF{
		Image: []*image.Paletted{g.changes(img)}, Delay: []int{hundredths},
		Disposal: []byte{gif.DisposalNone},
		Config:   image.Config{Width: img.Rect.Dx(), Height: img.Rect.Dy()},
	})
	if err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	data := one.Bytes()
	if g.shown == nil {
		_, _ = g.w.Write(data[:gifHeader]) // bufio keeps errors until Flush
		_, _ = g.w.Write(repeat)
	}
	g.shown = append(g.shown[:0], img.Pix...)
	_, err = g.w.Write(data[gifHeader : len(data)-gifTrailer])
	return err
}

// Close ends the animation.
func (g *GIF) Close() error {
	_ = g.w.WriteByte(0x3B)
	return g.w.Flush()
}

// changes returns the smallest rectangle with all pixels that changed since the last frame;
// those in it that did not change are transparent.
func (g *GIF) changes(img *image.RGBA) *image.Paletted {
	box := image.Rect(0, 0, 1, 1) // a frame must have a pixel
	if g.shown == nil {
		box = img.Rect
	}
	counts := map[uint32]int{}
	for y := range img.Rect.Dy() {
		from := y * img.Stride
		row := img.Pix[from : from+img.Stride]
		if g.shown != nil && bytes.Equal(row, g.shown[from:from+img.Stride]) {
			continue
		}
		for x := range img.Rect.Dx() {
			if !g.same(img, from+4*x) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				counts[binary.LittleEndian.Uint32(row[4*x:])]++
			}
		}
	}
	palette, index := medianCut(counts, frameColors)
	p := image.NewPaletted(box, append(color.Palette{color.RGBA{}}, palette...))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if k := img.PixOffset(x, y); !g.same(img, k) {
				p.Pix[p.PixOffset(x, y)] = 1 + index[binary.LittleEndian.Uint32(img.Pix[k:])]
			}
		}
	}
	return p
}

// same reports whether a pixel is as in the last frame.
func (g *GIF) same(img *image.RGBA, offset int) bool {
	return g.shown != nil &&
		binary.LittleEndian.Uint32(img.Pix[offset:]) == binary.LittleEndian.Uint32(g.shown[offset:])
}
