package picture_test

import (
	"io"
	"testing"

	"github.com/hexarena/hexarena/server/games/picture"
)

// BenchmarkGIF draws and encodes an animation of 300 turns on the largest shipped map.
func BenchmarkGIF(b *testing.B) {
	moments := played(b, "archipelago", 0, 300)
	for b.Loop() {
		d := newDrawing(b, "archipelago", 0, picture.Options{Size: 640})
		g := picture.NewGIF(io.Discard, d)
		for i := range moments {
			if err := d.Follow(&moments[i]); err != nil {
				b.Fatal(err)
			}
			if err := g.Frame(10); err != nil {
				b.Fatal(err)
			}
		}
	}
}
