package bots

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// cell is the index of a cell in a board's slices; cells are ordered by q, then r.
type cell int32

const none cell = -1

// color is 0 for neutral, otherwise the owner's player ID plus one.
type color int32

type character struct {
	id     int32
	color  color
	at     cell
	alive  bool
	revive int32 // turns until it may revive; -1 while alive
	bombs  int32 // bombs that it holds
}

// unlimited is the number of bombs of a character by the draft rules, which do not count them.
const unlimited = 1 << 20

type bomb struct {
	at    cell
	color color
	reach int32 // the reach of its explosion in each direction, in cells
	delay int32 // explodes in the delay-th turn from now
}

// board is what a strategy sees: a game state and the strategy's place in it. The cells
// are learned once, from the first state; memory is reused from turn to turn.
//
// While a strategy decides, [orders] applies each decision to the board, so that later
// decisions can rely on earlier ones.
type board struct {
	Info
	turn  int
	draft bool // by the draft rules: characters have no bomb_count

	coords []hexgrid.Coord
	next   [][hexgrid.NumDirs]cell // neighbours, none at the end of the board

	color      []color
	characters []character
	bombs      []bomb
	living     []int32 // by cell: index into characters, or -1
	lying      []int32 // by cell: index into bombs, or -1

	layout layout
}

var errState = errors.New("not a hexabomb game state")

// newBoard reads the state at the start of a match.
func newBoard(info Info, state []byte) (*board, error) {
	b := &board{Info: info}
	if err := b.learnCells(state); err != nil {
		return nil, err
	}
	n := len(b.coords)
	b.color = make([]color, n)
	b.living = make([]int32, n)
	b.lying = make([]int32, n)
	b.next = make([][hexgrid.NumDirs]cell, n)
	for i, c := range b.coords {
		for _, d := range hexgrid.Dirs {
			b.next[i][d] = b.find(c.Step(d))
		}
	}
	return b, b.read(0, state)
}

func (b *board) learnCells(state []byte) error {
	r := reader{text: state}
	for r.open('{'); r.more('}'); {
		if string(r.key()) != "cells" {
			r.skip()
			continue
		}
		for r.open('['); r.more(']'); {
			c, _ := r.cell()
			b.coords = append(b.coords, c)
		}
	}
	if r.bad {
		return fmt.Errorf("%w: unreadable at byte %d", errState, r.at)
	}
	slices.SortFunc(b.coords, hexgrid.Coord.Compare)
	for i := 1; i < len(b.coords); i++ {
		if b.coords[i] == b.coords[i-1] {
			return fmt.Errorf("%w: the cell %v appears twice", errState, b.coords[i])
		}
	}
	return nil
}

// find returns the cell at c, or none.
func (b *board) find(c hexgrid.Coord) cell {
	if i, ok := slices.BinarySearchFunc(b.coords, c, hexgrid.Coord.Compare); ok {
		return cell(i)
	}
	return none
}

// read updates the board from a newer state of the same match.
func (b *board) read(turn int, state []byte) error {
	b.turn = turn
	b.characters = b.characters[:0]
	b.bombs = b.bombs[:0]
	r := reader{text: state}
	var err error
	for r.open('{'); r.more('}') && err == nil; {
		switch string(r.key()) {
		case "cells":
			err = b.readCells(&r)
		case "characters":
			err = b.readCharacters(&r)
		case "bombs":
			err = b.readBombs(&r)
		default:
			r.skip()
		}
	}
	if err == nil && r.bad {
		err = fmt.Errorf("%w: unreadable at byte %d", errState, r.at)
	}
	b.place()
	return err
}

// place updates living and lying.
func (b *board) place() {
	for i := range b.living {
		b.living[i], b.lying[i] = -1, -1
	}
	for i, ch := range b.characters {
		if ch.alive {
			b.living[ch.at] = int32(i)
		}
	}
	for i, bo := range b.bombs {
		b.lying[bo.at] = int32(i)
	}
}

// readCells expects the cells in the order of the board, as states usually have them,
// and accepts any other order.
func (b *board) readCells(r *reader) error {
	if b.layout.read(r, b.color) {
		return nil
	}
	b.layout.restart(r)
	i, inOrder := 0, true
	for r.open('['); r.more(']'); i++ {
		c, col := r.cell()
		b.layout.add(r)
		at := cell(i)
		if i >= len(b.coords) || b.coords[i] != c {
			inOrder = false
			if at = b.find(c); at == none {
				return fmt.Errorf("%w: the cell %v does not exist at the start", errState, c)
			}
		}
		b.color[at] = col
	}
	b.layout.finish(r, i == len(b.coords) && inOrder)
	return nil
}

func (r *reader) cell() (at hexgrid.Coord, col color) {
	for r.open('{'); r.more('}'); {
		switch string(r.key()) {
		case "q":
			at.Q = int(r.int())
		case "r":
			at.R = int(r.int())
		case "color":
			r.peek()
			r.colorAt = r.at
			col = color(r.int())
			r.colorEnd = r.at
		default:
			r.skip()
		}
	}
	return at, col
}

func (b *board) readCharacters(r *reader) error {
	b.draft = true
	for r.open('['); r.more(']'); {
		ch := character{bombs: unlimited}
		var at hexgrid.Coord
		for r.open('{'); r.more('}'); {
			switch string(r.key()) {
			case "id":
				ch.id = r.int()
			case "color":
				ch.color = color(r.int())
			case "q":
				at.Q = int(r.int())
			case "r":
				at.R = int(r.int())
			case "alive":
				ch.alive = r.bool()
			case "revive_delay":
				ch.revive = r.int()
			case "bomb_count":
				ch.bombs = r.int()
				b.draft = false
			default:
				r.skip()
			}
		}
		if ch.at = b.find(at); ch.at == none && !r.bad {
			return fmt.Errorf("%w: character %d is at %v, which is not a cell", errState, ch.id, at)
		}
		if ch.at != none {
			b.characters = append(b.characters, ch)
		}
	}
	return nil
}

func (b *board) readBombs(r *reader) error {
	for r.open('['); r.more(']'); {
		var bo bomb
		var at hexgrid.Coord
		for r.open('{'); r.more('}'); {
			switch string(r.key()) {
			case "q":
				at.Q = int(r.int())
			case "r":
				at.R = int(r.int())
			case "color":
				bo.color = color(r.int())
			case "range":
				bo.reach = r.int()
			case "delay":
				bo.delay = r.int()
			default:
				r.skip()
			}
		}
		if bo.at = b.find(at); bo.at == none && !r.bad {
			return fmt.Errorf("%w: a bomb is at %v, which is not a cell", errState, at)
		}
		if bo.at != none {
			b.bombs = append(b.bombs, bo)
		}
	}
	return nil
}

// mine reports whether a colour is our own.
func (b *board) mine(c color) bool { return c > 0 && int(c) == b.Player+1 }

// immune reports whether a colour belongs to a special player.
func (b *board) immune(c color) bool { return c > 0 && int(c) <= b.Specials }

// free reports whether a character may enter a cell now.
func (b *board) free(c cell) bool {
	return c != none && b.living[c] < 0 && b.lying[c] < 0
}

// maxBomb returns the largest range and delay of our bombs.
func (b *board) maxBomb() int32 {
	if b.Special() {
		return maxSpecialBomb
	}
	return maxBomb
}

// armed reports whether a character could drop a bomb on its cell.
func (b *board) armed(i int) bool {
	ch := b.characters[i]
	return ch.alive && b.lying[ch.at] < 0 && (ch.bombs > 0 || b.immune(ch.color))
}

// drop adds a bomb under a character in the coming turn.
func (b *board) drop(i int, reach, delay int32) {
	ch := b.characters[i]
	b.lying[ch.at] = int32(len(b.bombs))
	b.bombs = append(b.bombs, bomb{at: ch.at, color: ch.color, reach: reach, delay: delay + 1})
}

// undrop removes the newest bomb.
func (b *board) undrop() {
	last := len(b.bombs) - 1
	b.lying[b.bombs[last].at] = -1
	b.bombs = b.bombs[:last]
}

// unset returns a slice of n false values, in the memory of marks if it has room.
func unset(marks []bool, n int) []bool {
	marks = slices.Grow(marks[:0], n)[:n]
	clear(marks)
	return marks
}
