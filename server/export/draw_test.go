package export

import (
	"bytes"
	"context"
	"image/gif"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/web"
)

// The page's pictures have the size that was asked for, its animations a frame for each turn;
// errors do not say where the file is.
func TestDrawing(t *testing.T) {
	r := noted(t)
	dir, name := filepath.Split(r.Path)
	draw := Drawing(dir, all)
	var out bytes.Buffer
	if err := draw(t.Context(), name, web.Picture{To: LastTurn, Size: 320}, &out); err != nil {
		t.Fatal(err)
	}
	if img, err := png.DecodeConfig(&out); err != nil || max(img.Width, img.Height) != 320 {
		t.Errorf("a picture of 320 pixels: %+v, %v", img, err)
	}
	out.Reset()
	if err := draw(t.Context(), name, web.Picture{Animated: true, From: 1, To: 2, Size: 200}, &out); err != nil {
		t.Fatal(err)
	}
	if moving, err := gif.DecodeAll(&out); err != nil || len(moving.Image) != 2 {
		t.Errorf("an animation of two turns: %v, %v", moving, err)
	}
	for _, c := range []struct {
		name, want string
		turn       int
	}{{name, "has turns 0 to 2, and not 8", 9}, {"none.hexarena", "not exist", 0}} {
		err := draw(t.Context(), c.name, web.Picture{To: c.turn, Size: 320}, &out)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s, turn %d: %v, want %q", c.name, c.turn, err, c.want)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := draw(gone, name, web.Picture{To: 1, Size: 320}, &out); err != context.Canceled {
		t.Errorf("for a client that has gone: %v", err)
	}
}
