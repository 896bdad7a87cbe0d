package picture

import (
	"bufio"
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
)

// GIF encodes the images of a drawing as an animation that repeats for ever. Each frame holds
// what changed since the previous one; all frames share one palette. Encoded frames are not
// kept, so an animation may have any length.
type GIF struct {
	w       *bufio.Writer
	drawing Drawing
	palette []color.RGBA
	nearest []nearest
	pixels  []byte  // of the last frame
	indices []uint8 // their palette indices
	frame   []uint8
	lzw     *lzw.Writer
	begun   bool
}

// nearest caches the closest colour of the palette.
type nearest struct {
	rgb   uint32
	index uint8
	known bool
}

// transparent is the index of an unchanged pixel.
const transparent = 255

// nearestBits is the size of the cache of colours, as a power of two.
const nearestBits = 16

// NewGIF starts an animation of a drawing.
func NewGIF(w io.Writer, d Drawing) *GIF {
	g := &GIF{w: bufio.NewWriter(w), drawing: d, nearest: make([]nearest, 1<<nearestBits)}
	for _, c := range d.Palette(transparent) {
		g.palette = append(g.palette, color.RGBAModel.Convert(c).(color.RGBA))
	}
	n := len(d.Image().Pix)
	g.pixels, g.indices = make([]byte, n), make([]uint8, n/4)
	g.lzw = lzw.NewWriter(io.Discard, lzw.LSB, 8).(*lzw.Writer)
	return g
}

// Frame draws the last turn that the drawing followed and shows it for that many hundredths of
// a second.
func (g *GIF) Frame(hundredths int) error {
	changed := g.drawing.Draw()
	img := g.drawing.Image()
	if !g.begun {
		g.begin(img.Rect.Size())
		changed = img.Rect
	}
	part := g.quantize(img, changed)
	g.begun = true
	// Disposal method 1: the frame stays, so that pixels may remain unchanged.
	g.bytes(0x21, 0xF9, 4, 1<<2|1)
	g.number(hundredths)
	g.bytes(transparent, 0)
	g.bytes(0x2C)
	for _, n := range []int{part.Min.X, part.Min.Y, part.Dx(), part.Dy()} {
		g.number(n)
	}
	g.bytes(0, 8)
	blocks := &blockWriter{w: g.w}
	g.lzw.Reset(blocks, lzw.LSB, 8)
	if _, err := g.lzw.Write(g.frame); err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	if err := g.lzw.Close(); err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	return blocks.close()
}

// Close ends the animation.
func (g *GIF) Close() error {
	g.bytes(0x3B)
	return g.w.Flush()
}

func (g *GIF) begin(size image.Point) {
	_, _ = g.w.WriteString("GIF89a") // bufio keeps errors until Flush
	g.number(size.X)
	g.number(size.Y)
	g.bytes(0x80|7<<4|7, 0, 0) // a palette of 256 colours
	for i := range 256 {
		var c color.RGBA
		if i < len(g.palette) {
			c = g.palette[i]
		}
		g.bytes(c.R, c.G, c.B)
	}
	g.bytes(0x21, 0xFF, 11)
	_, _ = g.w.WriteString("NETSCAPE2.0")
	g.bytes(3, 1, 0, 0, 0) // repeat for ever
}

func (g *GIF) bytes(b ...byte) { _, _ = g.w.Write(b) }

func (g *GIF) number(n int) { g.bytes(byte(n), byte(n>>8)) }

// quantize converts what has changed to the next frame and returns its rectangle.
func (g *GIF) quantize(img *image.RGBA, changed image.Rectangle) image.Rectangle {
	var part image.Rectangle
	stride := img.Stride
	for y := changed.Min.Y; y < changed.Max.Y; y++ {
		row := image.Rect(changed.Min.X, y, changed.Max.X, y+1)
		if from, to := y*stride+4*row.Min.X, y*stride+4*row.Max.X; g.begun && bytes.Equal(img.Pix[from:to], g.pixels[from:to]) {
			continue
		}
		part = part.Union(row)
	}
	if part.Empty() {
		part = image.Rect(0, 0, 1, 1) // a frame must have a pixel
	}
	g.frame = g.frame[:0]
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; {
			const chunk = 16 // pixels; most have not changed
			n := min(chunk, part.Max.X-x)
			from, to := y*stride+4*x, y*stride+4*(x+n)
			if g.begun && bytes.Equal(img.Pix[from:to], g.pixels[from:to]) {
				g.frame = append(g.frame, unchanged[:n]...)
			} else {
				copy(g.pixels[from:to], img.Pix[from:to])
				g.append(from/4, to/4)
			}
			x += n
		}
	}
	return part
}

// unchanged is a chunk of unchanged pixels.
var unchanged = bytes.Repeat([]byte{transparent}, 16)

// append adds a range of pixels to the frame.
func (g *GIF) append(from, to int) {
	for k := from; k < to; k++ {
		index := g.index(binary.LittleEndian.Uint32(g.pixels[4*k:]))
		if index == g.indices[k] && g.begun {
			index = transparent
		} else {
			g.indices[k] = index
		}
		g.frame = append(g.frame, index)
	}
}

// index returns the index of the closest colour of the palette.
func (g *GIF) index(rgb uint32) uint8 {
	slot := &g.nearest[rgb*2654435761>>(32-nearestBits)]
	if slot.known && slot.rgb == rgb {
		return slot.index
	}
	r, gr, b := int(rgb&0xFF), int(rgb>>8&0xFF), int(rgb>>16&0xFF)
	best, least := 0, 1<<30
	for i, c := range g.palette {
		dr, dg, db := r-int(c.R), gr-int(c.G), b-int(c.B)
		if far := 2*dr*dr + 4*dg*dg + 3*db*db; far < least {
			best, least = i, far
		}
	}
	*slot = nearest{rgb, uint8(best), true}
	return uint8(best)
}

// blockWriter writes data in blocks of up to 255 bytes, each after its length.
type blockWriter struct {
	w     *bufio.Writer
	block [256]byte
	n     int
}

func (b *blockWriter) Write(data []byte) (int, error) {
	for i := 0; i < len(data); {
		n := copy(b.block[1+b.n:], data[i:])
		i, b.n = i+n, b.n+n
		if b.n == 255 {
			if err := b.flush(); err != nil {
				return i, err
			}
		}
	}
	return len(data), nil
}

func (b *blockWriter) flush() error {
	b.block[0] = byte(b.n)
	_, err := b.w.Write(b.block[:1+b.n])
	b.n = 0
	return err
}

// close writes the remaining data and the empty block that ends the sequence.
func (b *blockWriter) close() error {
	if b.n > 0 {
		if err := b.flush(); err != nil {
			return err
		}
	}
	return b.flush()
}
