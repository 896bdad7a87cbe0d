package export

import (
	"cmp"
	"errors"
	"fmt"
	"image/png"
	"io"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games/picture"
	"github.com/hexarena/hexarena/server/recording"
)

// errNoPicture is the error for a match of a game that cannot be drawn.
var errNoPicture = errors.New("there are no pictures of matches")

// newDrawing returns a drawing of the recording. size is that of its longer side, unless
// the options have another one.
func (x *exporter) newDrawing(h *recording.Header, size int) (picture.Drawing, error) {
	g, m := x.Games.OfRules(h.Rules), matchOf(h)
	if g == nil || g.Draw == nil || h.Rules == recording.External && m.View == nil {
		return nil, fmt.Errorf("%w whose rules are %q; --format json has the states", errNoPicture,
			h.Rules)
	}
	if x.Size != 0 {
		size = x.Size
	}
	var (
		last []byte
		err  error
	)
	if g.DrawsWhole {
		err = x.replay(func(p *recording.Replay, _ *recording.Turn) error {
			last = append(last[:0], p.State()...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	d, err := g.Draw(m, last, picture.Options{Size: size, Light: x.Light})
	if err != nil {
		return nil, usageErrorf("--size: %w", err)
	}
	return d, nil
}

// last returns the last turn of the recording, without playing it.
func (x *exporter) last() (int, error) {
	r, err := recording.Open(x.Path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for _, err := range r.Turns() {
		if err = cmp.Or(err, x.ctx.Err()); err != nil {
			return 0, x.named(err)
		}
	}
	if r.Step() < 0 {
		return 0, x.named(recording.ErrEmpty)
	}
	return r.Step(), nil
}

// turn returns the turn that an option names, or an error if the recording does not have it.
func (x *exporter) turn(option string, turn int) (int, error) {
	last, err := x.last()
	switch {
	case err != nil:
		return 0, err
	case turn == LastTurn:
		return last, nil
	case turn < 0 || turn > last:
		return 0, x.errTurn(option, turn, last)
	}
	return turn, nil
}

// writePNG writes a picture of a turn.
func writePNG(x *exporter, w io.Writer) error {
	return x.drawTurn(PNGSize,
		func(d picture.Drawing) error { return png.Encode(w, picture.NewImage(d).Draw()) })
}

// drawTurn feeds a drawing with the recording up to the turn of the options.
func (x *exporter) drawTurn(size int, write func(d picture.Drawing) error) error {
	turn, err := x.turn("turn", x.Turn)
	if err != nil {
		return err
	}
	return x.draw(size, func(d picture.Drawing, step int) error {
		if step < turn {
			return nil
		}
		return done(write(d))
	})
}

// draw plays the recording, has a drawing follow it, and calls see after each turn.
func (x *exporter) draw(size int, see func(d picture.Drawing, step int) error) error {
	var d picture.Drawing
	var inputs []engine.Input
	var scores []int64
	return x.replay(func(p *recording.Replay, t *recording.Turn) (err error) {
		if t.Step < x.skip {
			return nil
		}
		if d == nil {
			if d, err = x.newDrawing(p.Reader().Header(), size); err != nil {
				return err
			}
		}
		inputs = inputs[:0]
		for i := range t.Inputs {
			inputs = append(inputs, t.Inputs[i].Input)
		}
		scores = scores[:0]
		if names := len(p.Reader().Header().Counts); names > 0 {
			for of := range slices.Chunk(t.Tally, names) {
				scores = append(scores, of[0])
			}
		}
		m := picture.Moment{
			Step: t.Step, State: p.State(), Inputs: inputs, Refused: t.Refused, Scores: scores,
		}
		if err := d.Follow(&m); err != nil {
			return err
		}
		return see(d, t.Step)
	})
}

// The defaults of pictures and animations.
const (
	PNGSize   = 1280 // pixels: fits most screens
	GIFSize   = 640  // pixels: a smaller file, which a chat takes
	GIFFrames = 300  // of a longer match, only some turns are shown
	gifHold   = 200  // hundredths of a second that the last picture stays
)

// writeGIF writes an animation of some turns.
func writeGIF(x *exporter, w io.Writer) error {
	from, err := x.turn("from", x.From)
	if err != nil {
		return err
	}
	to, err := x.turn("to", x.To)
	if err != nil {
		return err
	}
	every := x.Every
	if every == 0 {
		every = max(1, (to-from+GIFFrames-1)/GIFFrames)
	}
	switch {
	case from > to:
		return usageErrorf("--from: %s: it is after --to, %s", TurnArg(from), TurnArg(to))
	case every < 0:
		return usageErrorf("--every: %d: it must be 1 or more; 0 shows up to %d turns", every, GIFFrames)
	case x.FPS < minFPS || x.FPS > maxFPS:
		return usageErrorf("--fps: %g is not in %g…%g", x.FPS, minFPS, maxFPS)
	}
	var g *picture.GIF
	return x.draw(GIFSize, func(d picture.Drawing, step int) error {
		if step < from || step < to && (step-from)%every != 0 {
			return nil
		}
		if g == nil {
			g = picture.NewGIF(w, d)
		}
		if step == to {
			return done(errors.Join(g.Frame(gifHold), g.Close()))
		}
		return g.Frame(int(100/x.FPS + 0.5))
	})
}

// Bounds of --fps. No browser shows more.
const (
	minFPS = 0.1
	maxFPS = 50.0
)

// writeSVG writes a drawing of the board after a turn.
func writeSVG(x *exporter, w io.Writer) error {
	return x.drawTurn(0, func(d picture.Drawing) error { return picture.WriteSVG(w, d) })
}
