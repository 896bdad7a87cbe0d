package hexabomb

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

const tinyMap = `{"cells":[{"q":1,"r":0},{"q":0,"r":0},{"q":-1,"r":2,"color":7},{"q":0,"r":1}],
	"initial_positions":{"1":[{"q":1,"r":0}],"0":[{"q":0,"r":1}]},
	"special_initial_positions":[{"q":0,"r":0}],"name":["ignored"]}`

func TestParseMap(t *testing.T) {
	got, err := ParseMap([]byte(tinyMap))
	if err != nil {
		t.Fatal(err)
	}
	want := &Map{
		Cells:    []hexgrid.Coord{{Q: -1, R: 2}, {Q: 0, R: 0}, {Q: 0, R: 1}, {Q: 1, R: 0}},
		Starts:   [][]hexgrid.Coord{{{Q: 0, R: 1}}, {{Q: 1, R: 0}}},
		Specials: []hexgrid.Coord{{Q: 0, R: 0}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ParseMap = %+v, want %+v", got, want)
	}
	if got.Seats() != 2 {
		t.Errorf("Seats = %d, want 2", got.Seats())
	}
}

// TestMapText checks that a map survives being written and parsed, and that its digest
// depends only on its content.
func TestMapText(t *testing.T) {
	m, err := ParseMap([]byte(tinyMap))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{m.AppendJSON(nil), marshal(t, m)} {
		again, err := ParseMap(text)
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("ParseMap(%s) = %+v, %v, want %+v", text, again, err, m)
		}
	}
	const digest = "074859f33c14de0e" // must never change: recordings identify maps by it
	if got := m.Digest(); got != digest {
		t.Errorf("Digest = %s, want %s", got, digest)
	}
	m.Starts[0], m.Starts[1] = m.Starts[1], m.Starts[0]
	if m.Digest() == digest {
		t.Error("the digest does not depend on the starting positions")
	}
}

func TestParseMapRefuses(t *testing.T) {
	const cells = `"cells":[{"q":0,"r":0},{"q":1,"r":0},{"q":2,"r":0}]`
	const start = `"initial_positions":{"0":[{"q":0,"r":0}]}`
	with := func(parts ...string) string { return "{" + strings.Join(parts, ",") + "}" }
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", ``, []string{"not a JSON text: line 1, column 1: unexpected end of JSON input"}},
		{"broken", "{\n \"cells\": [1 2]}", []string{
			`not a JSON text: line 2, column 14: invalid character '2' after array element`,
		}},
		{"array", `[]`, []string{"the map is [], not an object"}},
		{"no keys", `{}`, []string{"cells is missing", "initial_positions is missing"}},
		{"cells object", with(`"cells":{}`, start), []string{"cells: {} is not an array"}},
		{"cell number", with(`"cells":[{"q":0,"r":0},4]`, start), []string{
			"cells[1]: 4 is not an object with q and r",
		}},
		{
			"cell halves", with(`"cells":[{"q":0,"r":0},{"q":1},{"Q":2,"R":3}]`, start),
			[]string{"cells[1].r is missing", "cells[2].q is missing", "cells[2].r is missing"},
		},
		{
			"cell floats", with(`"cells":[{"q":0,"r":0},{"q":1.0,"r":1e0},{"q":"1","r":null}]`, start),
			[]string{
				"cells[1].q: 1.0 is not an integer", "cells[1].r: 1e0 is not an integer",
				`cells[2].q: "1" is not an integer`, "cells[2].r: null is not an integer",
			},
		},
		{
			"cell far",
			with(`"cells":[{"q":0,"r":0},{"q":1073741825,"r":-1073741825},{"q":0,"r":99999999999999999999}]`,
				start),
			[]string{
				"cells[1].q: 1073741825 is beyond ±1073741824", "cells[1].r: -1073741825 is beyond ±1073741824",
				"cells[2].r: 99999999999999999999 is beyond ±1073741824",
			},
		},
		{
			"cell twice", with(`"cells":[{"q":0,"r":0},{"q":1,"r":0},{"r":0,"q":0}]`, start),
			[]string{"cells[2]: the cell (0,0) is already there as cells[0]"},
		},
		{"positions array", with(cells, `"initial_positions":[]`), []string{
			"initial_positions: [] is not an object",
		}},
		{
			"positions none", with(cells, `"initial_positions":{}`),
			[]string{`initial_positions: no player has a position; at least the key "0" is needed`},
		},
		{"positions empty", with(cells, `"initial_positions":{"0":[]}`), []string{
			`initial_positions["0"]: the list is empty`,
		}},
		{"positions null", with(cells, `"initial_positions":{"0":null}`), []string{
			`initial_positions["0"]: null is not an array`,
		}},
		{
			"positions uneven",
			with(cells, `"initial_positions":{"0":[{"q":0,"r":0}],"1":[{"q":1,"r":0},{"q":2,"r":0}]}`),
			[]string{
				`initial_positions["1"]: 2 positions where ["0"] has 1; all players need the same number`,
			},
		},
		{
			"key gap", with(cells, `"initial_positions":{"0":[{"q":0,"r":0}],"2":[{"q":1,"r":0}]}`),
			[]string{`initial_positions["2"]: the 2 keys must be "0" to "1"`},
		},
		{
			"key signs",
			with(cells,
				`"initial_positions":{"+0":[{"q":0,"r":0}],"-1":[{"q":1,"r":0}]," 0":[{"q":2,"r":0}]}`),
			[]string{
				`initial_positions["+0"]: the 3 keys must be "0" to "2"`,
				`initial_positions["-1"]: the 3 keys must be "0" to "2"`,
				`initial_positions[" 0"]: the 3 keys must be "0" to "2"`,
			},
		},
		{
			"key empty", with(cells, `"initial_positions":{"":[{"q":0,"r":0}]}`),
			[]string{`initial_positions[""]: the only key must be "0"`},
		},
		{
			"key twice", with(cells, `"initial_positions":{"0":[{"q":0,"r":0}],"00":[{"q":1,"r":0}]}`),
			[]string{`initial_positions["00"]: player 0 already has initial_positions["0"]`},
		},
		{
			"off board", with(cells, `"initial_positions":{"0":[{"q":0,"r":0},{"q":9,"r":9}]}`),
			[]string{`initial_positions["0"][1]: there is no cell (9,9)`},
		},
		{
			"taken", with(cells, `"initial_positions":{"0":[{"q":0,"r":0}],"1":[{"q":0,"r":0}]}`),
			[]string{
				`initial_positions["1"][0]: the cell (0,0) is already taken by initial_positions["0"][0]`,
			},
		},
		{
			"special taken", with(cells, start, `"special_initial_positions":[{"q":1,"r":0},{"q":0,"r":0}]`),
			[]string{
				`special_initial_positions[1]: the cell (0,0) is already taken by initial_positions["0"][0]`,
			},
		},
		{
			"special null", with(cells, start, `"special_initial_positions":null`),
			[]string{"special_initial_positions: null is not an array"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ParseMap([]byte(tt.text))
			var refused *MapError
			if !errors.As(err, &refused) {
				t.Fatalf("ParseMap = %+v, %v, want a MapError", m, err)
			}
			if !slices.Equal(refused.Problems, tt.want) {
				t.Errorf("problems = %q, want %q", refused.Problems, tt.want)
			}
		})
	}
}

func TestParseMapAccepts(t *testing.T) {
	tests := map[string]string{
		"leading zeros":      `{"cells":[{"q":0,"r":-0}],"initial_positions":{"00":[{"q":0,"r":0}]}}`,
		"last key wins":      `{"cells":7,"cells":[{"q":5,"q":0,"r":0}],"initial_positions":{"0":[],"0":[{"q":0,"r":0}]}}`,
		"escaped keys":       `{"\u0063ells":[{"\u0071":0,"r":0}],"initial_positions":{"\u0030":[{"q":0,"r":0}]}}`,
		"no special at all":  `{"cells":[{"q":0,"r":0}],"initial_positions":{"0":[{"q":0,"r":0}]},"special_initial_positions":[]}`,
		"as far as it comes": `{"cells":[{"q":1073741824,"r":-1073741824}],"initial_positions":{"0":[{"q":1073741824,"r":-1073741824}]}}`,
	}
	for name, text := range tests {
		if _, err := ParseMap([]byte(text)); err != nil {
			t.Errorf("%s: ParseMap(%s) = %v", name, text, err)
		}
	}
}

// TestMapErrorIsBounded checks that the message for a map full of mistakes has few lines.
func TestMapErrorIsBounded(t *testing.T) {
	text := `{"cells":[` + strings.Repeat(`"`+strings.Repeat("x", 200)+`",`,
		4999) + `7],"initial_positions":{"0":[{"q":0,"r":0}]}}`
	_, err := ParseMap([]byte(text))
	var refused *MapError
	if !errors.As(err, &refused) {
		t.Fatalf("ParseMap = %v, want a MapError", err)
	}
	if len(refused.Problems) != maxProblems || refused.More != 5001-maxProblems {
		t.Errorf("%d problems and %d more, want %d and %d",
			len(refused.Problems), refused.More, maxProblems, 5001-maxProblems)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxShown+1 || lines[maxShown] != "and 4981 more" {
		t.Errorf("the message has %d lines and ends in %q, want %d and %q",
			len(lines), lines[len(lines)-1], maxShown+1, "and 4981 more")
	}
	if len(lines[0]) > 200 {
		t.Errorf("the first line has %d bytes: %s", len(lines[0]), lines[0])
	}
}

// referenceMap parses a map with encoding/json; it only decides whether it is valid.
func referenceMap(data []byte) (m *Map, ok bool) {
	defer func() {
		if recover() != nil {
			m, ok = nil, false
		}
	}()
	insist := func(good bool) {
		if !good {
			panic("refused")
		}
	}
	read := func(raw json.RawMessage, first string, v any) {
		insist(json.Unmarshal(raw, v) == nil && strings.HasPrefix(strings.TrimSpace(string(raw)), first))
	}
	coords := func(raw json.RawMessage) (list []hexgrid.Coord) {
		var elements []json.RawMessage
		read(raw, "[", &elements)
		for _, e := range elements {
			var o map[string]json.RawMessage
			read(e, "{", &o)
			q, err := strconv.Atoi(string(o["q"]))
			insist(err == nil && -MaxCoord <= q && q <= MaxCoord)
			r, err := strconv.Atoi(string(o["r"]))
			insist(err == nil && -MaxCoord <= r && r <= MaxCoord)
			list = append(list, hexgrid.Coord{Q: q, R: r})
		}
		return list
	}
	var file, starts map[string]json.RawMessage
	read(data, "{", &file)
	m = &Map{Cells: coords(file["cells"])}
	read(file["initial_positions"], "{", &starts)
	insist(len(starts) > 0)
	m.Starts = make([][]hexgrid.Coord, len(starts))
	for key, raw := range starts {
		insist(strings.Trim(key, "0123456789") == "")
		p, err := strconv.Atoi(key)
		insist(err == nil && p < len(starts) && m.Starts[p] == nil)
		m.Starts[p] = coords(raw)
		insist(len(m.Starts[p]) > 0)
	}
	if raw, ok := file["special_initial_positions"]; ok {
		m.Specials = coords(raw)
	}
	slices.SortFunc(m.Cells, hexgrid.Coord.Compare)
	insist(m.check() == nil)
	return m, true
}

func FuzzParseMap(f *testing.F) {
	f.Add([]byte(tinyMap))
	for _, s := range []string{
		`{}`, `[]`, `{"cells":[]}`, `{"cells":[{"q":0.0,"r":0}]}`,
		`{"cells":[{"q":0,"r":0}],"initial_positions":{"00":[{"q":0,"r":0}]}}`,
		`{"cells":[{"q":0,"r":0},{"q":0,"r":0}],"initial_positions":{"0":[]},"special_initial_positions":null}`,
		`{"cells":[{"q":0,"r":0},{"q":0,"r":1}],"initial_positions":{"0":[{"q":0,"r":0}],"01":[{"q":0,"r":1}]}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ParseMap(data)
		if _, scan := jsonscan.Parse(data); errors.Is(scan, jsonscan.ErrDepth) ||
			errors.Is(scan, jsonscan.ErrNumber) {
			return // refused here, accepted by encoding/json
		}
		want, ok := referenceMap(data)
		if (err == nil) != ok {
			t.Fatalf("ParseMap(%q) = %v, want accepted: %v", data, err, ok)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("ParseMap(%q) = %v, want %v", data, got, want)
		}
	})
}
