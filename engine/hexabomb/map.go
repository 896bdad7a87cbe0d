package hexabomb

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// MaxCoord is the largest absolute value of a cell's q and r.
const MaxCoord = 1 << 30

// Map is a board with the starting positions of its players. It must not be modified
// once games use it.
//
// In a map from [ParseMap], all lists of Starts have the same length of at least one,
// and no cell is a starting position twice, those of Specials included.
type Map struct {
	Cells  []hexgrid.Coord   // by q, then r; no cell twice
	Starts [][]hexgrid.Coord // Starts[i] places the characters of the i-th ordinary player
	// characters of the special player; empty if the map has no sudden death
	Specials []hexgrid.Coord
}

// Seats returns the number of ordinary players that the map can seat.
func (m *Map) Seats() int { return len(m.Starts) }

// HasCell reports whether c is a cell of the map.
func (m *Map) HasCell(c hexgrid.Coord) bool {
	_, found := slices.BinarySearchFunc(m.Cells, c, hexgrid.Coord.Compare)
	return found
}

// AppendJSON appends the map in the format of map files, with one line for each q and
// each player, so that diffs of map files are readable.
func (m *Map) AppendJSON(b []byte) []byte {
	b = append(b, `{"cells": [`...)
	for i, c := range m.Cells {
		switch {
		case i == 0:
			b = append(b, "\n  "...)
		case c.Q != m.Cells[i-1].Q:
			b = append(b, ",\n  "...)
		default:
			b = append(b, ", "...)
		}
		b = appendCoord(b, c)
	}
	b = append(b, "],\n \"initial_positions\": {"...)
	for i, start := range m.Starts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n  \""...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `": `...)
		b = appendCoords(b, start)
	}
	b = append(b, '}')
	if len(m.Specials) > 0 {
		b = append(b, ",\n \"special_initial_positions\": "...)
		b = appendCoords(b, m.Specials)
	}
	return append(b, "}\n"...)
}

// MarshalJSON implements json.Marshaler.
func (m *Map) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil), nil }

// Digest returns 16 hexadecimal digits that identify a map's content. Files that differ
// only in the order of cells, white space or ignored keys have the same digest.
func (m *Map) Digest() string {
	text, err := json.Marshal(m) // compact, so that the layout of AppendJSON may change
	if err != nil {
		panic(err) // AppendJSON is broken
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func appendCoords(b []byte, cs []hexgrid.Coord) []byte {
	b = append(b, '[')
	for i, c := range cs {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendCoord(b, c)
	}
	return append(b, ']')
}

func appendCoord(b []byte, c hexgrid.Coord) []byte {
	b = append(b, `{"q":`...)
	b = strconv.AppendInt(b, int64(c.Q), 10)
	b = append(b, `,"r":`...)
	b = strconv.AppendInt(b, int64(c.R), 10)
	return append(b, '}')
}
