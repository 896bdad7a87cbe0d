package picture_test

import (
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games/picture"
)

// FuzzHexabomb checks that any state and answer lead to an error or to a picture of the
// requested size.
func FuzzHexabomb(f *testing.F) {
	moments := played(f, "pebble", 1, 30)
	for _, m := range moments[len(moments)-4:] {
		f.Add(m.State, []byte(m.Inputs[0].Actions))
	}
	f.Add([]byte(`{"cells":[{"q":9,"r":9,"color":-7}],"bombs":[{"q":0,"r":0,"color":2147483647,"range":2147483647,"delay":-9}],"explosions":{"-3":[{"q":0,"r":0}]}}`), []byte(`[{"id":-1}]`))
	fresh := func(t testing.TB) (picture.Drawing, *picture.Image) {
		d := newDrawing(t, "pebble", 1, picture.Options{Size: picture.MinSize})
		follow(t, d, &moments[1])
		return d, picture.NewImage(d)
	}
	d, img := fresh(f)
	uses := 0
	f.Fuzz(func(t *testing.T, state, actions []byte) {
		// an image caches sprites of every player, and a new image is expensive
		if uses++; uses%4096 == 0 {
			d, img = fresh(t)
		}
		for step, m := range []picture.Moment{
			moments[0], {State: state, Inputs: []engine.Input{{Player: 0, Actions: actions}}}, moments[1],
		} {
			m.Step = step
			if d.Follow(&m) != nil {
				continue
			}
			if size := img.Draw().Rect.Size(); max(size.X, size.Y) > picture.MinSize {
				t.Errorf("the picture is %v", size)
			}
		}
	})
}
