package match

import (
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// A player that misses turns is awaited in each, until it has missed too many in a row.
func TestPaceGivesUp(t *testing.T) {
	const limit = time.Second
	w := NewWaiting(limit, 0, 2)
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
	if turn(0, 1) || w.Hung(1) {
		t.Fatal("a player that answers again is hung")
	}
	for range patience {
		if w.Hung(1) || !turn(0) {
			t.Fatal("a player is hung too early")
		}
	}
	if turn(0) || !w.Hung(1) || w.Hung(0) {
		t.Error("a turn waits for a player that is hung")
	}
	if turn(1, 0) {
		t.Error("the answer of a player that is hung holds up a turn")
	}
	w.Resume(1)
	if !turn(0) || !w.Hung(1) || turn(0) {
		t.Error("a player that resumes is awaited in no turn, or in more than the next one")
	}
	w.Resume(1)
	if turn(0, 1) || !turn(0) || w.Hung(1) {
		t.Error("a player that resumes and answers is not awaited as others")
	}
	if w.Suspend(1); turn(0) {
		t.Error("a turn waits for a player that is suspended")
	}
	if d := w.Asked(now, both[1:]); !d.End {
		t.Errorf("a turn that awaits players that are hung only goes on: %+v", d)
	}
}

// A turn waits for the answer of a player that was awaited, left and came back, and for no other
// one of it; it does not wait for a player that is hung because it came back.
func TestPaceReturned(t *testing.T) {
	w := NewWaiting(time.Hour, 0, 2)
	now := time.Unix(0, 0)
	w.Asked(now, []engine.PlayerID{0, 1})
	w.Left(now, 1)
	if d := w.Returned(now, 1); d.End {
		t.Fatalf("two players are awaited, and the turn ends: %+v", d)
	}
	if d := w.Answered(now, 0); d.End {
		t.Fatalf("the player that came back is awaited, and the turn ends: %+v", d)
	}
	if d := w.Answered(now, 1); !d.End {
		t.Errorf("both players have answered, and the turn goes on: %+v", d)
	}

	w.Suspend(1)
	w.Asked(now, []engine.PlayerID{0, 1})
	w.Left(now, 1)
	if d := w.Returned(now, 1); d.End {
		t.Fatalf("a player is awaited, and the turn ends: %+v", d)
	}
	if d := w.Answered(now, 0); !d.End {
		t.Errorf("the turn waits for a player that is hung since it came back: %+v", d)
	}
}

// A player that connects again in each turn instead of answering is hung as soon as any other.
func TestPaceOfReconnects(t *testing.T) {
	const limit = time.Second
	w := NewWaiting(limit, 0, 1)
	now := time.Unix(0, 0)
	for turn := range patience {
		if w.Hung(0) {
			t.Fatalf("a player is hung after %d turns", turn)
		}
		w.Asked(now, []engine.PlayerID{0})
		w.Left(now, 0)
		w.Returned(now, 0)
		now = now.Add(limit)
		w.Woken(now)
	}
	if !w.Hung(0) {
		t.Errorf("a player that answered none of %d turns is not hung", patience)
	}
}
