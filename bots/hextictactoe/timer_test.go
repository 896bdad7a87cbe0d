package hextictactoe

import (
	"fmt"
	"testing"
	"time"
)

// TestTimeIsUsed checks that threat searches a quiet position until its time is over, and that the
// nodes of each such answer repeat it, without a clock. Its levels keep to their nodes.
func TestTimeIsUsed(t *testing.T) {
	var machine Machine
	for seed := range uint64(6) {
		q, err := NewQuestion(*Opening(seed), 8, 6)
		if err != nil {
			t.Fatal(err)
		}
		const left = 40 * time.Millisecond
		again := q
		asked := time.Now()
		q.SetTimer(Clock{Left: left, PerMove: true}, &machine)
		b, _ := New("threat")
		answer := b.Move(t.Context(), q)
		took := time.Since(asked)
		if answer.WinIn == 0 && took < q.Timer.tree {
			t.Errorf("opening %d: the answer %+v took %v of %v", seed, answer.Option, took, q.Timer.all)
		}
		if tree := q.Timer.tree; tree < left/2*9/10 || tree > left {
			t.Errorf("opening %d: the tree may take %v of %v", seed, tree, left)
		}
		again.Spent = answer.Spent
		if repeated := b.Move(t.Context(), again); answer.Spent.Plan == 0 || answer.Cut ||
			fmt.Sprint(answer) != fmt.Sprint(repeated) {
			t.Errorf("opening %d: the answer %+v is %+v if it is repeated", seed, answer.Option,
				repeated.Option)
		}
		again.Spent = Spent{Plan: 4096, All: 640} // as if the time had been over early
		judged := b.Judge(t.Context(), again)
		again.Spent = judged.Spent
		if repeated := b.Judge(t.Context(), again); judged.Spent.All < 640 || judged != repeated {
			t.Errorf("opening %d: the evaluation %+v is %+v if it is repeated", seed, judged, repeated)
		}
		q.Timer, q.Spent, q.Nodes = nil, Spent{}, 0
		q.SetTime(Clock{Left: time.Second, PerMove: true})
		easy, _ := New("threat:easy")
		plain := easy.Move(t.Context(), q)
		q.SetTimer(Clock{Left: time.Second, PerMove: true}, &machine)
		if timed := easy.Move(t.Context(), q); fmt.Sprint(plain) != fmt.Sprint(timed) {
			t.Errorf("opening %d: threat:easy answers %+v, with a timer %+v", seed, plain, timed)
		}
	}
}

// TestTimedWinsRepeat checks the same where the solver finds wins, and where it takes long.
func TestTimedWinsRepeat(t *testing.T) {
	var machine Machine
	for i, w := range readWins(t)[:12] {
		q, err := NewQuestion(w.Position, 8, 6)
		if err != nil {
			t.Fatal(err)
		}
		again := q
		q.SetTimer(Clock{Left: 30 * time.Millisecond, PerMove: true}, &machine)
		b, _ := New("threat")
		answer := b.Move(t.Context(), q)
		again.Spent = answer.Spent
		if repeated := b.Move(t.Context(), again); fmt.Sprint(answer) != fmt.Sprint(repeated) {
			t.Errorf("win %d: the answer %+v is %+v if it is repeated", i+1, answer.Option, repeated.Option)
		}
	}
}
