package picture_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games/picture"
)

// svgOf returns a drawing as an SVG that was checked.
func svgOf(t *testing.T, d picture.Drawing) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := picture.WriteSVG(&b, d); err != nil {
		t.Fatal(err)
	}
	checkXML(t, b.Bytes())
	return b.Bytes()
}

// goldenSVG compares an SVG with the golden one.
func goldenSVG(t *testing.T, d picture.Drawing, file string) {
	t.Helper()
	got := svgOf(t, d)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs (%v); review it, then run go test ./server/games/picture -update", file, err)
	}
}

// TestPicturesOfMaps compares the pictures in the documentation with the maps.
func TestPicturesOfMaps(t *testing.T) {
	for _, info := range maps.List() {
		m, err := maps.Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		goldenSVG(t, newMap(t, m, info),
			filepath.Join("..", "..", "..", "docs", "img", "maps", info.Name+".svg"))
	}
}

func newMap(t *testing.T, m *hexabomb.Map, info maps.Info) picture.Drawing {
	t.Helper()
	d, err := picture.NewMap(m, info, picture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestMapOfManyPlayers(t *testing.T) {
	thorough.Long(t)
	m, err := maps.Generate(maps.Options{Players: 300})
	if err != nil {
		t.Fatal(err)
	}
	svg := string(svgOf(t, newMap(t, m, maps.Info{Name: `<&"`, Players: 300})))
	if !strings.Contains(svg, ">+2") || !strings.Contains(svg, "&lt;&amp;&#34;</text>") {
		t.Error("the strip does not end with the number of players that it leaves out, or the name is " +
			"not escaped")
	}
}

// TestSizeSuitsTheBoard checks that the usual size grows with the board, up to the greatest.
func TestSizeSuitsTheBoard(t *testing.T) {
	m := &hexabomb.Map{Starts: [][]hexgrid.Coord{{{}}}, Cells: []hexgrid.Coord{{}, {Q: 500}}}
	if svg := string(svgOf(t, newMap(t, m, maps.Info{}))); !strings.Contains(svg, `width="2056"`) {
		t.Errorf("the picture of a board of 501 cells across begins with %.150s", svg)
	}
	m.Cells[1].Q = 5000
	if _, err := picture.NewMap(m, maps.Info{}, picture.Options{}); err == nil ||
		!strings.Contains(err.Error(), "the greatest is 4096") {
		t.Errorf("a board of 5001 cells across: %v", err)
	}
}

func TestSVGReportsFailedWrites(t *testing.T) {
	m, err := maps.Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	r.Close()
	if err := picture.WriteSVG(w, newMap(t, m, maps.Info{})); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("WriteSVG to a closed pipe = %v, want %v", err, io.ErrClosedPipe)
	}
}

// TestStateSVG checks that a picture of a match shows what is on the board and escapes names.
func TestStateSVG(t *testing.T) {
	m, err := maps.Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	start := m.Starts[0][0]
	s := &hexabomb.State{
		Characters: []hexabomb.Character{
			{ID: 0, Color: 1, Coord: m.Specials[0], Alive: true},
			{ID: 17, Color: 2, Coord: start, Alive: true},
			{ID: 2, Color: 2, Coord: m.Cells[2]},
		},
		Bombs: []hexabomb.Bomb{
			{Color: 2, Range: 3, Delay: 8, Coord: m.Cells[1]},
			{Color: 2, Range: 2, Delay: 4, Coord: start}, // under a character
		},
		Explosions: map[hexabomb.Color][]hexgrid.Coord{0: {m.Cells[3]}, 2: {m.Cells[4]}},
		Score:      map[engine.PlayerID]int{1: 1234},
	}
	for i, c := range m.Cells {
		s.Cells = append(s.Cells, hexabomb.Cell{Coord: c, Color: hexabomb.Color(i % 3)})
	}
	state, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	d, err := picture.NewHexabomb(m,
		picture.Match{Names: []string{"ghost", "<ann>"}, Specials: 1, Turns: 9},
		picture.Options{Size: 700})
	if err != nil {
		t.Fatal(err)
	}
	follow(t, d, &picture.Moment{Step: 3, State: state})
	svg := string(svgOf(t, d))
	for want, times := range map[string]int{
		"turn 2 of 9</title>": 1, ">&lt;ann&gt;</text>": 1, ">1\u2009234</text>": 1, ">17</text>": 1,
		">8</text>": 1, ">4</text>": 1, " / 9</text>": 1,
	} {
		if got := strings.Count(svg, want); got != times {
			t.Errorf("the picture has %q %d times, want %d", want, got, times)
		}
	}
}

// checkXML checks that data is one XML element and that all references in it can be resolved.
func checkXML(t *testing.T, data []byte) {
	t.Helper()
	ids, used := map[string]bool{}, map[string]bool{}
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, _ := token.(xml.StartElement)
		for _, a := range start.Attr {
			switch a.Name.Local {
			case "id":
				if ids[a.Value] {
					t.Errorf("two elements have the id %q", a.Value)
				}
				ids[a.Value] = true
			case "href":
				used[strings.TrimPrefix(a.Value, "#")] = true
			}
		}
	}
	for id := range used {
		if !ids[id] {
			t.Errorf("no element has the id %q", id)
		}
	}
}
