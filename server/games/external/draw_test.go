package external

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
)

const (
	exampleView  = `{"cells":"/board/cells","color":"owner","label":"n","pieces":[{"list":"/pieces","label":"id","shown_if":"alive"}]}`
	exampleState = `{"board":{"cells":[
		{"q":0,"r":0,"owner":1,"n":12},{"q":1,"r":-1,"owner":"#F80","n":"a long label"},{"q":2,"r":0,"owner":"red"},
		{"q":"0","r":1},{"r":1},{"q":0.5,"r":1},{"q":70000,"r":0},7,null]},
		"pieces":[{"q":0,"r":0,"color":0,"id":3,"alive":true},{"q":0,"r":0,"id":4,"alive":false},{"q":9,"r":9,"id":5,"alive":true}]}`
)

func TestCellsIn(t *testing.T) {
	d, err := draw(&games.Match{View: []byte(exampleView), Rules: "x/1", Names: []string{"a", "b"}, Turns: 3}, []byte(exampleState), picture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Follow(&picture.Moment{Step: 2, State: []byte(exampleState), Scores: []int64{1, -1000}}); err != nil {
		t.Fatal(err)
	}
	if title := d.Title(); title != "x/1, turn 1 of 3" {
		t.Errorf("title %q", title)
	}
	picture.NewImage(d).Draw()
	view, err := netorcai.ParseView([]byte(exampleView))
	if err != nil {
		t.Fatal(err)
	}
	got, err := cellsIn([]byte(exampleState), view)
	if err != nil {
		t.Fatal(err)
	}
	at := func(q, r int) hexgrid.Coord { return hexgrid.Coord{Q: q, R: r} }
	want := picture.Cells{
		Board: []picture.Cell{
			{Coord: at(0, 0), Player: 1, Label: "12"},
			{Coord: at(1, -1), Player: -1, Color: maps.Hex(0xFF8800), Label: "a lo"},
			{Coord: at(2, 0), Player: -1},
		},
		Pieces: []picture.Cell{{Coord: at(0, 0), Label: "3"}, {Coord: at(9, 9), Player: -1, Label: "5"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A state without cells is an error, not a picture.
func TestNothingToDraw(t *testing.T) {
	for _, state := range []string{`{}`, `{"board":{"cells":{}}}`, `[`, `null`} {
		if _, err := draw(&games.Match{View: []byte(exampleView)}, []byte(state), picture.Options{}); err == nil {
			t.Errorf("%s is drawn", state)
		}
	}
	if _, err := draw(&games.Match{View: []byte(`{"cells":7}`)}, []byte(exampleState), picture.Options{}); err == nil {
		t.Error("a view that is none is accepted")
	}
}
