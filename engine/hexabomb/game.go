package hexabomb

import (
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/engine"
)

// Constants of the rules.
const (
	startingBombs  = 1
	maxBombs       = 2
	bombPeriod     = 10 // turns after which each character gets a bomb
	reviveDelay    = 3
	notDead        = -1 // the revive_delay of living characters
	minBomb        = 2  // least range and delay of a bomb
	maxBomb        = 4
	maxSpecialBomb = 100
)

// Game is one game of hexabomb; it implements [engine.Game]. With a special player it
// is sudden death.
//
// The cost of a turn depends on what happens in it and on the number of characters,
// bombs and players, not on the size of the board. Once its buffers have grown, a turn
// allocates nothing.
type Game struct {
	*edition
	board    *Board
	specials int // special players: 0 or 1

	// The position.
	turn    int32
	first   int32       // the turn of Start or Restore
	cells   []cell      // in the order of the board's cells
	chars   []character // by id
	bombs   []bomb      // in the order in which they were dropped
	players []account   // by player id
	count   []int32     // cells of each colour

	// The effects of the last turn.
	before  []character // the characters before it
	changed []change    // cells that changed their colour
	blast   []int32     // cells that exploded
	burst   []bomb      // bombs that exploded
	killed  []int32     // characters that died, by id
	refused []engine.Refusal

	// The cells as JSON, always up to date.
	text       []byte
	colorWidth int // digits of a colour

	// Buffers reused in every turn.
	actions []action
	kept    []int32  // actions that were blocked in the previous pass
	fuse    []int32  // bombs that explode
	entry   uint64   // counts the arrays of actions read
	seen    []uint64 // by character: the last entry with an action for it
	surplus int      // actions of the entry refused without being tried
	keys    []uint64 // for sorting explosions
}

// cell holds everything a turn needs of a cell in one place: on a large board, the cost
// of a turn is the number of cache lines it touches.
type cell struct {
	color     Color
	living    int32 // the living character on it, or none
	bomb      int32 // the index of the bomb on it, or none
	changedIn int32 // the last turn that changed its colour
	textEnd   int32 // where its JSON ends in the game's text

	// Stamping cells with the turn makes clearing all explosions free.
	blastIn    int32 // the last turn in which it exploded
	blastDist  int32 // distance from the closest bomb
	blastColor Color
}

// change is a cell that was painted and its colour before the turn; the new colour may
// be the same.
type change struct {
	cell int32
	was  Color
}

type character struct {
	cell        int32 // where it stands or died
	player      engine.PlayerID
	reviveDelay int8
	bombs       int8
	alive       bool
	special     bool
}

type bomb struct {
	cell  int32
	color Color
	reach int32 // range
	due   int32 // the turn in which it explodes
	lit   bool  // it explodes in this turn
}

// account holds a player's figures.
type account struct {
	score  int64
	cells  int32 // the last count of cells above 0
	alive  int32 // living characters
	deaths int64
	bombs  int64 // dropped
}

// New returns a game on m that has not started. To play many games on one map, use
// Compile once.
func New(m *Map) *Game { return Compile(m).NewGame() }

// Rules implements engine.Game.
func (g *Game) Rules() string { return g.rules }

// Start implements engine.Game. One special player makes it sudden death; more are
// refused, as are more players than the map seats. Turns and Seed are not used: the
// rules neither end a game nor have random events.
func (g *Game) Start(setup engine.Setup) (engine.Result, error) {
	m := g.board.m
	switch {
	case g.players != nil:
		return engine.Result{}, errors.New("hexabomb: the game has already started")
	case g.board.err != nil:
		return engine.Result{}, g.board.err
	case setup.Players < 0 || setup.Players > m.Seats():
		return engine.Result{}, fmt.Errorf("hexabomb: %d players on a map for up to %d", setup.Players,
			m.Seats())
	case setup.Specials < 0 || setup.Specials > g.edition.specials:
		return engine.Result{}, fmt.Errorf("hexabomb: %d special players; at most %d by the rules %s",
			setup.Specials, g.edition.specials, g.rules)
	case setup.Specials == 1 && len(m.Specials) == 0:
		return engine.Result{}, errors.New(
			"hexabomb: a special player on a map without special positions")
	}
	g.specials = setup.Specials
	g.players = make([]account, setup.Specials+setup.Players)
	g.count = make([]int32, 1+len(g.players))
	g.count[0] = int32(len(m.Cells))
	g.cells = make([]cell, len(m.Cells))
	for i := range g.cells {
		g.cells[i] = cell{living: none, bomb: none}
	}
	g.layOutText()
	starts := m.Starts[:setup.Players]
	for p := range g.players {
		special := p < g.specials
		list := m.Specials
		if !special {
			list = starts[p-g.specials]
		}
		for _, c := range list {
			g.place(character{cell: g.board.find(c), player: engine.PlayerID(p), special: special})
		}
	}
	g.before = make([]character, len(g.chars))
	g.seen = make([]uint64, len(g.chars))
	return g.result(), nil
}

// place adds a character to the board.
func (g *Game) place(c character) {
	c.alive, c.reviveDelay, c.bombs = true, notDead, startingBombs
	g.cells[c.cell].living = int32(len(g.chars))
	g.players[c.player].alive++
	g.chars = append(g.chars, c)
	g.paint(c.cell, ColorOf(c.player))
}

// Step implements engine.Game.
func (g *Game) Step(inputs []engine.Input) engine.Result {
	g.turn++
	copy(g.before, g.chars)
	g.changed = g.changed[:0]
	g.actions = g.actions[:0]
	for i := range inputs {
		g.read(int32(i), &inputs[i])
	}
	g.apply()
	g.refresh()
	g.explode()
	g.score()
	return g.result()
}

// paint gives a cell a colour.
func (g *Game) paint(at int32, color Color) {
	c := &g.cells[at]
	if c.color == color {
		return
	}
	if c.changedIn != g.turn {
		c.changedIn = g.turn
		g.changed = append(g.changed, change{cell: at, was: c.color})
	}
	g.count[c.color]--
	g.count[color]++
	c.color = color
	g.writeColor(c)
}

// refresh shortens the delays until revival and, every bombPeriod turns, gives each
// character a bomb.
func (g *Game) refresh() {
	for i := range g.chars {
		if c := &g.chars[i]; c.reviveDelay > 0 {
			c.reviveDelay--
		}
	}
	if !g.countsBombs || g.turn%bombPeriod != 0 {
		return
	}
	for i := range g.chars {
		if c := &g.chars[i]; c.bombs < maxBombs {
			c.bombs++
		}
	}
}

// score adds the points of the turn: for cells or, in sudden death, for being alive.
func (g *Game) score() {
	for p := range g.players {
		switch a := &g.players[p]; {
		case g.specials == 0:
			n := g.count[ColorOf(engine.PlayerID(p))]
			a.score += int64(n)
			if n > 0 {
				a.cells = n
			}
		case p >= g.specials && a.alive > 0:
			a.score = int64(g.turn)
		}
	}
}

func (g *Game) result() engine.Result {
	g.refused = g.refused[:0]
	for i := range g.actions {
		if a := &g.actions[i]; a.reason != accepted {
			g.refused = append(g.refused, engine.Refusal{
				Player: a.player, Input: int(a.input), Action: int(a.index), Reason: reasons[a.reason],
			})
		}
	}
	return engine.Result{Await: engine.Everyone, Winner: g.winner(), Refused: g.refused}
}

// winner returns the player with the highest score, NoPlayer for a tie.
func (g *Game) winner() engine.PlayerID {
	winner, best := engine.NoPlayer, int64(-1)
	for p := g.specials; p < len(g.players); p++ {
		switch score := g.players[p].score; {
		case score > best:
			winner, best = engine.PlayerID(p), score
		case score == best:
			winner = engine.NoPlayer
		}
	}
	return winner
}

// AppendTally implements engine.Game.
func (g *Game) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	var a account
	var cells int32
	if g.hasPlayer(p) {
		a, cells = g.players[p], g.count[ColorOf(p)]
	}
	return append(dst,
		engine.Count{Name: "score", Value: a.score},
		engine.Count{Name: "cells", Value: int64(cells)},
		engine.Count{Name: "deaths", Value: a.deaths},
		engine.Count{Name: "bombs", Value: a.bombs})
}

func (g *Game) hasPlayer(p engine.PlayerID) bool { return p >= 0 && int(p) < len(g.players) }
