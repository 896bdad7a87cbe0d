package bots

import (
	"fmt"
	"testing"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

// script is a player that answers TURN n with its n-th text, and later turns with nothing.
type script []string

func (script) Start(Info, []byte) error { return nil }

func (s script) Turn(turn int, _, dst []byte) ([]byte, error) {
	if turn < len(s) {
		return append(dst, s[turn]...), nil
	}
	return append(dst, "[]"...), nil
}

// positions are boards on which a player can easily kill itself.
var positions = map[string]*hexabomb.Map{
	"open": botstest.Drawn("   .....", "  ......", " .......", "........", ".......",
		"......", "....0"),
	"crowded corner": botstest.Drawn("000....", "000....", ".......", "......."),
	"street":         botstest.Drawn("0...........0"),
	"dead end":       botstest.Drawn("0.....", "     .", "     .", "     ."),
	"court":          botstest.Drawn(".......", ".     .", ".  0  .", ".     .", "......."),
	"three cells":    botstest.Drawn("0..", "0"),
	"one cell":       botstest.Drawn("0"),
}

func TestPainterSurvivesItself(t *testing.T) {
	thorough.Long(t)
	boards := map[string]*hexabomb.Map{}
	for name, m := range positions {
		boards[name] = m
	}
	for _, name := range maps.Names() {
		m, err := maps.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		boards[name] = m
	}
	for name, m := range boards {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				g := newSeededGame(t, m, seed, "painter")
				g.play(100)
				if n := g.tally(0, "deaths"); n != 0 {
					t.Errorf("seed %d: %d deaths, want 0", seed, n)
				}
			}
		})
	}
}

func TestPainterUsesItsBombs(t *testing.T) {
	g := newGame(t, positions["open"], "painter")
	g.play(60)
	if n := g.tally(0, "bombs"); n == 0 {
		t.Error("no bomb in 60 turns on an open board")
	}
	if cells, all := g.tally(0, "cells"), int64(len(positions["open"].Cells)); cells != all {
		t.Errorf("%d of %d cells are painted after 60 turns", cells, all)
	}
}

// TestPainterFleesBombs checks that a painter escapes from a bomb of any range and delay
// in any direction.
func TestPainterFleesBombs(t *testing.T) {
	for _, d := range hexgrid.Dirs {
		for reach := 2; reach <= 4; reach++ {
			for delay := 2; delay <= 4; delay++ {
				m := *positions["open"]
				centre := hexgrid.Coord{Q: 4, R: 3}
				m.Starts = [][]hexgrid.Coord{{centre}, {centre.Step(d)}}
				g := newGame(t, &m, "painter", "idle")
				bomb := fmt.Sprintf(`[{"id":1,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}]`, reach,
					delay)
				g.players[1] = script{bomb}
				g.play(delay + 2)
				if g.tally(1, "deaths") != 1 {
					t.Fatalf("%v: the bomb of range %d, delay %d did not explode", d, reach, delay)
				}
				if g.tally(0, "deaths") != 0 {
					t.Errorf("a bomb at %v of range %d, delay %d kills the painter", d, reach, delay)
				}
			}
		}
	}
}

// TestPainterSeesChainReactions checks that the painter expects two bombs in a chain to
// explode together.
func TestPainterSeesChainReactions(t *testing.T) {
	m := botstest.Drawn("1...2...", "....0...", "  . ..  ", "   .... ")
	g := newGame(t, m, "painter", "idle", "idle")
	g.players[1] = script{`[{"id":1,"movement":"bomb","bomb_range":4,"bomb_delay":2}]`}
	g.players[2] = script{`[{"id":2,"movement":"bomb","bomb_range":4,"bomb_delay":4}]`}
	g.play(3)
	if g.tally(1, "deaths") != 1 || g.tally(2, "deaths") != 1 {
		t.Fatal("the bombs did not explode together")
	}
	if g.tally(0, "deaths") != 0 {
		t.Error("the painter relied on the delay of the bomb next to it")
	}
}

// TestPainterKeepsAwayFromTheSpecialPlayer checks that in sudden death the painter only
// stays alive.
func TestPainterKeepsAwayFromTheSpecialPlayer(t *testing.T) {
	m := botstest.Drawn("S.........", "..........", "....0.....", "..........", "..........")
	g := newGame(t, m, "special idle", "painter")
	g.play(12)
	s := g.now()
	if d := hexgrid.Distance(s.Characters[0].Coord, s.Characters[1].Coord); d < 6 {
		t.Errorf("after 12 turns the painter is %d cells from the special player, want 6 or more", d)
	}
	if n := g.tally(1, "bombs"); n != 0 {
		t.Errorf("the painter drops %d bombs", n)
	}
}
