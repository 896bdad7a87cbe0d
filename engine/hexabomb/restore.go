package hexabomb

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// maxSteps leaves room for the delays of bombs in 32 bits.
const maxSteps = 1 << 30

// Restore implements [engine.Restorer]. The board becomes that of the state, on which no other game
// can start. A state shows neither deaths nor bombs dropped: tallies count them from here.
func (g *Game) Restore(setup engine.Setup, steps int, state []byte) (engine.Result, error) {
	s, err := ParseState(state)
	if err != nil {
		return engine.Result{}, err
	}
	r := &Game{edition: g.edition, specials: setup.Specials, turn: int32(steps), first: int32(steps)}
	if err := r.restore(g.board, setup, steps, s); err != nil {
		return engine.Result{}, fmt.Errorf("hexabomb state: %w", err)
	}
	*g = *r
	return g.result(), nil
}

// restore fills a new game.
func (g *Game) restore(board *Board, setup engine.Setup, steps int, s *State) error {
	n := setup.Players + setup.Specials
	switch {
	case steps < 0 || steps > maxSteps:
		return fmt.Errorf("%d steps are not from 0 to %d", steps, maxSteps)
	case min(setup.Players, setup.Specials) < 0 || setup.Specials > g.edition.specials:
		return fmt.Errorf("%d players and %d special players; at most %d special by the rules %s",
			setup.Players, setup.Specials, g.edition.specials, g.rules)
	case len(s.Score) != n || len(s.CellCount) != n:
		return fmt.Errorf("it has the score of %d and the cell_count of %d players, want %d",
			len(s.Score), len(s.CellCount), n)
	case g.showsExplosions != (s.Explosions != nil):
		return fmt.Errorf("explosions are %s by the rules %s",
			map[bool]string{true: "missing", false: "there"}[g.showsExplosions], g.rules)
	}
	g.players, g.count = make([]account, n), make([]int32, 1+n)
	if err := g.restoreCells(board, s.Cells); err != nil {
		return err
	}
	for id := range s.Characters {
		if err := g.restoreCharacter(id, &s.Characters[id]); err != nil {
			return fmt.Errorf("characters[%d]: %w", id, err)
		}
	}
	g.before, g.seen = slices.Clone(g.chars), make([]uint64, len(g.chars))
	for i := range s.Bombs {
		if err := g.restoreBomb(&s.Bombs[i]); err != nil {
			return fmt.Errorf("bombs[%d]: %w", i, err)
		}
	}
	for _, color := range slices.Sorted(maps.Keys(s.Explosions)) {
		if err := g.restoreBlast(color, s.Explosions[color]); err != nil {
			return fmt.Errorf("explosions of colour %d: %w", color, err)
		}
	}
	return g.restoreAccounts(s)
}

// restoreCells restores the cells, on the board unless it has others.
func (g *Game) restoreCells(board *Board, cells []Cell) error {
	if !slices.EqualFunc(board.m.Cells, cells,
		func(a hexgrid.Coord, b Cell) bool { return a == b.Coord }) || board.err != nil {
		m := &Map{}
		for _, c := range cells {
			m.Cells = append(m.Cells, c.Coord)
		}
		if err := m.checkCells(); err != nil {
			return err
		}
		board = &Board{m: m, err: errors.New("hexabomb: the board of a state has no starting positions")}
		board.link()
	}
	g.board, g.cells = board, make([]cell, len(cells))
	for i := range g.cells {
		if err := g.checkColor(cells[i].Color); err != nil {
			return fmt.Errorf("cells[%d]: %w", i, err)
		}
		g.cells[i] = cell{color: cells[i].Color, living: none, bomb: none}
		g.count[cells[i].Color]++
	}
	g.layOutText()
	return nil
}

func (g *Game) checkColor(c Color) error {
	if c < 0 || int(c) > len(g.players) {
		return fmt.Errorf("colour %d is not from 0 to %d", c, len(g.players))
	}
	return nil
}

func (g *Game) restoreCharacter(id int, s *Character) error {
	where := g.board.find(s.Coord)
	c := character{
		cell: where, player: s.Color.Player(), reviveDelay: int8(s.ReviveDelay), bombs: startingBombs,
		alive: s.Alive, special: int(s.Color.Player()) < g.specials,
	}
	switch {
	case int(s.ID) != id:
		return fmt.Errorf("id %d, want %d", s.ID, id)
	case !g.hasPlayer(c.player):
		return fmt.Errorf("color %d is no player's", s.Color)
	case where == none:
		return fmt.Errorf("there is no cell at %s", at(s.Coord))
	case c.alive && s.ReviveDelay != notDead,
		!c.alive && (s.ReviveDelay < 0 || s.ReviveDelay > reviveDelay || c.special):
		return fmt.Errorf("alive is %t with the revive_delay %d", s.Alive, s.ReviveDelay)
	case c.alive && g.cells[where].living != none:
		return fmt.Errorf("another one stands at %s", at(s.Coord))
	case g.countsBombs != (s.BombCount != nil):
		return fmt.Errorf("bomb_count is %s by the rules %s",
			map[bool]string{true: "missing", false: "there"}[g.countsBombs], g.rules)
	}
	if g.countsBombs {
		if *s.BombCount < 0 || *s.BombCount > maxBombs {
			return fmt.Errorf("bomb_count %d is not from 0 to %d", *s.BombCount, maxBombs)
		}
		c.bombs = int8(*s.BombCount)
	}
	if c.alive {
		g.cells[where].living = int32(id)
		g.players[c.player].alive++
	}
	g.chars = append(g.chars, c)
	return nil
}

func (g *Game) restoreBomb(s *Bomb) error {
	limit := maxBomb
	if int(s.Color.Player()) < g.specials {
		limit = maxSpecialBomb
	}
	where := g.board.find(s.Coord)
	switch {
	case !g.hasPlayer(s.Color.Player()):
		return fmt.Errorf("color %d is no player's", s.Color)
	case where == none || g.cells[where].bomb != none:
		return fmt.Errorf("%s is off the board or has another bomb", at(s.Coord))
	case s.Range < minBomb || s.Range > limit || s.Delay < 1 || s.Delay > limit:
		return fmt.Errorf("range %d and delay %d are not from %d and 1 to %d", s.Range, s.Delay, minBomb,
			limit)
	}
	g.cells[where].bomb = int32(len(g.bombs))
	g.bombs = append(g.bombs,
		bomb{cell: where, color: s.Color, reach: int32(s.Range), due: g.turn + int32(s.Delay)})
	return nil
}

func (g *Game) restoreBlast(color Color, list []hexgrid.Coord) error {
	if err := g.checkColor(color); err != nil {
		return err
	}
	for _, c := range list {
		where := g.board.find(c)
		if where == none || g.turn == 0 || g.cells[where].blastIn == g.turn {
			return fmt.Errorf("%s is off the board or exploded twice, or no turn was played", at(c))
		}
		g.cells[where].blastIn, g.cells[where].blastColor = g.turn, color
		g.blast = append(g.blast, where)
	}
	return nil
}

func (g *Game) restoreAccounts(s *State) error {
	for p := range g.players {
		id := engine.PlayerID(p)
		score, known := s.Score[id]
		cells, counted := s.CellCount[id]
		if g.players[p].score = int64(score); !known || score < 0 {
			return fmt.Errorf("the score of player %d is missing or negative: %d", p, score)
		}
		if g.turn > 0 {
			g.players[p].cells = int32(cells)
		}
		if !counted || int(g.cellCount(p)) != cells {
			return fmt.Errorf("the cell_count of player %d is %d, the cells have %d", p, cells,
				g.count[ColorOf(id)])
		}
	}
	return nil
}

// Copy implements [engine.Restorer].
func (g *Game) Copy() engine.Game {
	c := &Game{
		edition: g.edition, board: g.board, specials: g.specials, turn: g.turn, first: g.first,
		cells: slices.Clone(g.cells), chars: slices.Clone(g.chars), bombs: slices.Clone(g.bombs),
		players: slices.Clone(g.players), count: slices.Clone(g.count), before: slices.Clone(g.before),
		changed: slices.Clone(g.changed), blast: slices.Clone(g.blast), text: slices.Clone(g.text),
		burst: slices.Clone(g.burst), killed: slices.Clone(g.killed),
		colorWidth: g.colorWidth, seen: make([]uint64, len(g.seen)),
	}
	return c
}
