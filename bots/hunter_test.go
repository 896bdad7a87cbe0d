package bots

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// roomOf returns the cells that a character can reach without crossing a bomb or a
// special character, including its own cell.
func roomOf(s *hexabomb.State, who int) map[hexgrid.Coord]bool {
	closed := map[hexgrid.Coord]bool{}
	for _, b := range s.Bombs {
		closed[b.Coord] = true
	}
	for _, c := range s.Characters {
		if c.Color == 1 {
			closed[c.Coord] = true
		}
	}
	cells := map[hexgrid.Coord]bool{}
	for _, c := range s.Cells {
		cells[c.Coord] = true
	}
	from := s.Characters[who].Coord
	inside := map[hexgrid.Coord]bool{from: true}
	for queue := []hexgrid.Coord{from}; len(queue) > 0; queue = queue[1:] {
		for _, d := range hexgrid.Dirs {
			if n := queue[0].Step(d); cells[n] && !closed[n] && !inside[n] {
				inside[n] = true
				queue = append(queue, n)
			}
		}
	}
	return inside
}

// isLong distinguishes the bombs of a block from those of an attack.
func isLong(b hexabomb.Bomb) bool { return b.Delay >= blockDelay/2 }

func TestHunterBlocksACorridor(t *testing.T) {
	m := botstest.Drawn(
		"....        .....",
		"...........S.....",
		"....        .....",
		"0...        .....",
	)
	corridor := func(c hexgrid.Coord) bool { return c.R == 1 && 4 <= c.Q && c.Q <= 11 }
	refuge := hexgrid.Coord{Q: 16, R: 3} // in the large room on the hunter's side
	for _, prey := range []string{"idle", "random", "painter"} {
		t.Run(prey, func(t *testing.T) {
			g := newGame(t, m, "special hunter", prey)
			blocked, at := false, hexgrid.Coord{}
			for s := g.now(); s.Characters[1].Alive; s = g.now() {
				if g.turn > 60 {
					t.Fatal("the prey is alive after 60 turns")
				}
				long := 0
				for _, b := range s.Bombs {
					if !isLong(b) {
						continue
					}
					long++
					if blocked && b.Coord != at {
						t.Errorf("turn %d: a second bomb of long delay, at %v", g.turn, b.Coord)
					}
					blocked, at = true, b.Coord
				}
				if blocked && (long != 1 || !corridor(at)) {
					t.Errorf("turn %d: %d bombs of long delay, at %v, want one in the corridor", g.turn, long, at)
				}
				if blocked && roomOf(s, 1)[refuge] {
					t.Errorf("turn %d: the prey at %v can escape", g.turn, s.Characters[1].Coord)
				}
				g.step()
			}
			if !blocked {
				t.Error("no bomb of long delay was dropped")
			}
		})
	}
}

// ring returns a corridor of that width around a hole. The prey starts opposite the
// special player's characters.
func ring(radius, width, hunters int) *hexabomb.Map {
	m := &hexabomb.Map{Starts: [][]hexgrid.Coord{{{Q: -radius}}}}
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			c := hexgrid.Coord{Q: q, R: r}
			if d := hexgrid.Distance(c, hexgrid.Coord{}); d <= radius && d > radius-width {
				m.Cells = append(m.Cells, c)
			}
		}
	}
	m.Specials = []hexgrid.Coord{{Q: radius}, {Q: radius, R: -1}}[:hunters]
	return m
}

// enclosed reports whether the prey, character 2, has little room and characters 0 and 1
// each hold one end of it.
func enclosed(s *hexabomb.State) bool {
	room := roomOf(s, 2)
	ends := map[hexgrid.Coord]bool{}
	for _, c := range s.Cells {
		for _, d := range hexgrid.Dirs {
			if room[c.Coord.Step(d)] && !room[c.Coord] {
				ends[c.Coord] = true
			}
		}
	}
	return len(room) <= 8 && len(ends) == 2 && ends[s.Characters[0].Coord] &&
		ends[s.Characters[1].Coord]
}

// TestTwoHuntersEncloseAPainter checks that two hunters enclose a painter that runs in
// circles and is safe from one hunter.
func TestTwoHuntersEncloseAPainter(t *testing.T) {
	for seed := range uint64(5) {
		alone := newSeededGame(t, ring(5, 1, 1), seed, "special hunter", "painter")
		alone.play(100)
		if !alone.now().Characters[1].Alive {
			t.Errorf(
				"seed %d: one hunter caught the painter; the test needs a ring in which one hunter fails", seed)
		}

		g := newSeededGame(t, ring(5, 1, 2), seed, "special hunter", "painter")
		wasEnclosed := false
		for s := g.now(); s.Characters[2].Alive && g.turn < 60; s = g.now() {
			wasEnclosed = wasEnclosed || enclosed(s)
			g.step()
		}
		if s := g.now(); !wasEnclosed || s.Characters[2].Alive {
			t.Errorf("seed %d: after %d turns, enclosed = %v, alive = %v", seed, g.turn, wasEnclosed,
				s.Characters[2].Alive)
		}
	}
}

// TestTwoHuntersCatchAPainter plays in a wider ring, in which the prey can slip past one hunter.
func TestTwoHuntersCatchAPainter(t *testing.T) {
	for seed := range uint64(5) {
		for hunters, want := range map[int]bool{1: true, 2: false} {
			g := newSeededGame(t, ring(6, 2, hunters), seed, "special hunter", "painter")
			g.play(80)
			if got := g.now().Characters[hunters].Alive; got != want {
				t.Errorf("seed %d, %d hunters: alive = %v, want %v", seed, hunters, got, want)
			}
		}
	}
}

// TestHunterBreaches checks that the hunter blows up a bomb that will block the only way
// to the prey for long, and waits for one that explodes soon.
func TestHunterBreaches(t *testing.T) {
	const street = `{"cells":[{"q":0,"r":0},{"q":1,"r":0},{"q":2,"r":0},{"q":3,"r":0},{"q":4,"r":0},{"q":5,"r":0},
		{"q":6,"r":0},{"q":7,"r":0},{"q":8,"r":0},{"q":9,"r":0}],
		"characters":[{"id":0,"color":1,"q":0,"r":0,"alive":true},{"id":1,"color":2,"q":9,"r":0,"alive":true}],
		"bombs":[{"color":1,"range":2,"delay":%d,"q":3,"r":0}]}`
	for delay, want := range map[int]bool{40: true, 4: true, 3: false, 1: false} {
		s, err := New("hunter", 1)
		if err != nil {
			t.Fatal(err)
		}
		state := fmt.Appendf(nil, street, delay)
		if err := s.Start(Info{Players: 1, Specials: 1}, state); err != nil {
			t.Fatal(err)
		}
		answer, err := s.Turn(0, state, nil)
		if got := strings.Contains(string(answer), `"bomb"`); err != nil || got != want {
			t.Errorf("behind a bomb with delay %d: %s, %v; a bomb: want %v", delay, answer, err, want)
		}
	}
}

// TestHunterAsAnOrdinaryPlayer checks that the hunter kills and survives on an ordinary seat.
func TestHunterAsAnOrdinaryPlayer(t *testing.T) {
	m := botstest.Drawn(".....", "..1..", ".....", "..0..", ".....")
	g := newGame(t, m, "hunter", "idle")
	g.play(40)
	if kills, deaths := g.tally(1, "deaths"), g.tally(0, "deaths"); kills == 0 || deaths != 0 {
		t.Errorf("%d kills and %d deaths in 40 turns, want some and none", kills, deaths)
	}
}
