package picture_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games/picture"
)

var update = flag.Bool("update", false, "write the golden pictures and their moments")

// saved is a golden file with some turns of a match.
type saved struct {
	Map      string
	Specials int
	Moments  []picture.Moment
}

// TestGolden compares pictures with the reviewed ones. Floating-point results, and with them
// colours, may differ slightly between machines.
func TestGolden(t *testing.T) {
	thorough.Long(t)
	for _, tt := range []struct {
		name     string
		mapName  string
		specials int
		turn     int
		o        picture.Options
	}{
		{"classical", "pebble", 0, 26, picture.Options{Size: 400}},
		{"sudden", "pebble", 1, 9, picture.Options{Size: 400, Light: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if *update {
				moments := played(t, tt.mapName, tt.specials, tt.turn)[tt.turn-5:]
				data, err := json.Marshal(saved{tt.mapName, tt.specials, moments})
				if err == nil {
					err = os.WriteFile("testdata/"+tt.name+".json", data, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			var s saved
			data, err := os.ReadFile("testdata/" + tt.name + ".json")
			if err == nil {
				err = json.Unmarshal(data, &s)
			}
			if err != nil {
				t.Fatal(err)
			}
			d := newDrawing(t, s.Map, s.Specials, tt.o)
			for i := range s.Moments {
				follow(t, d, &s.Moments[i])
			}
			golden(t, d, tt.name)
		})
	}
}

// golden compares a picture with the golden one.
func golden(t *testing.T, d picture.Drawing, name string) {
	t.Helper()
	img := picture.NewImage(d).Draw()
	name = "testdata/" + name + ".png"
	if *update {
		var file bytes.Buffer
		if err := png.Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if far := farthest(t, img, want); far > 3 {
		t.Errorf("a colour differs by %d from %s; review it, then run go test ./server/games/picture -update",
			far, name)
	}
}

func follow(t testing.TB, d picture.Drawing, m *picture.Moment) {
	t.Helper()
	if err := d.Follow(m); err != nil {
		t.Fatal(err)
	}
}

// farthest returns the greatest difference of a colour between two pictures.
func farthest(t testing.TB, a *image.RGBA, other image.Image) (far int) {
	t.Helper()
	if a.Rect != other.Bounds() {
		t.Fatalf("the picture is %v, want %v", a.Rect, other.Bounds())
	}
	b := image.NewRGBA(a.Rect)
	draw.Draw(b, b.Rect, other, b.Rect.Min, draw.Src)
	for i, v := range a.Pix {
		far = max(far, int(v)-int(b.Pix[i]), int(b.Pix[i])-int(v))
	}
	return far
}

// TestDrawRepeatedly checks that drawing turn by turn gives the same pictures as drawing each
// one from scratch.
func TestDrawRepeatedly(t *testing.T) {
	thorough.Long(t)
	turns := thorough.Size(17, 80)
	for _, specials := range []int{0, 1} {
		moments := played(t, "pebble", specials, turns)
		o := picture.Options{Size: 300}
		d := newDrawing(t, "pebble", specials, o)
		img := picture.NewImage(d)
		for i := range moments {
			follow(t, d, &moments[i])
			got := img.Draw()
			if i%8 != 0 {
				continue
			}
			whole := newDrawing(t, "pebble", specials, o)
			for k := range i + 1 {
				follow(t, whole, &moments[k])
			}
			if !bytes.Equal(got.Pix, picture.NewImage(whole).Draw().Pix) {
				t.Fatalf("%d specials: turn %d looks different when it is drawn from scratch", specials, i)
			}
		}
	}
}

func TestGIF(t *testing.T) {
	thorough.Full(t)
	moments := played(t, "pebble", 0, thorough.Size(12, 40))
	d := newDrawing(t, "pebble", 0, picture.Options{Size: 320})
	var file bytes.Buffer
	g := picture.NewGIF(&file, d)
	still := picture.NewImage(d)
	var drawn []*image.RGBA
	for i := range moments {
		follow(t, d, &moments[i])
		if err := g.Frame(10); err != nil {
			t.Fatal(err)
		}
		img := *still.Draw()
		img.Pix = bytes.Clone(img.Pix)
		drawn = append(drawn, &img)
	}
	if err := g.Frame(200); err != nil { // a turn without changes
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Image) != len(moments)+1 || got.Delay[3] != 10 || got.Delay[len(moments)] != 200 ||
		got.LoopCount != 0 {
		t.Errorf("%d frames, delays %v, loops %d", len(got.Image), got.Delay, got.LoopCount)
	}
	shown := image.NewRGBA(drawn[0].Rect)
	for i, frame := range got.Image[:len(moments)] {
		draw.Draw(shown, frame.Rect, frame, frame.Rect.Min, draw.Over)
		off := 0
		for k, v := range shown.Pix {
			off += max(int(v)-int(drawn[i].Pix[k]), int(drawn[i].Pix[k])-int(v))
		}
		if mean := float64(off) / float64(len(shown.Pix)); mean > 2.5 {
			t.Fatalf("frame %d: the mean error of the colours is %.2f", i, mean)
		}
	}
}

// TestGIFWriteError checks that write errors are returned at the end at the latest.
func TestGIFWriteError(t *testing.T) {
	thorough.Long(t)
	moments := played(t, "pebble", 0, 3)
	d := newDrawing(t, "pebble", 0, picture.Options{Size: 640})
	r, w := io.Pipe()
	r.Close()
	g := picture.NewGIF(w, d)
	var err error
	for i := range moments {
		follow(t, d, &moments[i])
		if err = g.Frame(10); err != nil {
			break
		}
	}
	if err == nil {
		err = g.Close()
	}
	if err == nil {
		t.Error("Close succeeded after failed writes")
	}
}

func TestOptions(t *testing.T) {
	thorough.Long(t)
	board, err := maps.Load("archipelago")
	if err != nil {
		t.Fatal(err)
	}
	wide := &hexabomb.Map{Cells: slices.Clone(board.Cells)}
	wide.Cells[len(wide.Cells)-1].Q += 5000
	for _, tt := range []struct {
		board *hexabomb.Map
		size  int
		want  string
	}{
		{board, -1, "size -1 is not in 160…4096"},
		{board, 5000, "size 5000 is not in 160…4096"},
		{wide, 4096, "needs a size of at least 20"},
	} {
		if _, err := picture.NewHexabomb(tt.board, picture.Match{}, picture.Options{Size: tt.size}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("size %d: %v, want %s", tt.size, err, tt.want)
		}
	}
	first := played(t, "archipelago", 0, 0)[0]
	for _, size := range thorough.Size([]int{160, 161, 479}, []int{160, 161, 479, 1281, 3000}) {
		d := newDrawing(t, "archipelago", 0, picture.Options{Size: size})
		follow(t, d, &first)
		if got := picture.NewImage(d).Draw().Rect.Size(); max(got.X, got.Y) > size {
			t.Errorf("size %d: the picture is %v", size, got)
		}
	}
}

// TestStrangeNames checks that any names and any number of players can be drawn.
func TestStrangeNames(t *testing.T) {
	thorough.Long(t)
	board, err := maps.Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	moment := played(t, "pebble", 0, 1)[1]
	for _, names := range [][]string{
		nil,
		{"", "\x00\n\t\u202e", strings.Repeat("very long ", 500), "\xff\xfe"},
		{"日本語", "🙂🙂🙂", "</svg>", "é́́́"},
		slices.Repeat([]string{"one of many"}, 1000),
	} {
		for _, size := range []int{picture.MinSize, 700} {
			d, err := picture.NewHexabomb(board, picture.Match{Names: names, Turns: 1 << 40},
				picture.Options{Size: size})
			if err != nil {
				t.Fatal(err)
			}
			follow(t, d, &moment)
			picture.NewImage(d).Draw()
			if err := picture.WriteSVG(io.Discard, d); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestStrangeStates checks that invalid states are refused and that nonsense in valid
// ones is ignored.
func TestStrangeStates(t *testing.T) {
	thorough.Long(t)
	d := newDrawing(t, "pebble", 0, picture.Options{Size: 300})
	moment := played(t, "pebble", 0, 1)[1]
	for _, state := range []string{
		"", "{}", "null", `{"cells":[{"q":0,"r":0,"color":1}]}`, `{"cells":7}`,
	} {
		if err := d.Follow(&picture.Moment{State: []byte(state)}); err == nil {
			t.Errorf("state %s is drawn", state)
		}
	}
	var s map[string]any
	if err := json.Unmarshal(moment.State, &s); err != nil {
		t.Fatal(err)
	}
	s["characters"] = []any{
		map[string]any{"id": 1 << 30, "color": 60000, "q": 999, "r": 0},
		map[string]any{"id": -5, "color": 0, "q": 0, "r": 0, "alive": true},
	}
	s["bombs"] = []any{
		map[string]any{"color": 9, "range": 1 << 40, "delay": -3, "q": 0, "r": 0},
		map[string]any{"q": 1 << 40},
	}
	s["explosions"] = map[string]any{"0": []any{map[string]any{"q": 999, "r": 0}}, "7": []any{}}
	state, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	inputs := []engine.Input{
		{Actions: []byte(
			`[{"id":-1,"movement":"bomb"},{"id":1,"movement":"bomb","bomb_range":99999999},7]`)},
		{Actions: []byte("no")},
	}
	for range 2 {
		follow(t, d, &picture.Moment{State: state, Inputs: inputs})
		picture.NewImage(d).Draw()
	}
}
