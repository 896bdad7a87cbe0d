package remote

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// quietQueue is a coordinator's side of a queue on which tests say what arrives.
type quietQueue struct {
	answer  func([]byte) []byte
	take    func([]byte)
	objects map[string][]byte
}

func (q *quietQueue) Serve(answer func([]byte) []byte, take func([]byte)) error {
	q.answer, q.take = answer, take
	return nil
}

func (q *quietQueue) Put(_ context.Context, name string, data []byte) error {
	q.objects[name] = data
	return nil
}

func (q *quietQueue) Fetch(_ context.Context, name string) ([]byte, error) {
	if data, ok := q.objects[name]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("the queue has no object %q", name)
}

func (q *quietQueue) Remove(_ context.Context, name string) error {
	delete(q.objects, name)
	return nil
}

func (q *quietQueue) Clear(context.Context) error {
	clear(q.objects)
	return nil
}

func (q *quietQueue) Lost() <-chan struct{} { return nil }
func (q *quietQueue) Close()                {}

// bench is a coordinator and what it says.
type bench struct {
	*Coordinator
	t      *testing.T
	queue  *quietQueue
	dir    string
	mu     sync.Mutex // guards warned
	warned []string
}

// usual is the number of matches that a bench leases.
const usual = 400

// newBench returns a coordinator of reproducible bots that leases some matches, and verifies
// recordings by a function.
func newBench(t *testing.T, verify func(context.Context, []byte, *cup.Outcome) error) *bench {
	t.Helper()
	p := cuptest.Plan(plan.RoundRobin, 4, 2)
	for i := range p.Bots {
		p.Bots[i].Reproducible = true
	}
	b := &bench{t: t, queue: &quietQueue{objects: map[string][]byte{}}, dir: t.TempDir()}
	var err error
	b.Coordinator, err = Coordinate(t.Context(), b.queue, Options{Assignment: Assignment{Plan: p, Manifest: "m"}, Version: "1", Dir: b.dir, Verify: verify, Warn: func(text string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.warned = append(b.warned, text)
	}})
	if err != nil {
		t.Fatal(err)
	}
	schedule := plan.NewSchedule(p)
	var tasks []cup.Task
	for k := range usual {
		tasks = append(tasks, cup.Task{Match: schedule.Match(k), Unstarted: make([]bool, 2)})
	}
	b.Lease(tasks)
	synctest.Wait()
	return b
}

// ask asks for a lease.
func (b *bench) ask(r request) (answer reply) {
	b.t.Helper()
	text := b.queue.answer(encode(r))
	if text == nil {
		return answer
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		b.t.Fatal(err)
	}
	return answer
}

// row returns a row of match k, that the first bot wins.
func (b *bench) row(k int) *results.Row {
	m := plan.NewSchedule(b.opts.Plan).Match(k)
	r := cuptest.Rows(b.opts.Plan, k+1)[k]
	r.Scores, r.Ranks, r.Forfeits, r.Refused, r.Seed = []int64{2, 1}, []int{1, 2}, []string{"", ""}, []int{0, 0}, m.Seed
	return r
}

// send sends a row, and returns how many results the cup got.
func (b *bench) send(worker string, r *results.Row, recording string) (got int) {
	return b.sendOne(worker, playedOutcome{Outcome: &cup.Outcome{Row: r}, Recording: recording})
}

// sendOne sends a result, and returns how many the cup got.
func (b *bench) sendOne(worker string, one playedOutcome) (got int) {
	b.queue.take(
		encodeOutcomes(sender{Worker: worker, Name: worker, Version: "1", Plan: b.digest}, one))
	synctest.Wait()
	for {
		select {
		case list := <-b.outcomes:
			got += len(list)
		default:
			return got
		}
	}
}

// said reports whether the coordinator has said something with all of some words.
func (b *bench) said(words ...string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.warned {
		all := true
		for _, word := range words {
			all = all && strings.Contains(text, word)
		}
		if all {
			return true
		}
	}
	return false
}

// A second result of a match never counts. If it is another one, an alarm names both workers, and a
// file has it.
func TestConflicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		if n := b.send("first", b.row(3), ""); n != 1 {
			t.Fatalf("%d results count, want 1", n)
		}
		if n := b.send("second", b.row(3), ""); n != 0 || len(b.warned) > 0 {
			t.Errorf("the same result again counts %d times, with %q", n, b.warned)
		}
		other := b.row(3)
		other.Digest++
		if n := b.send("second", other, ""); n != 0 {
			t.Errorf("another result counts %d times", n)
		}
		if !b.said("match 3", "first", "second") {
			t.Errorf("the coordinator says %q, want the names of both workers", b.warned)
		}
		text, err := os.ReadFile(filepath.Join(b.dir, ConflictsFile))
		if err != nil || strings.Count(string(text), "\n") != 1 ||
			!strings.Contains(string(text), `"first":"first","second":"second","row":{"k":3,`) {
			t.Errorf("the file of conflicts is %q, %v", text, err)
		}
		for _, w := range b.Report() {
			if w.Conflicts != 1 || w.Played != map[string]int{"first": 1}[w.Name] {
				t.Errorf("the report has %+v", w)
			}
		}
	})
}

// The status counts matches, leases and workers by what became of them.
func TestStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		ask := func(worker string, number int, r request) reply {
			r.Worker, r.Name, r.Number, r.Version, r.Manifest, r.Jobs = worker, worker, number, "1", "m", 2
			return b.ask(r)
		}
		check := func(when string, want Status) {
			t.Helper()
			synctest.Wait()
			got := b.Status()
			got.Rates = nil
			for end := range leaseEnds {
				if want.Ended == nil {
					want.Ended = map[LeaseEnd]int{}
				}
				want.Ended[end] += 0
			}
			if !reflect.DeepEqual(*got, want) {
				t.Errorf("%s the status is %+v, want %+v", when, *got, want)
			}
		}
		check("at first", Status{Queued: usual})
		lease := ask("steady", 1, request{Wants: true}).Lease
		n := len(lease.Matches)
		ask("killed", 1, request{Wants: true})
		ask("stopped", 1, request{Wants: true})
		check("with three leases", Status{Alive: 3, Leases: 3, Queued: usual - 3*n, Leased: 3 * n})
		ask("stopped", 2, request{Leaves: true})
		for _, m := range lease.Matches {
			b.send("steady", b.row(m.K), "")
		}
		time.Sleep(beat)
		if rates := b.Status().Rates; len(rates) != 2 || rates[0] != 0 || rates[1] < float64(n)-1 {
			t.Errorf("after a second with %d results the rates are %v", n, rates)
		}
		for i := range 2 * int(silence/beat) { // meanwhile the others are silent
			ask("steady", i+2, request{})
			time.Sleep(beat)
		}
		check("in the end", Status{
			Alive: 1, Silent: 1, Left: 1, Queued: usual - n, Results: n,
			Ended: map[LeaseEnd]int{LeaseDone: 1, LeaseSilent: 1, LeaseLeft: 1},
		})
		time.Sleep(2 * silence)
		check("while no request arrives", Status{
			Silent: 2, Left: 1, Queued: usual - n, Results: n,
			Ended: map[LeaseEnd]int{LeaseDone: 1, LeaseSilent: 1, LeaseLeft: 1},
		})
	})
}

// Results that cannot be those of their match are no results, and their worker gets no matches any
// more.
func TestForgedResults(t *testing.T) {
	for name, forge := range map[string]func(*results.Row){
		"another bot":     func(r *results.Row) { r.Bots[0] = "no bot" },
		"another seed":    func(r *results.Row) { r.Seed++ },
		"wrong ranks":     func(r *results.Row) { r.Ranks = []int{2, 1} },
		"too few scores":  func(r *results.Row) { r.Scores = r.Scores[:1] },
		"unknown forfeit": func(r *results.Row) { r.Forfeits[0] = "bored" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, nil)
				defer b.Close()
				r := b.row(3)
				forge(r)
				if n := b.send("forger", r, ""); n != 0 || !b.said("forger", "no matches any more") {
					t.Errorf("%d results count, and the coordinator says %q", n, b.warned)
				}
				if a := b.ask(request{Worker: "forger", Name: "forger", Version: "1", Number: 1, Manifest: "m", Jobs: 4, Wants: true}); a.Lease != nil || a.Refused == "" {
					t.Errorf("the worker gets %+v", a)
				}
				if n := b.send("other", b.row(3), ""); n != 1 {
					t.Errorf("%d results of another worker count, want 1", n)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		for _, text := range []string{
			"", "{", "null", `{"matches":[null]}`, "\xa1", "\xf6", "\x9b\x7f\xff\xff\xff\xff\xff\xff\xff",
		} {
			b.queue.take([]byte(text))
			b.queue.answer([]byte(text))
		}
		text := encodeOutcomes(
			sender{Worker: "a", Version: "1", Plan: b.digest},
			playedOutcome{Outcome: &cup.Outcome{Row: &results.Row{K: -1}}},
		)
		for n := range len(text) + 1 {
			b.queue.take(text[:n])
		}
		if n := b.send("sound", b.row(0), ""); n != 1 {
			t.Errorf("after garbage %d results count, want 1", n)
		}
	})
}

// Of matches that are sampled the recording is verified before the result counts.
func TestSampledRecordings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(_ context.Context, recording []byte, _ *cup.Outcome) error {
			if string(recording) != "sound" {
				return errors.New("it differs")
			}
			return nil
		})
		defer b.Close()
		k := usual
		for !b.sampled(k) { // one in a hundred is
			k++
		}
		b.Lease([]cup.Task{{Match: plan.NewSchedule(b.opts.Plan).Match(k), Unstarted: make([]bool, 2)}})
		wrong, right := recordingName("wrong", k), recordingName("right", k)
		b.queue.objects[wrong], b.queue.objects[right] = []byte("forged"), []byte("sound")
		if n := b.send("wrong", b.row(k), wrong); n != 0 || !b.said("worker wrong", "recording") {
			t.Errorf("a result that its recording does not show counts %d times, with %q", n, b.warned)
		}
		if n := b.send("right", b.row(k), "missing"); n != 0 {
			t.Errorf("a result without its recording counts %d times", n)
		}
		if n := b.sendOne("also wrong", playedOutcome{Outcome: &cup.Outcome{Row: b.row(k)}, Data: []byte("forged")}); n != 0 || !b.said("worker also wrong", "recording") {
			t.Errorf("a result that comes with another recording counts %d times, with %q", n, b.warned)
		}
		if n := b.send("thief", b.row(k), right); n != 0 {
			t.Errorf("a result with the recording of another worker counts %d times", n)
		}
		if n := b.send("right", b.row(k), right); n != 1 {
			t.Errorf("a result that its recording shows counts %d times", n)
		}
	})
}

// A lease is a worker's while that asks, also if its request is doubled; when it is silent, and
// another one asks, its matches are that one's.
func TestSilentWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		r := request{Worker: "a", Name: "a", Version: "1", Number: 1, Manifest: "m", Jobs: 4, Wants: true}
		first := b.ask(r)
		if first.Lease == nil || len(first.Lease.Matches) != firstLease*r.Jobs ||
			first.Lease.Matches[0].K != 0 {
			t.Fatalf("the first answer is %+v", first)
		}
		if again := b.ask(r); again.Lease == nil || again.Lease.ID != first.Lease.ID {
			t.Errorf("the answer to a doubled request is %+v, want lease %s", again, first.Lease.ID)
		}
		other := request{
			Worker: "b", Name: "b", Version: "1", Number: 0, Manifest: "m", Jobs: 4, Wants: true,
		}
		for range 8 {
			time.Sleep(beat)
			other.Number++
			if a := b.ask(other); a.Lease != nil {
				if a.Lease.Matches[0].K == 0 {
					if other.Number <= int(silence/beat) {
						t.Errorf("the matches are leased again after %d beats", other.Number)
					}
					return
				}
				other.Held = append(other.Held, a.Lease.ID)
			}
		}
		t.Error("the matches of a silent worker are not leased again")
	})
}

// A worker of another version gets no matches, and is told why.
func TestVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		if a := b.ask(request{Worker: "old", Version: "0", Number: 1, Manifest: "m", Jobs: 1, Wants: true}); a.Lease != nil || !strings.Contains(a.Refused, "hexarena 1") {
			t.Errorf("the answer is %+v", a)
		}
	})
}

// A manifest is refused if another key has signed it, or if it was changed after it was signed.
func TestManifestsAreSigned(t *testing.T) {
	key, other := ed25519.NewKeyFromSeed(make([]byte, 32)), ed25519.NewKeyFromSeed([]byte(strings.Repeat("x", 32)))
	p := cuptest.Plan(plan.RoundRobin, 2, 2)
	_, object := (&Manifest{Plan: p, Copied: []bool{true, true}}).Sign(key)
	if m, err := readManifest(object, key.Public().(ed25519.PublicKey)); err != nil ||
		m.Plan.Digest() != p.Digest() {
		t.Errorf("a manifest is read as %+v, %v", m, err)
	}
	if _, err := readManifest(object, other.Public().(ed25519.PublicKey)); err == nil ||
		!strings.Contains(err.Error(), "not signed") {
		t.Errorf("by another key it is read with %v", err)
	}
	var s signed
	if err := json.Unmarshal(object, &s); err != nil {
		t.Fatal(err)
	}
	s.Manifest[len(s.Manifest)/2]++
	if _, err := readManifest(encode(s), key.Public().(ed25519.PublicKey)); err == nil {
		t.Error("a changed manifest is read")
	}
}
