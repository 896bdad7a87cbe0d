package netorcai

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Limits of a view. They are far beyond what a game needs, and keep what every recording and
// every viewer gets of it small.
const (
	maxPieceLists = 8
	maxPath       = 200 // bytes of a JSON pointer or of a field's name
)

// The layouts of a [View].
const (
	Pointy = "pointy" // cells have a corner at the top
	Flat   = "flat"   // cells have an edge at the top
)

// View says where the states of a game have what pictures of them show: a game logic describes
// so how its game is drawn. Places in a state are JSON pointers (RFC 6901), the others names of
// fields. Every field is set but those that may be empty.
type View struct {
	Cells string `json:"cells"` // the list of the board's cells
	Marks        // of its members
	// lists of what is on the cells; later ones are drawn over earlier ones
	Pieces []Pieces `json:"pieces,omitempty"`
	// the list of the players' scores, by id; empty: the states have none
	Scores string `json:"scores,omitempty"`
	Layout string `json:"layout"` // Pointy or Flat
}

// Marks are the names of the fields that a cell or a piece is drawn by.
type Marks struct {
	Q string `json:"q"` // axial coordinate
	R string `json:"r"` // axial coordinate
	// a player's id, or a color as in CSS: #rgb or #rrggbb; anything else: no color
	Color string `json:"color"`
	// a text or number of a few characters; empty: pieces have no label
	Label string `json:"label,omitempty"`
}

// Pieces is a list of pieces that stand on the cells.
type Pieces struct {
	List string `json:"list"` // where it is
	Marks
	// a piece is drawn if this field is true; empty: each is
	ShownIf string `json:"shown_if,omitempty"`
}

// usualMarks are the names of fields that a view leaves out.
var usualMarks = Marks{Q: "q", R: "r", Color: "color"}

// ParseView reads the view of a DO_INIT_ACK. Unknown keys are ignored.
func ParseView(v jsonscan.Value) (*View, error) {
	if v.Kind() != jsonscan.Object {
		return nil, errors.New("view: not an object")
	}
	view := &View{Marks: usualMarks, Layout: Pointy}
	var p viewParser
	for key, v := range v.Fields() {
		switch {
		case key.Is("cells"):
			p.pointer(&view.Cells, "cells", v)
		case key.Is("scores"):
			p.pointer(&view.Scores, "scores", v)
		case key.Is("pieces"):
			view.Pieces = p.pieces(v)
		case key.Is("layout"):
			if view.Layout = v.Text(); view.Layout != Pointy && view.Layout != Flat {
				p.fail("layout", `not "pointy" or "flat"`)
			}
		default:
			p.mark(&view.Marks, key, v)
		}
	}
	if view.Cells == "" {
		p.fail("cells", "missing; name the list of cells, as in /cells")
	}
	return view, p.err
}

// viewParser reads the parts of a view, and keeps the first error.
type viewParser struct{ err error }

func (p *viewParser) fail(key, why string) {
	if p.err == nil {
		p.err = fmt.Errorf("view: %s: %s", key, why)
	}
}

// pieces reads the lists of pieces.
func (p *viewParser) pieces(v jsonscan.Value) (lists []Pieces) {
	if v.Kind() != jsonscan.Array {
		p.fail("pieces", "not an array")
	}
	for i, v := range v.Elements() {
		if i == maxPieceLists {
			p.fail("pieces", fmt.Sprintf("more than %d lists", maxPieceLists))
			break
		}
		one := Pieces{Marks: usualMarks}
		for key, v := range v.Fields() {
			switch {
			case key.Is("list"):
				p.pointer(&one.List, "list", v)
			case key.Is("shown_if"):
				p.name(&one.ShownIf, "shown_if", v)
			default:
				p.mark(&one.Marks, key, v)
			}
		}
		if one.List == "" {
			p.fail("pieces", "a member has no list; name one, as in /characters")
		}
		lists = append(lists, one)
	}
	return lists
}

// mark reads a field of Marks; other keys are unknown.
func (p *viewParser) mark(m *Marks, key, v jsonscan.Value) {
	switch {
	case key.Is("q"):
		p.name(&m.Q, "q", v)
	case key.Is("r"):
		p.name(&m.R, "r", v)
	case key.Is("color"):
		p.name(&m.Color, "color", v)
	case key.Is("label"):
		p.name(&m.Label, "label", v)
	}
}

func (p *viewParser) name(dst *string, key string, v jsonscan.Value) {
	*dst = v.Text()
	if v.Kind() != jsonscan.String || *dst == "" || len(*dst) > maxPath {
		p.fail(key, fmt.Sprintf("not the name of a field, of 1 to %d bytes", maxPath))
	}
}

func (p *viewParser) pointer(dst *string, key string, v jsonscan.Value) {
	*dst = v.Text()
	if !strings.HasPrefix(*dst, "/") || len(*dst) > maxPath {
		p.fail(key,
			fmt.Sprintf("not a JSON pointer, which begins with a slash, of up to %d bytes", maxPath))
	}
}

// AppendJSON appends the view as one JSON object, which [ParseView] reads.
func (view *View) AppendJSON(dst []byte) []byte {
	w := jsonscan.Writer(nil)
	w.JSON("", view)
	return append(dst, w...)
}

// ScoresIn returns the scores in a state, which is a JSON object, as [ParseScores] does.
func (view *View) ScoresIn(state jsonscan.Value, players int) ([]int64, error) {
	v := state.At(view.Scores)
	if v == nil {
		return nil, fmt.Errorf("view: scores: the state has nothing at %s", view.Scores)
	}
	return ParseScores(v, players)
}
