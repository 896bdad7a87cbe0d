package hextictactoe

import (
	"context"
	"math"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// judging plays a bot and records its evaluation of each position before the move.
type judging struct {
	Bot
	evaluations []Evaluation
}

func (j *judging) Move(ctx context.Context, q Question) Answer {
	j.evaluations = append(j.evaluations, j.Judge(ctx, q))
	return j.Bot.Move(ctx, q)
}

// TestEvaluationsAreSteady checks that in quiet positions the evaluation does not depend
// on the side to move: it changes little from move to move and does not swing, but for the few
// positions in which an attack is found or not as the search ends. -v prints these.
func TestEvaluationsAreSteady(t *testing.T) {
	thorough.Full(t)
	const (
		quiet = 0.5  // the largest evaluation of a quiet position
		saw   = 0.15 // the smallest change that counts
		most  = 0.01 // the largest share of positions with such changes, about twice what is usual
	)
	positions, saws, budgets := 0, 0, []int{leastNodes, 500, 4000}
	if short() {
		budgets = []int{leastNodes, 500}
	}
	for _, nodes := range budgets {
		for seed := range uint64(16) {
			j := &judging{Bot: threat{hard}}
			c := Contest{
				Options: rules.Defaults(), Seed: seed, Turns: 12, Nodes: [2]int{nodes, nodes},
				Bots: [2]Bot{j, j},
			}
			if seed > 0 {
				c.Options.Setup = Opening(seed)
			}
			if _, err := c.Play(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := 2; i < len(j.evaluations); i++ {
				a, b, c := j.evaluations[i-2].Heuristic, j.evaluations[i-1].Heuristic, j.evaluations[i].Heuristic
				if max(math.Abs(a), math.Abs(b), math.Abs(c)) > quiet {
					break
				}
				positions++
				if (b-a)*(c-b) < 0 && min(math.Abs(b-a), math.Abs(c-b)) > saw {
					saws++
					t.Logf("%d nodes, seed %d: the evaluation goes from %v to %v and %v", nodes, seed, a, b, c)
				}
			}
		}
	}
	if positions < 50 {
		t.Errorf("%d quiet positions are too few for a conclusion", positions)
	}
	if float64(saws) > most*float64(positions) {
		t.Errorf("the evaluation swings in %d of %d quiet positions", saws, positions)
	}
}

// TestFirstPositionIsEven checks that the position with one x and o to move is nearly even.
func TestFirstPositionIsEven(t *testing.T) {
	for _, nodes := range []int{leastNodes, 4000} {
		q, err := NewQuestion(rules.Position{ToMove: rules.O, Pieces: []rules.Piece{{Side: rules.X}}}, 8,
			6)
		if err != nil {
			t.Fatal(err)
		}
		q.Nodes = nodes
		if e := (threat{hard}).Judge(t.Context(), q); math.Abs(e.Heuristic) > 0.1 {
			t.Errorf("%d nodes: x alone is judged %+v", nodes, e)
		}
	}
}
