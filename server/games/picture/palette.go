package picture

import (
	"cmp"
	"image/color"
	"slices"
)

// pixels is a colour and the number of its pixels.
type pixels struct {
	rgb   [3]int
	key   uint32
	count int
}

// medianCut returns at most n colours for an image with these colours, as image.RGBA has them,
// and these numbers of pixels of each; and for each of them the index of the colour that
// stands for it. It repeatedly splits the box of colours with the greatest spread.
func medianCut(counts map[uint32]int, n int) (palette color.Palette, index map[uint32]uint8) {
	var all []pixels
	for key, count := range counts {
		all = append(all,
			pixels{[3]int{int(key & 0xFF), int(key >> 8 & 0xFF), int(key >> 16 & 0xFF)}, key, count})
	}
	slices.SortFunc(all, func(a, b pixels) int { return cmp.Compare(a.key, b.key) })
	boxes := []box{newBox(all)}
	for len(boxes) < n {
		widest := 0
		for i := range boxes {
			if boxes[i].spread > boxes[widest].spread {
				widest = i
			}
		}
		if boxes[widest].spread == 0 {
			break
		}
		a, b := boxes[widest].cut()
		boxes[widest] = a
		boxes = append(boxes, b)
	}
	index = make(map[uint32]uint8, len(all))
	for i, b := range boxes {
		palette = append(palette,
			color.RGBA{uint8(b.mean[0] + 0.5), uint8(b.mean[1] + 0.5), uint8(b.mean[2] + 0.5), 255})
		for _, s := range b.shades {
			index[s.key] = uint8(i)
		}
	}
	return palette, index
}

// box is a set of similar colours.
type box struct {
	shades []pixels
	mean   [3]float64
	axis   int     // the component with the greatest spread
	spread float64 // its sum of squared differences
}

func newBox(shades []pixels) box {
	b := box{shades: shades}
	var total float64
	for _, s := range shades {
		for k, v := range s.rgb {
			b.mean[k] += float64(v * s.count)
		}
		total += float64(s.count)
	}
	for k := range b.mean {
		b.mean[k] /= max(1, total)
		spread := 0.0
		for _, s := range shades {
			spread += float64(s.count) * (float64(s.rgb[k]) - b.mean[k]) * (float64(s.rgb[k]) - b.mean[k])
		}
		if spread > b.spread {
			b.axis, b.spread = k, spread
		}
	}
	return b
}

// cut splits a box at its mean.
func (b *box) cut() (box, box) {
	low := 0
	for i, s := range b.shades {
		if float64(s.rgb[b.axis]) <= b.mean[b.axis] {
			b.shades[low], b.shades[i] = s, b.shades[low]
			low++
		}
	}
	return newBox(b.shades[:low]), newBox(b.shades[low:])
}
