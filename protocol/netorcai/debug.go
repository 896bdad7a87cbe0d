package netorcai

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// DebugLimit is the largest size of the debug of a TURN_ACK, in bytes as sent.
const DebugLimit = 4 << 10

// Debug is what a bot shows spectators beside its actions. It is not part of netorcai's
// metaprotocol, whose servers ignore it, and has no effect on the game.
type Debug struct {
	Text   string             // any number of lines
	Cells  []DebugCell        // cells to mark on the board
	Values map[string]float64 // figures to chart over the turns, by name
	// further members of the object, as JSON: "name":value,…; for viewers that know them
	More []byte
}

// DebugCell is a mark on a cell of the board, or from there to another cell.
type DebugCell struct {
	Q, R     int
	Color    string // as in CSS: #rgb or #rrggbb; empty: the viewer's choice
	Label    string // a few characters; empty: none
	Shape    string // "cell", "line", "arrow" or "text"; empty: a cell
	ToQ, ToR int    // the cell where a line or an arrow ends
	Layer    string // viewers can hide the marks of a layer; may be empty
}

// AppendDebug appends d as a JSON object, or nothing if d is empty. It leaves out values
// that are not finite, because JSON cannot represent them.
func AppendDebug(dst []byte, d *Debug) []byte {
	if d.Text == "" && len(d.Cells) == 0 && len(d.Values) == 0 && len(d.More) == 0 {
		return dst
	}
	dst = append(dst, `{"text":`...)
	dst = appendString(dst, d.Text)
	dst = append(dst, `,"cells":[`...)
	for i, c := range d.Cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendInt(append(dst, `{"q":`...), c.Q)
		dst = appendInt(append(dst, `,"r":`...), c.R)
		dst = appendMember(dst, `,"color":`, c.Color)
		dst = appendMember(dst, `,"label":`, c.Label)
		dst = appendMember(dst, `,"shape":`, c.Shape)
		if c.ToQ != 0 || c.ToR != 0 {
			dst = appendInt(append(dst, `,"to_q":`...), c.ToQ)
			dst = appendInt(append(dst, `,"to_r":`...), c.ToR)
		}
		dst = append(appendMember(dst, `,"layer":`, c.Layer), '}')
	}
	dst = append(dst, `],"values":{`...)
	names := make([]string, 0, len(d.Values))
	for name, v := range d.Values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, name), ':')
		dst = appendFloat(dst, d.Values[name])
	}
	dst = append(dst, '}')
	if len(d.More) > 0 {
		dst = append(append(dst, ','), d.More...)
	}
	return append(dst, '}')
}

// appendMember appends a member of an object, unless its value is empty.
func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return appendString(append(dst, name...), value)
}

// CheckDebug returns an error if the debug of a TURN_ACK cannot be shown. Unknown fields may
// hold anything. It allocates nothing for valid input.
func CheckDebug(v jsonscan.Value) error {
	if len(v) > DebugLimit {
		return fmt.Errorf("debug has %d bytes, the limit is %d", len(v), DebugLimit)
	}
	if v.Kind() != jsonscan.Object {
		return errors.New("debug is not an object")
	}
	for key, v := range v.Fields() {
		switch {
		case key.Is("text"):
			if v.Kind() != jsonscan.String {
				return errors.New("debug: text is not a string")
			}
		case key.Is("cells"):
			if err := checkDebugCells(v); err != nil {
				return err
			}
		case key.Is("values"):
			if err := checkDebugValues(v); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkDebugCells(list jsonscan.Value) error {
	if list.Kind() != jsonscan.Array {
		return errors.New("debug: cells is not an array")
	}
	for i, cell := range list.Elements() {
		var q, r bool
		for key, v := range cell.Fields() {
			switch {
			case key.Is("q"):
				_, q = v.Int32()
			case key.Is("r"):
				_, r = v.Int32()
			case key.Is("color"), key.Is("label"), key.Is("shape"), key.Is("layer"):
				if v.Kind() != jsonscan.String {
					return fmt.Errorf("debug: cells[%d]: %s is not a string", i, key.Text())
				}
			case key.Is("to_q"), key.Is("to_r"):
				if _, ok := v.Int32(); !ok {
					return fmt.Errorf("debug: cells[%d]: %s is not an integer", i, key.Text())
				}
			}
		}
		if !q || !r {
			return fmt.Errorf("debug: cells[%d]: q and r are not both integers", i)
		}
	}
	return nil
}

func checkDebugValues(object jsonscan.Value) error {
	if object.Kind() != jsonscan.Object {
		return errors.New("debug: values is not an object")
	}
	for key, v := range object.Fields() {
		if v.Kind() != jsonscan.Number {
			return fmt.Errorf("debug: values: %q is not a number", clip(key.Text(), maxQuoted))
		}
	}
	return nil
}
