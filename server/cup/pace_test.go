package cup

import (
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// A player that misses turns is awaited in each, until it has missed too many in a row.
func TestPaceGivesUp(t *testing.T) {
	const limit = time.Second
	w := NewWaiting(limit, 2)
	now := time.Unix(0, 0)
	both := []engine.PlayerID{0, 1}
	turn := func(answers ...engine.PlayerID) (waited bool) {
		t.Helper()
		d := w.Asked(now, both)
		for _, p := range answers {
			d = w.Answered(now, p)
		}
		if d.End {
			return false
		}
		now = now.Add(limit)
		if d := w.Woken(now); !d.End || !d.TimeUp {
			t.Fatalf("the turn goes on with %+v", d)
		}
		return true
	}
	for range patience - 1 {
		if !turn(0) {
			t.Fatal("a turn ends without an answer")
		}
	}
	if turn(0, 1) || w.hung(1) {
		t.Fatal("a player that answers again is hung")
	}
	for range patience {
		if w.hung(1) || !turn(0) {
			t.Fatal("a player is hung too early")
		}
	}
	if turn(0) || !w.hung(1) || w.hung(0) {
		t.Error("a turn waits for a player that is hung")
	}
	if turn(1, 0) {
		t.Error("the answer of a player that is hung holds up a turn")
	}
	if d := w.Asked(now, both[1:]); !d.End {
		t.Errorf("a turn that awaits players that are hung only goes on: %+v", d)
	}
}
