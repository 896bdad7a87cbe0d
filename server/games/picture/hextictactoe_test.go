package picture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/games/picture"
)

// wonGame returns the turns of a short game with clocks that x wins.
func wonGame(t testing.TB) (moments []picture.Moment) {
	t.Helper()
	o := hextictactoe.Defaults()
	o.Clock = hextictactoe.Clock{Kind: hextictactoe.Incremental, Base: 25_000, Increment: 500}
	game := hextictactoe.New(o)
	if _, err := game.Start(engine.Setup{Players: 2, Turns: 20}); err != nil {
		t.Fatal(err)
	}
	moments = append(moments, picture.Moment{State: game.AppendState(nil)})
	moves := [][4]int{
		{1, 0, 0, 1}, {-1, 0, -2, 0}, {-3, 1, 2, 2}, {-3, 0, -4, 0}, {1, -3, 4, -2}, {-5, 0, 0, -5},
	}
	for i, m := range moves {
		in := engine.Input{Player: engine.PlayerID((i + 1) % 2), Turn: i, Micros: 2_300_000}
		in.Actions = fmt.Appendf(nil, `[{"pieces":[{"q":%d,"r":%d},{"q":%d,"r":%d}]}]`, m[0], m[1], m[2],
			m[3])
		if r := game.Step([]engine.Input{in}); len(r.Refused) > 0 || r.Over != (i == len(moves)-1) {
			t.Fatalf("move %d: %+v", i+1, r)
		}
		moments = append(moments, picture.Moment{Step: i + 1, State: game.AppendState(nil)})
	}
	return moments
}

func newGameDrawing(t testing.TB, moments []picture.Moment, o picture.Options) picture.Drawing {
	t.Helper()
	d, err := picture.NewHextictactoe(moments[len(moments)-1].State, []string{"mistral", "kraken"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHextictactoeSVG compares SVGs with the golden ones and checks that any name gives XML.
func TestHextictactoeSVG(t *testing.T) {
	moments := wonGame(t)
	for name, turn := range map[string]int{"row.svg": 6, "moves.svg": 4} {
		d, err := picture.NewHextictactoe(moments[6].State,
			[]string{"mistral & \x1b<b>", "a name that is far too long to be written whole"},
			picture.Options{Size: 400})
		if err != nil {
			t.Fatal(err)
		}
		follow(t, d, &moments[turn])
		goldenSVG(t, d, filepath.Join("testdata", name))
	}
}

// TestGoldenHextictactoe is like TestGolden.
func TestGoldenHextictactoe(t *testing.T) {
	moments := wonGame(t)
	for _, tt := range []struct {
		name string
		turn int
		o    picture.Options
	}{
		{"row", 6, picture.Options{Size: 400}},
		{"moves", 4, picture.Options{Size: 400, Light: true}},
	} {
		d := newGameDrawing(t, moments, tt.o)
		follow(t, d, &moments[tt.turn])
		golden(t, d, tt.name)
	}
}

// TestGIFOfHextictactoe checks that the frames of an animation, composed, equal the turns drawn
// one by one, and that all show the same part of the board.
func TestGIFOfHextictactoe(t *testing.T) {
	thorough.Long(t)
	moments := wonGame(t)
	o := picture.Options{Size: 320}
	var file bytes.Buffer
	d := newGameDrawing(t, moments, o)
	g := picture.NewGIF(&file, d)
	var drawn []*image.RGBA
	for i := range moments {
		follow(t, d, &moments[i])
		if err := g.Frame(10); err != nil {
			t.Fatal(err)
		}
		whole := newGameDrawing(t, moments, o)
		follow(t, whole, &moments[i])
		drawn = append(drawn, picture.NewImage(whole).Draw())
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := gif.DecodeAll(&file)
	if err != nil || len(got.Image) != len(moments) {
		t.Fatalf("%v, want %d frames", err, len(moments))
	}
	shown := image.NewRGBA(drawn[0].Rect)
	for i, frame := range got.Image {
		draw.Draw(shown, frame.Rect, frame, frame.Rect.Min, draw.Over)
		off := 0
		for k, v := range shown.Pix {
			off += max(int(v)-int(drawn[i].Pix[k]), int(drawn[i].Pix[k])-int(v))
		}
		if mean := float64(off) / float64(len(shown.Pix)); mean > 2.5 {
			t.Errorf("frame %d: the mean error of the colours is %.2f", i, mean)
		}
	}
}

// gameState returns a state with pieces at multiples of q, r.
func gameState(pieces int, q, r int) []byte {
	var cells []string
	for i := range pieces {
		cells = append(cells, fmt.Sprintf(`{"q":%d,"r":%d,"p":"%c"}`, i*q, i*r, "xo"[i%2]))
	}
	return fmt.Appendf(nil,
		`{"board":{"cells":[%s]},"view_distance":100,"win_distance":6,"clocks":{"x":-5,"o":null}}`,
		strings.Join(cells, ","))
}

// TestFarPieces checks that pictures have the requested size, or that an error is returned.
func TestFarPieces(t *testing.T) {
	thorough.Full(t)
	const edge = hextictactoe.MaxCoord
	for _, tt := range []struct {
		state []byte
		size  int
		want  string // part of the error
	}{
		{gameState(1, 0, 0), picture.MinSize, ""},
		{gameState(5000, 0, 0), 400, ""},
		{gameState(300, 3, 0), picture.MaxSize, ""},
		{gameState(300, 0, 3), picture.MaxSize, ""},
		{gameState(300, 1, 0), 640, "a picture of this board needs a size of at least 1"},
		{gameState(5000, 99, 1), picture.MaxSize, "the greatest is 4096"},
		{gameState(3, edge/2, edge/2), picture.MaxSize, "the greatest is 4096"},
		{gameState(1, 0, 0), picture.MaxSize + 1, "size 4097 is not in 160…4096"},
	} {
		d, err := picture.NewHextictactoe(tt.state, nil, picture.Options{Size: tt.size})
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%.80s: %v, want %s", tt.state, err, tt.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%.80s: %v", tt.state, err)
			continue
		}
		img := picture.NewImage(d)
		if size := img.Draw().Rect.Size(); max(size.X, size.Y) > tt.size {
			t.Errorf("%.80s: the picture is %v", tt.state, size)
		}
		follow(t, d, &picture.Moment{State: gameState(2000, edge/2000, 0)}) // out of sight
		img.Draw()
	}
}

// TestStrangeGames checks that invalid states are refused and that any name can be drawn.
func TestStrangeGames(t *testing.T) {
	good := string(gameState(3, 1, 0))
	for _, state := range []string{
		"", "{}", "null", `{"board":{"cells":[]}}`,
		strings.Replace(good, `"p":"o"`, `"p":"z"`, 1),
		strings.Replace(good, `"q":1,`, `"q":536870913,`, 1),
		strings.Replace(good, "100", "101", 1),
		strings.Replace(good, `"win_distance":6`, `"win_distance":1`, 1),
	} {
		if _, err := picture.NewHextictactoe([]byte(state), nil, picture.Options{Size: 200}); err == nil {
			t.Errorf("state %s is drawn", state)
		}
	}
	row := strings.Replace(good, `"clocks"`, `"row":[{"q":0,"r":0},{"q":999999,"r":9}],"move":-7,"turn_limit":1000000000000,"previous":[{},{},{"pieces":[{"q":9999}]}],"clocks"`, 1)
	for _, names := range [][]string{nil, {"", "\x00\n\u202e"}, {strings.Repeat("very long ", 500), "日本語", "more"}} {
		for _, size := range []int{picture.MinSize, 700} {
			d, err := picture.NewHextictactoe([]byte(row), names, picture.Options{Size: size})
			if err != nil {
				t.Fatal(err)
			}
			picture.NewImage(d).Draw()
		}
	}
}

// FuzzHextictactoe checks that any state leads to an error or to a picture of the requested size.
func FuzzHextictactoe(f *testing.F) {
	for _, m := range wonGame(f) {
		f.Add(m.State)
	}
	f.Add(gameState(9, 99, 1))
	f.Add([]byte(`{"board":{"cells":[{"q":0,"r":0,"p":"x"}]},"row":[{}],"previous":[{}],"clocks":{"x":null},"view_distance":1,"win_distance":2}`))
	f.Fuzz(func(t *testing.T, state []byte) {
		d, err := picture.NewHextictactoe(state, nil, picture.Options{Size: picture.MinSize})
		if err != nil {
			return
		}
		if size := picture.NewImage(d).Draw().Rect.Size(); max(size.X, size.Y) > picture.MinSize {
			t.Errorf("the picture is %v", size)
		}
	})
}
