package main

import (
	"errors"
	"fmt"
	"image/png"
	"io"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/maps/picture"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// drawnGame returns the game of a recording if able reports that it can be drawn.
func drawnGame(h *recording.Header, able func(*games.Game) bool) (*games.Game, error) {
	if g := gameList.OfRules(h.Rules); g != nil && able(g) {
		return g, nil
	}
	return nil, fmt.Errorf("there are no pictures of matches whose rules are %q; --format json has the states", h.Rules)
}

// newDrawing returns a drawing of the recording. size is that of its longer side, unless
// --size says otherwise.
func (x *export) newDrawing(h *recording.Header, size int) (picture.Drawing, error) {
	g, err := drawnGame(h, func(g *games.Game) bool { return g.Draw != nil })
	if err != nil {
		return nil, err
	}
	if x.size != 0 {
		size = x.size
	}
	var last []byte
	if g.DrawsWhole {
		err = x.replay(func(p *recording.Replay, _ *recording.Turn) error {
			last = append(last[:0], p.State()...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	d, err := g.Draw(matchOf(h), last, picture.Options{Size: size, Light: x.light})
	if err != nil {
		return nil, usageErrorf("--size: %w", err)
	}
	return d, nil
}

// done returns what ends a replay: err, or io.EOF if that is nil.
func done(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// lastTurn returns the last turn of the recording, without playing it.
func (x *export) lastTurn() (int, error) {
	r, err := recording.Open(x.path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for _, err := range r.Turns() {
		if err != nil {
			return 0, x.named(err)
		}
		if x.ctx.Err() != nil {
			return 0, errInterrupted
		}
	}
	if r.Step() < 0 {
		return 0, errNoTurns(x.path)
	}
	return r.Step(), nil
}

// chosen returns the turns that flags ask for, or an error if the recording does not have
// them.
func (x *export) chosen(flags ...turnFlag) (turns []int, err error) {
	last, err := x.lastTurn()
	if err != nil {
		return nil, err
	}
	for _, f := range flags {
		switch {
		case f.turn == lastTurn:
			f.turn = last
		case f.turn < 0 || f.turn > last:
			return nil, errTurn(f, x.path, last)
		}
		turns = append(turns, f.turn)
	}
	return turns, nil
}

// exportPNG writes a picture of a turn.
func exportPNG(x *export, w io.Writer) error {
	turns, err := x.chosen(turnFlag{"turn", x.turn})
	if err != nil {
		return err
	}
	const size = 1280
	return x.draw(size, func(d picture.Drawing, step int) error {
		if step < turns[0] {
			return nil
		}
		d.Draw()
		return done(png.Encode(w, d.Image()))
	})
}

// draw plays the recording, has a drawing follow it, and calls see after each turn.
func (x *export) draw(size int, see func(d picture.Drawing, step int) error) error {
	var d picture.Drawing
	var inputs []engine.Input
	return x.replay(func(p *recording.Replay, t *recording.Turn) (err error) {
		if d == nil {
			if d, err = x.newDrawing(p.Reader().Header(), size); err != nil {
				return err
			}
		}
		inputs = inputs[:0]
		for i := range t.Inputs {
			inputs = append(inputs, t.Inputs[i].Input)
		}
		if err := d.Follow(&picture.Moment{Step: t.Step, State: p.State(), Inputs: inputs, Refused: t.Refused}); err != nil {
			return err
		}
		return see(d, t.Step)
	})
}

// The defaults of an animation.
const (
	gifSize   = 640
	gifFrames = 300 // of a longer match, only some turns are shown
	gifHold   = 200 // hundredths of a second that the last picture stays
)

// exportGIF writes an animation of some turns.
func exportGIF(x *export, w io.Writer) error {
	turns, err := x.chosen(turnFlag{"from", x.from}, turnFlag{"to", x.to})
	if err != nil {
		return err
	}
	from, to, every := turns[0], turns[1], x.every
	if every == 0 {
		every = max(1, (to-from+gifFrames-1)/gifFrames)
	}
	switch {
	case from > to:
		return usageErrorf("--from: %d: it is after --to, %d", from, to)
	case every < 0:
		return usageErrorf("--every: %d: it must be 1 or more; 0 shows up to %d turns", every, gifFrames)
	case x.fps < minFPS || x.fps > maxFPS:
		return usageErrorf("--fps: %g is not in %g…%g", x.fps, minFPS, maxFPS)
	}
	var g *picture.GIF
	return x.draw(gifSize, func(d picture.Drawing, step int) error {
		if step < from || step < to && (step-from)%every != 0 {
			return nil
		}
		if g == nil {
			g = picture.NewGIF(w, d)
		}
		if step == to {
			return done(errors.Join(g.Frame(gifHold), g.Close()))
		}
		return g.Frame(int(100/x.fps + 0.5))
	})
}

// Bounds of --fps. No browser shows more.
const (
	minFPS = 0.1
	maxFPS = 50.0
)

// exportSVG writes a drawing of the board after a turn.
func exportSVG(x *export, w io.Writer) error {
	turns, err := x.chosen(turnFlag{"turn", x.turn})
	if err != nil {
		return err
	}
	return x.replay(func(p *recording.Replay, t *recording.Turn) error {
		h := p.Reader().Header()
		g, err := drawnGame(h, func(g *games.Game) bool { return g.SVG != nil })
		if err != nil {
			return err
		}
		if t.Step < turns[0] {
			return nil
		}
		return done(g.SVG(w, matchOf(h), turns[0], p.State()))
	})
}
