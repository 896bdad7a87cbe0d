package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// Games are varied by random moves among the best ones. Positions before the last of them are not
// learned from, as what follows does not show what they are worth.
const (
	longestGame = 40 // moves; later positions are full of pieces that do not matter
	mostRandom  = 14 // moves of which the first half, on average, may be random
	randomMoves = 12 // the best moves, of which a random one is one
)

// game is a game of the teacher against itself. It ends before a win that the teacher has proven.
type game struct {
	setup  *rules.Position
	moves  []rules.Move
	values []bots.Evaluation // before each move
	from   int               // number of moves up to the last random one
}

// play plays the games, several at once.
func (l *job) play(ctx context.Context) ([]game, error) {
	games, errs := make([]game, l.games), make([]error, l.games)
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range l.jobs {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < l.games && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				games[i], errs[i] = playGame(ctx, l.seed+uint64(i), l.nodes)
				if n := done.Add(1); n%200 == 0 {
					l.Report("%d games", n)
				}
			}
		})
	}
	workers.Wait()
	return games, errors.Join(append(errs, ctx.Err())...)
}

var errProven = errors.New("the teacher has proven a win")

func playGame(ctx context.Context, seed uint64, nodes int) (game, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	random := rand.New(rand.NewPCG(seed, 77))
	o := rules.Defaults()
	o.Setup = bots.Opening(seed)
	g := game{setup: o.Setup}
	teacher, _ := bots.Without("evaluation")
	p := &player{Bot: teacher, game: &g, random: random, until: random.IntN(mostRandom)}
	p.stop = func() { stop(errProven) }
	c := bots.Contest{
		Options: o, Bots: [2]bots.Bot{p, p}, Nodes: [2]int{nodes, nodes}, Seed: seed, Turns: longestGame,
	}
	out, err := c.Play(ctx)
	if errors.Is(err, errProven) {
		err = nil
	}
	g.moves = out.Moves
	return g, err
}

// player plays both sides of a game.
type player struct {
	bots.Bot
	game   *game
	random *rand.Rand
	until  int // moves that may be random
	stop   func()
}

// Move implements bots.Bot.
func (p *player) Move(ctx context.Context, q bots.Question) bots.Answer {
	a, g := p.Bot.Move(ctx, q), p.game
	g.values = append(g.values, a.Evaluation)
	n := len(g.values)
	switch {
	case n <= p.until && len(a.Considered) > 1 && p.random.IntN(2) == 0:
		a.Option = a.Considered[p.random.IntN(min(randomMoves, len(a.Considered)))]
		g.from = n
	case a.WinIn != 0:
		p.stop()
	}
	return a
}
