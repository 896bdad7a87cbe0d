// SPDX-License-Identifier: Apache-2.0

// The part of the kit for hexabomb: the board as sets of cells, and orders that change it.

package main

import (
	"maps"
	"math"
)

// Board is a state as a player sees it, and the player's orders of the turn, which change its sets.
type Board struct {
	Cells   Cells       // all
	Free    Cells       // without a living character and a bomb
	Danger  Cells       // in reach of a bomb, however long it takes to explode
	NotMine Cells       // of another colour than the player's
	Mine    []Character // the player's, alive
	Actions []Action    // the orders
	match   *Match
}

// NewBoard returns the board of a state, with an order to revive for each dead character that can.
func NewBoard(m *Match, s State) *Board {
	mine := m.PlayerID + 1 // the colour
	b := &Board{Cells: Cells{}, Free: Cells{}, Danger: Cells{}, NotMine: Cells{}, match: m}
	for _, c := range s.Cells {
		b.Cells[c.At()], b.Free[c.At()], b.NotMine[c.At()] = true, true, c.Color != mine
	}
	for _, bomb := range s.Bombs {
		delete(b.Free, bomb.At())
		maps.Copy(b.Danger, b.Blast(bomb.At(), bomb.Range))
	}
	for _, c := range s.Characters {
		if c.Alive {
			delete(b.Free, c.At())
		}
		switch {
		case c.Color != mine:
		case c.Alive:
			b.Mine = append(b.Mine, c)
		case c.ReviveDelay == 0 && m.NbSpecialPlayers == 0: // where another stands, it may be about to leave
			// rules but the draft ignore the cell
			b.Actions = append(b.Actions, ReviveAt{ID: c.ID, ReviveQ: c.Q, ReviveR: c.R})
		}
	}
	return b
}

// Blast returns the cells that a bomb covers: its own and six lines.
func (b *Board) Blast(at Coord, reach int) Cells {
	covered := Cells{at: true}
	for _, d := range Directions {
		for _, c := range at.Ray(d, reach, b.Cells) {
			covered[c] = true
		}
	}
	return covered
}

// DropBomb orders a character to drop a bomb.
func (b *Board) DropBomb(c Character, reach, delay int) {
	b.Actions = append(b.Actions, DropBomb{ID: c.ID, BombRange: reach, BombDelay: delay})
	maps.Copy(b.Danger, b.Blast(c.At(), reach))
}

// Walk orders a character to take the first step over free cells to the nearest goal, if there is a
// way.
func (b *Board) Walk(c Character, free, goals Cells) {
	if d, ok := b.match.FirstStep(c.At(), free, goals, math.MaxInt); ok {
		b.Actions = append(b.Actions, Move{ID: c.ID, Direction: d})
		delete(b.Free, c.At().Neighbour(d))
	}
}
