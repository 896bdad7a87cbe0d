package picture_test

import (
	"io"
	"testing"

	"github.com/hexarena/hexarena/maps/picture"
)

// BenchmarkGIF draws and writes an animation of 300 turns of a match on the
// largest of the shipped maps.
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
