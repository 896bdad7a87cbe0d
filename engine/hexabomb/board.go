package hexabomb

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// none is the index that stands for no cell, no character or no bomb.
const none = -1

// maxCells keeps the indices of cells and of their JSON bytes within 32 bits.
const maxCells = 1 << 24

// Board is a map prepared for play: its cells are indices in the order of the map's
// Cells, which is also their order in states. It is immutable; any number of games
// may share it.
type Board struct {
	m    *Map
	next [][hexgrid.NumDirs]int32 // the neighbours of each cell, or none
	err  error                    // why the map cannot be played on
}

// Compile prepares m in time proportional to its cells. A map that does not come from
// ParseMap may be invalid; games on it then refuse to start.
func Compile(m *Map) *Board {
	b := &Board{m: m, err: m.check()}
	if b.err == nil {
		b.link()
	}
	return b
}

// link finds the neighbours of all cells.
func (b *Board) link() {
	m := b.m
	b.next = make([][hexgrid.NumDirs]int32, len(m.Cells))
	for _, d := range hexgrid.Dirs {
		// Neighbours in one direction are in the order of the cells themselves, so
		// that one pass over both finds them all.
		at := 0
		for i, c := range m.Cells {
			want := c.Step(d)
			for at < len(m.Cells) && m.Cells[at].Less(want) {
				at++
			}
			b.next[i][d] = none
			if at < len(m.Cells) && m.Cells[at] == want {
				b.next[i][d] = int32(at)
			}
		}
	}
}

// NewGame returns a game on b that has not started.
func (b *Board) NewGame() *Game { return b.newGame(&current) }

// NewDraftGame returns a game by the draft rules on b that has not started.
func (b *Board) NewDraftGame() *Game { return b.newGame(&draft) }

func (b *Board) newGame(e *edition) *Game {
	return &Game{edition: e, board: b, text: []byte("[]")}
}

// find returns the index of the cell at c, or none.
func (b *Board) find(c hexgrid.Coord) int32 {
	if i, ok := slices.BinarySearchFunc(b.m.Cells, c, hexgrid.Coord.Compare); ok {
		return int32(i)
	}
	return none
}

// checkCells reports what is wrong with the cells of m.
func (m *Map) checkCells() error {
	if len(m.Cells) > maxCells {
		return fmt.Errorf("hexabomb map: %d cells are more than %d", len(m.Cells), maxCells)
	}
	for i, c := range m.Cells {
		if i > 0 && !m.Cells[i-1].Less(c) {
			return fmt.Errorf("hexabomb map: cells[%d] %s is out of order or a duplicate", i, at(c))
		}
		if max(c.Q, c.R, -c.Q, -c.R) > MaxCoord {
			return fmt.Errorf("hexabomb map: cells[%d] %s is beyond ±%d", i, at(c), MaxCoord)
		}
	}
	return nil
}

// check reports what makes m unplayable.
func (m *Map) check() error {
	if err := m.checkCells(); err != nil {
		return err
	}
	if len(m.Starts) == 0 {
		return errors.New("hexabomb map: no player has a position")
	}
	taken := map[hexgrid.Coord]bool{}
	for _, list := range append(slices.Clone(m.Starts), m.Specials) {
		for _, c := range list {
			if taken[c] || !m.HasCell(c) {
				return fmt.Errorf("hexabomb map: the position %s is off the board or taken twice", at(c))
			}
			taken[c] = true
		}
	}
	for i, list := range m.Starts {
		if len(list) == 0 || len(list) != len(m.Starts[0]) {
			return fmt.Errorf("hexabomb map: player %d has %d positions, player 0 has %d",
				i, len(list), len(m.Starts[0]))
		}
	}
	return nil
}
