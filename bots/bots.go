// Package bots holds the built-in players: strategies for hexabomb in Go, those for
// hexagonal tic-tac-toe behind the same interface (see package hextictactoe), the adapter
// that plays them with the public netorcai client, and the starter bot in Python.
//
// A strategy sees only the game state that every player receives, and its seed. It has no
// clock, no connection and no copy of the rules. The same states and the same seed give the
// same actions, so matches of built-in bots are reproducible. A strategy starts no goroutine
// and must be used by one goroutine at a time.
package bots

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Info holds what a player learns at the start of a match.
type Info struct {
	Player   int // our ID; special players come first, from 0
	Players  int // ordinary players
	Specials int
	Turns    int // the number of turns that are played
}

// Special reports whether we are a special player.
func (i Info) Special() bool { return i.Player >= 0 && i.Player < i.Specials }

// SuddenDeath reports whether characters stay dead.
func (i Info) SuddenDeath() bool { return i.Specials > 0 }

// Strategy plays one seat. Its errors report states that cannot be read; it can be called
// again after one.
type Strategy interface {
	// Start starts a match, possibly after another one, with its initial state.
	Start(info Info, state []byte) error

	// Turn appends the answer to a state, a JSON array of actions, to dst. It retains
	// neither slice. If it returns an error, it appends nothing.
	Turn(turn int, state, dst []byte) ([]byte, error)
}

// Seat is the kind of seat for which a strategy is made. It can play on any.
type Seat string

// The kinds of seats.
const (
	Ordinary Seat = "player"
	Special  Seat = "special player"
)

// Description helps users to choose a strategy.
type Description struct {
	Name    string
	Summary string // one line
	Seat    Seat
}

// thinker is the part in which strategies differ.
type thinker interface {
	// think gives the orders of one turn.
	think(b *board, o *orders, rng *rand.Rand)
}

// reviver is a thinker that chooses where its characters are revived by the draft rules.
type reviver interface {
	// revival returns the best free cell for a character to come to life on, or none.
	revival(b *board) cell
}

var strategies = []struct {
	Description
	create func() thinker
}{
	{
		Description{"random", "walks about at random and drops a bomb now and then", Ordinary},
		func() thinker { return &random{} },
	},
	{
		Description{
			"painter", "colours as many cells as it can, avoids explosions and uses its own", Ordinary,
		},
		func() thinker { return &painter{} },
	},
	{
		Description{
			"hunter", "attacks close enemies, encircles them and blocks corridors with bombs", Special,
		},
		func() thinker { return &hunter{} },
	},
}

// Names lists the strategies for hexabomb.
func Names() []string {
	var names []string
	for _, s := range strategies {
		names = append(names, s.Name)
	}
	return names
}

// Describe describes the strategies for hexabomb, in the order of Names.
func Describe() []Description {
	var list []Description
	for _, s := range strategies {
		list = append(list, s.Description)
	}
	return list
}

// New returns a new strategy for hexabomb with that seed.
func New(name string, seed uint64) (Strategy, error) {
	for _, s := range strategies {
		if s.Name == name {
			return &player{seed: seed, create: s.create}, nil
		}
	}
	return nil, fmt.Errorf("there is no strategy %q for hexabomb; there are %s", name,
		strings.Join(Names(), ", "))
}

// player is common to all strategies: it reads states and writes actions.
type player struct {
	seed   uint64
	create func() thinker

	// The current match; nil before the first.
	board   *board
	rng     *rand.Rand
	thinker thinker
	orders  orders
}

// Start implements Strategy.
func (p *player) Start(info Info, state []byte) error {
	p.board = nil
	b, err := newBoard(info, state)
	if err != nil {
		return err
	}
	p.board, p.thinker = b, p.create()
	p.rng = rand.New(rand.NewPCG(p.seed, 0x68657861))
	return nil
}

// Turn implements Strategy.
func (p *player) Turn(turn int, state, dst []byte) ([]byte, error) {
	if p.board == nil {
		return dst, fmt.Errorf("turn %d: no match has started", turn)
	}
	if err := p.board.read(turn, state); err != nil {
		return dst, fmt.Errorf("turn %d: %w", turn, err)
	}
	p.orders.begin(p.board, dst)
	var choose func(*board) cell
	if r, ok := p.thinker.(reviver); ok {
		choose = r.revival
	}
	p.orders.revive(choose)
	p.thinker.think(p.board, &p.orders, p.rng)
	return p.orders.end(), nil
}
