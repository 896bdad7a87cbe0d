package remote

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// A coordinator that begins without a plan tells workers to wait. When it is assigned one, and then
// another, workers hear which it is, leases and results of the plan before count no more, and the
// queue has the objects of the plan that is played alone.
func TestPlansFollowEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &quietQueue{objects: map[string][]byte{}}
		c, err := Coordinate(t.Context(), q, Options{Version: "1", Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Lease(nil)
		synctest.Wait()
		b := &bench{Coordinator: c, t: t, queue: q}
		if !c.Heard().IsZero() {
			t.Error("a worker was heard before one has asked")
		}
		r := request{Worker: "w", Name: "w", Version: "1", Number: 1, Jobs: 8}
		if a := b.ask(r); a.Manifest != "" || a.Lease != nil {
			t.Errorf("without a plan a worker is told %+v", a)
		}
		if heard := c.Heard(); !heard.Equal(time.Now()) {
			t.Errorf("a worker was heard at %v", heard)
		}
		b.send("w", &results.Row{}, "") // of no plan

		var leases []string
		var plans []*plan.Plan
		for i, name := range []string{"one", "two"} {
			p := cuptest.Plan(plan.Ladder, 2, 2)
			p.Seed = uint64(i)
			plans = append(plans, p)
			if err := c.Assign(t.Context(), Assignment{Plan: p, Manifest: name, Objects: map[string][]byte{name: nil, "shared": nil}}); err != nil {
				t.Fatal(err)
			}
			c.Lease([]cup.Task{{Match: plan.Match{K: i, Bots: []int{0, 1}}, Unstarted: make([]bool, 2)}})
			r.Number++
			if a := b.ask(r); a.Manifest != name || a.Lease != nil {
				t.Errorf("a worker of another manifest gets %+v", a)
			}
			r.Number, r.Manifest, r.Wants = r.Number+1, name, true
			a := b.ask(r)
			if a.Lease == nil || len(a.Lease.Matches) != 1 || a.Lease.Matches[0].K != i ||
				a.Lease.Matches[0].Match == nil {
				t.Fatalf("a worker is told %+v", a)
			}
			leases = append(leases, a.Lease.ID)
			r.Wants, r.Held = false, leases
		}
		time.Sleep(2 * beat)
		r.Number++
		if a := b.ask(r); !slices.Equal(a.Dropped, leases[:1]) {
			t.Errorf("the leases %v are dropped, want %v", a.Dropped, leases[:1])
		}
		if _, stays := q.objects["one"]; stays || len(q.objects) != 2 {
			t.Errorf("the queue has %d objects", len(q.objects))
		}
		row := &results.Row{
			K: 1, Map: plans[1].Maps[0].Name, Bots: []string{plans[1].Bots[0].Name, plans[1].Bots[1].Name},
			Scores: []int64{2, 1}, Ranks: []int{1, 2}, Forfeits: []string{"", ""}, Refused: []int{0, 0},
		}
		send := func(p *plan.Plan) (got int) {
			q.take(encodeOutcomes(
				sender{Worker: "w", Name: "w", Version: "1", Plan: p.Digest()},
				playedOutcome{Outcome: &cup.Outcome{Row: row}},
			))
			select {
			case list := <-c.outcomes:
				return len(list)
			default:
				return 0
			}
		}
		if n := send(plans[0]); n != 0 {
			t.Errorf("%d results of the plan before count", n)
		}
		if n := send(plans[1]); n != 1 {
			t.Errorf("%d results count, want 1", n)
		}

		c.Lease([]cup.Task{{Match: plan.Match{K: 1, Bots: []int{0, 1}}, Unstarted: make([]bool, 2)}})
		c.Withdraw(1)
		if n := send(plans[1]); n != 0 {
			t.Errorf("%d results of a match that was withdrawn count", n)
		}
	})
}

// With RecordAll each result comes with its recording, once that is verified.
func TestRecordingsAreHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &quietQueue{objects: map[string][]byte{recordingName("w", 3): []byte("recording")}}
		p := cuptest.Plan(plan.RoundRobin, 4, 2)
		c, err := Coordinate(t.Context(), q, Options{
			Assignment: Assignment{Plan: p, Manifest: "m"}, Version: "1", Dir: t.TempDir(), RecordAll: true,
			Verify: func(context.Context, []byte, *cup.Outcome) error { return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Lease([]cup.Task{{Match: plan.NewSchedule(p).Match(3), Unstarted: make([]bool, 2)}})
		synctest.Wait()
		b := &bench{Coordinator: c, t: t, queue: q}
		b.opts.Plan = p
		q.take(encodeOutcomes(
			sender{Worker: "w", Name: "w", Version: "1", Plan: p.Digest()},
			playedOutcome{Outcome: &cup.Outcome{Row: b.row(3)}, Recording: recordingName("w", 3)},
		))
		if list := <-c.outcomes; len(list) != 1 || string(list[0].Recorded) != "recording" {
			t.Errorf("the results are %+v", list)
		}
	})
}
