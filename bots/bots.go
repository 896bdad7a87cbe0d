// Package bots holds the built-in players: strategies for hexabomb in Go, those of
// hexagonal tic-tac-toe under the same interface (package hextictactoe), the
// adapter that plays them through the netorcai client that anybody may use, and
// the starter bot in Python that beginners edit.
//
// A strategy sees nothing but the game state as every player receives it, and
// its seed: no clock, no connection, no rules engine. The same states and the
// same seed give the same actions, so a match of built-in bots can be played
// again. It starts no goroutine and belongs to whoever calls it.
package bots

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/hexarena/hexarena/bots/hextictactoe"
)

// Info is what a player is told when a match starts.
type Info struct {
	Player   int // our id: special players come first, from 0
	Players  int // without the special ones
	Specials int
	Turns    int // how many turns are simulated
}

// Special reports whether we are a special player.
func (i Info) Special() bool { return i.Player >= 0 && i.Player < i.Specials }

// SuddenDeath reports whether the dead stay dead.
func (i Info) SuddenDeath() bool { return i.Specials > 0 }

// Strategy plays one seat. Errors are about states that are none; a strategy
// may be asked again after one.
type Strategy interface {
	// Start begins a match, or the next one, with its initial state.
	Start(info Info, state []byte) error

	// Turn appends to dst the JSON array of actions that answers a state. It
	// keeps neither slice. On an error it appends nothing.
	Turn(turn int, state, dst []byte) ([]byte, error)
}

// Seat says which kind of seat a strategy is made for. It plays on any.
type Seat string

// The kinds of seats.
const (
	Ordinary Seat = "player"
	Special  Seat = "special player"
)

// Description is what a user chooses a strategy by.
type Description struct {
	Name    string
	Summary string // one line
	Seat    Seat
}

// thinker is the part that differs between strategies.
type thinker interface {
	// think gives the orders for one turn.
	think(b *board, o *orders, rng *rand.Rand)
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
		Description{"painter", "colours as many cells as it can, keeps clear of explosions and uses its own", Ordinary},
		func() thinker { return &painter{} },
	},
	{
		Description{"hunter", "attacks close enemies, encircles them and blocks corridors with bombs", Special},
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

// UnknownError says that no strategy has a name.
type UnknownError struct {
	Name    string
	Nearest string // the strategy that is probably meant
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no strategy is called %q; did you mean %s? There are %s", e.Name, e.Nearest, strings.Join(AllNames(), ", "))
}

// New makes a strategy that draws its lots from seed. The error is an
// [*UnknownError].
func New(name string, seed uint64) (Strategy, error) {
	var games []Strategy
	for _, s := range strategies {
		if s.Name == name {
			games = append(games, &player{seed: seed, create: s.create})
		}
	}
	if b, ok := hextictactoe.New(name); ok {
		games = append(games, &tictactoe{bot: b, seed: seed})
	}
	switch len(games) {
	case 0:
		return nil, &UnknownError{Name: name, Nearest: nearest(name)}
	case 1:
		return games[0], nil
	}
	return &versatile{hexabomb: games[0], tictactoe: games[1], Strategy: games[0]}, nil
}

// AllNames lists the strategies for any game.
func AllNames() []string {
	names := Names()
	for _, d := range hextictactoe.Describe() {
		if !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// player is what all strategies share: it reads states and writes actions.
type player struct {
	seed   uint64
	create func() thinker

	// Of the match that is played; nil before the first.
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
		return dst, fmt.Errorf("turn %d: no match has been started", turn)
	}
	if err := p.board.read(turn, state); err != nil {
		return dst, fmt.Errorf("turn %d: %w", turn, err)
	}
	p.orders.begin(p.board, dst)
	p.orders.revive()
	p.thinker.think(p.board, &p.orders, p.rng)
	return p.orders.end(), nil
}

// nearest is the strategy whose name takes the fewest edits to become name.
func nearest(name string) string {
	const longest = 32 // bytes; the start of longer ones says enough
	name = name[:min(len(name), longest)]
	return slices.MinFunc(AllNames(), func(a, b string) int {
		return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
	})
}
