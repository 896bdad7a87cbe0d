package picture

import (
	"cmp"
	"image"
	"image/color"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// Palette implements Drawing. The colours are those of an invented moment that has some of
// everything.
func (d *hexabombDrawing) Palette(n int) color.Palette {
	sample := *d
	sample.img, sample.scratch = clone(d.ground), clone(d.ground)
	sample.shown, sample.caption = nil, ""
	sample.setUpSample()
	sample.Draw()
	return medianCut(sample.img, n)
}

// setUpSample sets up a moment in which all players have cells, characters and bombs.
func (d *hexabombDrawing) setUpSample() {
	cells, players := d.layout.cells, len(d.match.Names)
	s := &hexabomb.State{Score: map[engine.PlayerID]int{}}
	d.bombs, d.blasts = nil, nil
	for i, at := range cells {
		color := hexabomb.Color(i * (players + 1) / len(cells))
		s.Cells = append(s.Cells, hexabomb.Cell{Coord: at, Color: color})
		who := hexabomb.Character{ID: int32(i % 100), Color: color, Coord: at, BombCount: i % 3, Alive: i%4 != 0, ReviveDelay: i % 3}
		laid := laidBomb{Bomb: hexabomb.Bomb{Coord: at, Color: color, Range: 2, Delay: 1 + i%4}, cell: int32(i), fuse: 4}
		if color == 0 {
			continue
		}
		switch i % 9 {
		case 0, 4:
			s.Characters = append(s.Characters, who)
		case 2:
			d.bombs = append(d.bombs, laid)
		case 6:
			who.Alive = true
			s.Characters = append(s.Characters, who)
			d.bombs = append(d.bombs, laid)
		}
		if i%60 == 10 {
			b := blast{cell: int32(i), color: color}
			for e := range b.rays {
				b.rays[e] = d.layout.ray(int32(i), e, 3)
			}
			d.blasts = append(d.blasts, b)
		}
	}
	for id := range players {
		s.Score[engine.PlayerID(id)] = 1234567890
	}
	d.state = s
}

// shade is a colour and the number of its pixels.
type shade struct {
	rgb   [3]int
	count int
}

// medianCut returns at most n colours for an image. It repeatedly splits the box of colours with
// the greatest spread.
func medianCut(img *image.RGBA, n int) color.Palette {
	counts := map[[3]int]int{}
	for i := 0; i < len(img.Pix); i += 4 {
		counts[[3]int{int(img.Pix[i]), int(img.Pix[i+1]), int(img.Pix[i+2])}]++
	}
	var all []shade
	for rgb, count := range counts {
		all = append(all, shade{rgb, count})
	}
	slices.SortFunc(all, func(a, b shade) int { return slices.Compare(a.rgb[:], b.rgb[:]) })
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
	var p color.Palette
	for i := range boxes {
		m := boxes[i].mean
		p = append(p, color.RGBA{uint8(m[0] + 0.5), uint8(m[1] + 0.5), uint8(m[2] + 0.5), 255})
	}
	return p
}

// box is a set of similar colours.
type box struct {
	shades []shade
	mean   [3]float64
	axis   int     // the component with the greatest spread
	spread float64 // its sum of squared differences
}

func newBox(shades []shade) box {
	b := box{shades: shades}
	var total float64
	for _, s := range shades {
		for k, v := range s.rgb {
			b.mean[k] += float64(v * s.count)
		}
		total += float64(s.count)
	}
	for k := range b.mean {
		b.mean[k] /= total
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
	slices.SortStableFunc(b.shades, func(x, y shade) int { return cmp.Compare(x.rgb[b.axis], y.rgb[b.axis]) })
	i := slices.IndexFunc(b.shades, func(s shade) bool { return float64(s.rgb[b.axis]) > b.mean[b.axis] })
	return newBox(b.shades[:i]), newBox(b.shades[i:])
}
