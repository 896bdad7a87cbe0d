package bots

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
)

// onEachMap plays four matches on each shipped map, of which success must report true for three:
// enough to notice a bot that became weak.
func onEachMap(t *testing.T, success func(m *hexabomb.Map, seed uint64) bool) {
	thorough.Full(t)
	for _, name := range maps.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := maps.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			var failed []uint64
			for seed := range uint64(4) {
				if !success(m, seed) {
					failed = append(failed, seed)
				}
			}
			if len(failed) > 1 {
				t.Errorf("the seeds %v fail", failed)
			}
		})
	}
}

// TestPainterBeatsRandom checks that a painter among random players has the highest score after
// 100 turns.
func TestPainterBeatsRandom(t *testing.T) {
	onEachMap(t, func(m *hexabomb.Map, seed uint64) bool {
		names := slices.Repeat([]string{"random"}, m.Seats())
		painter := int(seed) % m.Seats()
		names[painter] = "painter"
		g := newSeededGame(t, m, seed, names...)
		g.play(99) // newGame has played one
		for id := range names {
			if id != painter && g.tally(id, "score") >= g.tally(painter, "score") {
				return false
			}
		}
		return true
	})
}

// TestHunterKillsPainters checks that a hunter as the special player kills all painters by turn
// 150. Random players would show less, since they kill themselves.
func TestHunterKillsPainters(t *testing.T) {
	onEachMap(t, func(m *hexabomb.Map, seed uint64) bool {
		names := append([]string{"special hunter"}, slices.Repeat([]string{"painter"}, m.Seats())...)
		g := newSeededGame(t, m, seed, names...)
		for g.turn < 150 {
			g.step()
			if !slices.ContainsFunc(g.now().Characters, alivePainter) {
				return true
			}
		}
		return false
	})
}

// alivePainter reports whether a character is alive and not the special player's.
func alivePainter(c hexabomb.Character) bool { return c.Alive && c.Color > 1 }
