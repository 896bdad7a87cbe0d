// Package model implements the rules of hexabomb as plainly as possible, for tests that
// compare it with the clever implementation. It shares nothing with that but coordinates.
package model

import (
	"math"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Model is one game. It has no indices, reuses nothing and answers every question by
// scanning everything.
type Model struct {
	draft      bool // by the draft rules
	specials   int
	turn       int
	cells      map[hexgrid.Coord]Color
	chars      []Character
	held       map[int32]int // bombs of each character, except by the draft rules
	bombs      []Bomb        // during a turn, Delay still counts that turn
	explosions map[Color][]hexgrid.Coord
	score      map[engine.PlayerID]int
	shown      map[engine.PlayerID]int // cell_count of each player
	deaths     map[engine.PlayerID]int64
	bombers    map[engine.PlayerID][]engine.PlayerID
	dropped    map[engine.PlayerID]int64
	refused    []engine.Refusal
}

// New returns the game of some players, with one special player or none, on a board that is
// known to be valid.
func New(b Board, players, specials int) *Model { return start(b, players, specials, false) }

// NewDraft returns the game of some players by the draft rules.
func NewDraft(b Board, players int) *Model { return start(b, players, 0, true) }

func start(b Board, players, specials int, draft bool) *Model {
	g := &Model{
		draft:      draft,
		specials:   specials,
		cells:      map[hexgrid.Coord]Color{},
		held:       map[int32]int{},
		explosions: map[Color][]hexgrid.Coord{},
		score:      map[engine.PlayerID]int{},
		shown:      map[engine.PlayerID]int{},
		deaths:     map[engine.PlayerID]int64{},
		dropped:    map[engine.PlayerID]int64{},
	}
	for _, c := range b.Cells {
		g.cells[c] = 0
	}
	var starts [][]hexgrid.Coord
	if specials == 1 {
		starts = append(starts, b.Specials)
	}
	starts = append(starts, b.Starts[:players]...)
	for p, list := range starts {
		g.score[engine.PlayerID(p)] = 0
		for _, c := range list {
			color, id := Color(p+1), int32(len(g.chars))
			g.chars = append(g.chars, Character{
				ID: id, Color: color, Coord: c, Alive: true, ReviveDelay: -1,
			})
			g.held[id] = 1
			g.cells[c] = color
		}
	}
	g.count()
	return g
}

func (g *Model) isSpecial(c Color) bool { return g.specials == 1 && c == 1 }

// Step plays a turn and returns its winner.
func (g *Model) Step(inputs []engine.Input) (winner engine.PlayerID) {
	g.turn++
	g.refused = nil
	actions := g.Read(inputs)
	for changed := true; changed; {
		changed = false
		for _, a := range actions {
			if a.done {
				continue
			}
			g.try(a)
			if a.done && a.reason == "" {
				changed = true
			}
		}
	}
	for _, a := range actions {
		if a.reason != "" {
			g.refused = append(g.refused, engine.Refusal{
				Player: a.player, Input: a.input, Action: a.index, Reason: a.reason,
			})
		}
	}
	for i := range g.chars {
		if g.chars[i].ReviveDelay > 0 {
			g.chars[i].ReviveDelay--
		}
		if id := g.chars[i].ID; g.turn%10 == 0 && g.held[id] < 2 {
			g.held[id]++
		}
	}
	g.explode()
	g.count()
	for p := range g.score {
		switch {
		case g.specials == 0:
			g.score[p] += g.cellCount()[p]
		case p != 0 && slices.ContainsFunc(g.chars, func(c Character) bool {
			return c.Alive && c.Color == Color(p)+1
		}):
			g.score[p] = g.turn
		}
	}
	return g.Winner()
}

// Winner returns the player with the highest score, or engine.NoPlayer if several have it.
func (g *Model) Winner() engine.PlayerID {
	best := math.MinInt
	var leaders []engine.PlayerID
	for p, score := range g.score {
		if int(p) < g.specials {
			continue
		}
		if score > best {
			best, leaders = score, nil
		}
		if score == best {
			leaders = append(leaders, p)
		}
	}
	if len(leaders) == 1 {
		return leaders[0]
	}
	return engine.NoPlayer
}

// count sets the cell_count that is shown of each player: by the draft rules, that of a player
// without cells stays as it was.
func (g *Model) count() {
	for p, n := range g.cellCount() {
		if n > 0 || !g.draft {
			g.shown[p] = n
		}
	}
}

func (g *Model) cellCount() map[engine.PlayerID]int {
	n := map[engine.PlayerID]int{}
	for p := range g.score {
		n[p] = 0
	}
	for _, color := range g.cells {
		if color != 0 {
			n[engine.PlayerID(color)-1]++
		}
	}
	return n
}

// Turn returns the number of turns that were played.
func (g *Model) Turn() int { return g.turn }

// Refused returns the actions of the last turn that had no effect, in the order of the inputs.
func (g *Model) Refused() []engine.Refusal { return g.refused }

// Tally returns a player's counts, as engine.Game's AppendTally does.
func (g *Model) Tally(p engine.PlayerID) []engine.Count {
	return []engine.Count{
		{Name: "score", Value: int64(g.score[p])},
		{Name: "cells", Value: int64(g.cellCount()[p])},
		{Name: "deaths", Value: g.deaths[p]},
		{Name: "bombs", Value: g.dropped[p]},
	}
}

// Bombers returns the players whose bombs killed characters of p in the last turn, in order of id.
func (g *Model) Bombers(p engine.PlayerID) []engine.PlayerID {
	slices.Sort(g.bombers[p])
	return slices.Compact(g.bombers[p])
}

// State returns the state after the last turn. Its maps and lists must not be modified.
func (g *Model) State() *State {
	s := &State{
		Cells: []Cell{}, Characters: []Character{}, Bombs: []Bomb{},
		CellCount: g.shown, Score: g.score,
	}
	for c, color := range g.cells {
		s.Cells = append(s.Cells, Cell{Coord: c, Color: color})
	}
	slices.SortFunc(s.Cells, func(a, b Cell) int { return a.Compare(b.Coord) })
	s.Characters = append(s.Characters, g.chars...)
	if !g.draft {
		s.Explosions = g.explosions
		for i, c := range s.Characters {
			n := g.held[c.ID]
			s.Characters[i].BombCount = &n
		}
	}
	s.Bombs = append(s.Bombs, g.bombs...)
	return s
}

func (g *Model) bombAt(at hexgrid.Coord) bool {
	return slices.ContainsFunc(g.bombs, func(b Bomb) bool { return b.Coord == at })
}

func (g *Model) occupied(at hexgrid.Coord) bool {
	return g.bombAt(at) ||
		slices.ContainsFunc(g.chars, func(c Character) bool { return c.Alive && c.Coord == at })
}

// covers reports whether a bomb covers a cell, and from what distance.
func (g *Model) covers(b Bomb, at hexgrid.Coord) (dist int, ok bool) {
	if b.Coord == at {
		return 0, true
	}
	for _, d := range hexgrid.Dirs {
		line := b.Coord
		for dist = 1; dist <= b.Range; dist++ {
			line = line.Step(d)
			if _, there := g.cells[line]; !there {
				break
			}
			if line == at {
				return dist, true
			}
		}
	}
	return 0, false
}

func (g *Model) explode() {
	g.explosions = map[Color][]hexgrid.Coord{}
	g.bombers = map[engine.PlayerID][]engine.PlayerID{}
	going := map[int]bool{}
	for i := range g.bombs {
		g.bombs[i].Delay--
		if g.bombs[i].Delay == 0 {
			going[i] = true
		}
	}
	for more := true; more; {
		more = false
		for i, b := range g.bombs {
			for j := range going {
				if _, ok := g.covers(g.bombs[j], b.Coord); ok && !going[i] {
					going[i], more = true, true
				}
			}
		}
	}
	covered := map[hexgrid.Coord]Color{}
	owners := map[hexgrid.Coord][]engine.PlayerID{}
	for at := range g.cells {
		closest := math.MaxInt
		colors := map[Color]bool{}
		for i := range going {
			dist, ok := g.covers(g.bombs[i], at)
			if ok && dist < closest {
				closest, colors = dist, map[Color]bool{}
			}
			if ok && dist == closest {
				colors[g.bombs[i].Color] = true
			}
		}
		for color := range colors {
			covered[at] = color
			owners[at] = append(owners[at], engine.PlayerID(color)-1)
		}
		if len(colors) > 1 {
			covered[at] = 0
		}
	}
	for at, color := range covered {
		g.cells[at] = color
		g.explosions[color] = append(g.explosions[color], at)
	}
	for _, list := range g.explosions {
		slices.SortFunc(list, hexgrid.Coord.Compare)
	}
	for i := range g.chars {
		c := &g.chars[i]
		switch _, hit := covered[c.Coord]; {
		case !hit:
		case g.isSpecial(c.Color):
			g.cells[c.Coord] = c.Color
		default:
			if c.Alive {
				p := engine.PlayerID(c.Color) - 1
				g.deaths[p]++
				g.bombers[p] = append(g.bombers[p], owners[c.Coord]...)
			}
			c.Alive, c.ReviveDelay = false, 3
		}
	}
	var left []Bomb
	for i, b := range g.bombs {
		if !going[i] {
			left = append(left, b)
		}
	}
	g.bombs = left
}
