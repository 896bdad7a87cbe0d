package export

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// before is the number of turns a drawing follows before the first that is shown, so that it knows
// the whole delays of the bombs then.
const before = 32

// pageFPS is the number of turns the page's animations show in a second: slow enough to see each
// move.
const pageFPS = 4

// Drawing returns a function that draws the recordings of a folder for the page.
func Drawing(dir string, list games.List) web.Draw {
	return func(ctx context.Context, name string, p web.Picture, w io.Writer) error {
		x := &exporter{
			ctx:       ctx,
			Recording: Recording{Path: filepath.Join(dir, name), Games: list, Progress: func(int, int) {}},
			Options:   Options{Size: p.Size, Light: p.Light},
			unchecked: true,
		}
		err := x.drawFor(p, w)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, fs.ErrNotExist):
			return fs.ErrNotExist
		case errors.Is(err, errNoPicture):
			return errors.New("is of a game that has no pictures")
		case err != nil && !errors.As(err, new(turnError)):
			return errors.New("cannot be drawn") // the cause names the file's path
		}
		return err
	}
}

// turnError is the error for a step that the recording does not have.
type turnError struct{ step, last int }

func (e turnError) Error() string {
	return fmt.Sprintf("has turns 0 to %d, and not %d", match.ShownIn(e.last), match.ShownIn(e.step))
}

// drawFor draws a picture of a turn, or an animation of some.
func (x *exporter) drawFor(p web.Picture, w io.Writer) error {
	last, err := x.last()
	if damage := (*recording.DamageError)(nil); errors.As(err, &damage) && damage.Step >= 0 {
		last, err = damage.Step, nil // what can be read is drawn
	}
	if err != nil {
		return err
	}
	if p.To == LastTurn {
		p.To = last
	}
	if p.To > last {
		return turnError{p.To, last}
	}
	if !p.Animated {
		p.From = p.To
	}
	x.skip = max(0, p.From-before)
	var g *picture.GIF
	return x.draw(p.Size, func(d picture.Drawing, step int) error {
		switch {
		case step < p.From:
			return nil
		case !p.Animated:
			return done(png.Encode(w, picture.NewImage(d).Draw()))
		case g == nil:
			g = picture.NewGIF(w, d)
		}
		if step == p.To {
			return done(errors.Join(g.Frame(gifHold), g.Close()))
		}
		return g.Frame(100 / pageFPS)
	})
}
