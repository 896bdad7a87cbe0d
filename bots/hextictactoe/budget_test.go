package hextictactoe

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// TestSetTime checks that the nodes follow from the time, with a limit that leaves time for the
// remaining moves.
func TestSetTime(t *testing.T) {
	for _, tt := range []struct {
		clock Clock
		nodes int
		limit time.Duration
	}{
		{Clock{
			Left: 10 * time.Second, Increment: 100 * time.Millisecond,
		}, 49152, 1300 * time.Millisecond},
		{Clock{
			Left: 10*time.Second - time.Millisecond, Increment: 100 * time.Millisecond,
		}, 49152, 4*(250*time.Millisecond-25*time.Microsecond) + 300*time.Millisecond},
		{Clock{
			Left: 100 * time.Millisecond, Increment: 100 * time.Millisecond,
		}, 4096, 25 * time.Millisecond},
		{Clock{Left: time.Second, PerMove: true}, 49152, 750 * time.Millisecond},
		{Clock{Left: time.Hour}, 393216, 8 * time.Second},
		{Clock{Left: time.Millisecond}, leastNodes, 250 * time.Microsecond},
		{Clock{}, leastNodes, 0},
	} {
		var q Question
		q.SetTime(tt.clock)
		if q.Nodes != tt.nodes || q.Limit != tt.limit {
			t.Errorf("%+v allows %d nodes and %v, want %d and %v", tt.clock, q.Nodes, q.Limit, tt.nodes,
				tt.limit)
		}
	}
}

// TestAnswersAreReproducible checks that an answer depends only on the question unless
// the context ends first, which the answer then reports.
func TestAnswersAreReproducible(t *testing.T) {
	thorough.Long(t)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, d := range Describe() {
		for seed := range uint64(3) {
			q, err := NewQuestion(*Opening(seed), 8, 6)
			if err != nil {
				t.Fatal(err)
			}
			q.Seed, q.Nodes = seed, 2000
			b, _ := New(d.Name)
			first, again := b.Move(t.Context(), q), b.Move(t.Context(), q)
			if fmt.Sprint(first) != fmt.Sprint(again) || first.Cut {
				t.Errorf("%s answers %v, then %v", d.Name, first, again)
			}
			if e := b.Judge(t.Context(), q); e.Cut {
				t.Errorf("%s judges %+v, cut off", d.Name, e)
			}
			if late := b.Move(stopped, q); d.Name == "threat" && !late.Cut {
				t.Errorf("%s answers %v with an ended context, without Cut", d.Name, late)
			}
			q.Limit = time.Hour
			testRepeated(t, b, t.Context(), q)
			testRepeated(t, b, stopped, q)
			q.Spent = Spent{Plan: 2000, All: 640, Fixed: true} // as if cut off within the tree
			testRepeated(t, b, t.Context(), q)
		}
	}
}

// testRepeated checks that the nodes of an answer with a limit repeat it, if the bot searches.
func testRepeated(t *testing.T, b Bot, ctx context.Context, q Question) {
	t.Helper()
	first := b.Move(ctx, q)
	s, ok := SpentOf(first.Spent.Nodes())
	if searches := b != (nearest{}) && b != (random{}); ok != searches {
		t.Errorf("%T answers with the nodes %v", b, first.Spent)
	} else if !searches {
		return
	}
	past := Past{len(q.Board.Pieces()): s}
	if !past.Repeat(&q) {
		t.Error("the past does not have the answer")
	}
	if again := b.Move(t.Context(), q); fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("%T answers %v, repeated %v", b, first, again)
	}
}

// TestLevels checks that each level beats the one below, from openings played with both sides.
func TestLevels(t *testing.T) {
	thorough.Long(t)
	nodes := 8000
	if short() {
		nodes = 1000
	}
	for _, names := range [][2]string{
		{"threat", "threat:easy"}, {"threat:medium", "nearest"}, {"threat:easy", "nearest"},
	} {
		won := 0
		for seed := range uint64(6) {
			c := Contest{Options: rules.Defaults(), Seed: seed, Turns: 100, Nodes: [2]int{nodes, nodes}}
			c.Options.Setup = Opening(seed / 2)
			side := rules.X + rules.Side(seed%2)
			c.Bots[side-rules.X], _ = New(names[0])
			c.Bots[side.Other()-rules.X], _ = New(names[1])
			out, err := c.Play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if out.Winner == side {
				won++
			}
		}
		if won < 4 {
			t.Errorf("%s wins %d of 6 games against %s", names[0], won, names[1])
		}
	}
}
