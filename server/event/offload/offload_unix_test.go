//go:build unix

package offload

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
)

// queue is both sides of a queue in memory.
type queue struct {
	mu      sync.Mutex // guards the fields below
	objects map[string][]byte
	answer  func([]byte) []byte
	take    func([]byte)
	deaf    bool // results are lost
}

func (q *queue) Serve(answer func([]byte) []byte, take func([]byte)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.answer, q.take = answer, take
	return nil
}

func (q *queue) Put(_ context.Context, name string, data []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.objects[name] = data
	return nil
}

func (q *queue) Remove(_ context.Context, name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.objects, name)
	return nil
}

func (q *queue) Clear(context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.objects)
	return nil
}

func (q *queue) Get(_ context.Context, name string) ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if data, found := q.objects[name]; found {
		return data, nil
	}
	return nil, errors.New("there is no such object")
}

func (q *queue) Fetch(ctx context.Context, name string) ([]byte, error) {
	data, err := q.Get(ctx, name)
	return data, errors.Join(err, q.Remove(ctx, name))
}

func (q *queue) Send(ctx context.Context, name string, data []byte) error {
	return q.Put(ctx, name, data)
}
func (q *queue) Lost() <-chan struct{} { return nil }
func (q *queue) Close()                {}
func (q *queue) Request(_ context.Context, request []byte) ([]byte, error) {
	q.mu.Lock()
	answer := q.answer
	q.mu.Unlock()
	if answer == nil {
		return nil, errors.New("the coordinator is away")
	}
	if text := answer(request); text != nil {
		return text, nil
	}
	return nil, errors.New("there is no answer")
}

func (q *queue) Publish(_ context.Context, results []byte) error {
	q.mu.Lock()
	take, deaf := q.take, q.deaf
	q.mu.Unlock()
	if !deaf {
		take(results)
	}
	return nil
}

// player plays each match in a second: the bot in the first seat wins.
type player struct {
	plan *plan.Plan
	dir  string
}

func (p player) Play(ctx context.Context, t *cup.Task, record bool) (*cup.Outcome, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Second):
	}
	o := &cup.Outcome{Row: &results.Row{K: t.K, Seed: t.Seed, Map: p.plan.Maps[0].Name, Digest: 7}}
	for i, b := range t.Bots {
		o.Row.Bots, o.Row.Ranks = append(o.Row.Bots, p.plan.Bots[b].Name), append(o.Row.Ranks, i+1)
		o.Row.Scores, o.Row.Refused = append(o.Row.Scores, int64(-i)), append(o.Row.Refused, 0)
		o.Row.Forfeits = append(o.Row.Forfeits, "")
	}
	if record {
		o.Recording = filepath.Join(p.dir, "recording")
		return o, os.WriteFile(o.Recording, []byte("recorded"), 0o600)
	}
	return o, nil
}

func (player) Close(context.Context) {}

// world is a dispatcher with its queue.
type world struct {
	*Dispatcher
	t     *testing.T
	queue *queue
	store string
	opens int // how often a worker has prepared to play other bots
	work  func() (stop func())
}

// setup is that of all rounds here.
var setup = Setup{Map: "field", Turns: 10, TurnTimeout: time.Second, Longest: time.Minute}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, queue: &queue{objects: map[string][]byte{}}, store: t.TempDir()}
	c, err := remote.Coordinate(t.Context(), w.queue, remote.Options{
		Version: "1", Dir: t.TempDir(), RecordAll: true,
		Verify: func(context.Context, []byte, *cup.Outcome) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	w.Dispatcher = New(Options{
		Coordinator: c, Key: key, Builtin: []string{"painter"},
		Store: versions.Open(w.store, versions.Options{Game: "hexabomb"}), Log: zerolog.Nop(),
		Manifest: func(s Setup) *remote.Manifest {
			return &remote.Manifest{
				Version: "1",
				Plan:    &plan.Plan{Game: "toy", Seats: 3, Maps: []plan.Map{{Name: s.Map, Places: 3}}},
			}
		},
	})
	lives := 0
	w.work = func() func() {
		lives++
		id := fmt.Sprint("worker ", lives)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			_ = remote.Work(ctx, w.queue, remote.WorkerOptions{
				ID: id, Name: id, Version: "1", Jobs: 2, Key: key.Public().(ed25519.PublicKey),
				Say: func(string) {},
				Open: func(
					_ context.Context, m *remote.Manifest, get func(string) ([]byte, error),
				) (remote.Player, error) {
					w.opens++
					for i := range m.Plan.Bots {
						packed, err := get(remote.BotObject(&m.Plan.Bots[i]))
						if m.Copied[i] &&
							(err != nil || source.Unpack(packed, t.TempDir(), m.Plan, i) != nil) {
							t.Errorf("the bot %s cannot be unpacked", m.Plan.Bots[i].Name)
						}
					}
					return player{m.Plan, t.TempDir()}, nil
				},
			})
		})
		return func() { stop(); running.Wait() }
	}
	t.Cleanup(func() { c.Close() })
	return w
}

// add keeps a version.
func (w *world) add(text string) *state.Upload {
	w.t.Helper()
	adopt := func(state.Upload) error { return nil }
	v, err := w.opts.Store.Add(w.t.Context(), "bot.sh", strings.NewReader("#!/bin/sh\n"+text),
		false, adopt)
	if err != nil {
		w.t.Fatal(err)
	}
	return &v
}

// play plays a round, and returns which of its matches workers have played.
func (w *world) play(matches ...*Match) (away []bool) {
	r := w.Round(setup, matches)
	away = make([]bool, len(matches))
	var playing sync.WaitGroup
	for i := range matches {
		playing.Go(func() {
			o := r.Play(w.t.Context(), i)
			if away[i] = o != nil; o != nil &&
				(string(o.Recorded) != "recorded" || o.Row.Seed != matches[i].Seed ||
					o.Row.Bots[0] != matches[i].Bots[0].Name) {
				w.t.Errorf("match %d has the result %+v with the recording %q", i, o.Row, o.Recorded)
			}
		})
	}
	playing.Wait()
	return away
}

func (w *world) check(what string, got []bool, want ...bool) {
	w.t.Helper()
	for i := range want {
		if got[i] != want[i] {
			w.t.Errorf("%s: workers have played %v, want %v", what, got, want)
			return
		}
	}
}

// Workers play the matches of rounds in which all bots are versions that are kept here. Each match
// is played once: by a worker, or here if no worker is there or workers send no results.
func TestRounds(t *testing.T) {
	thorough.Long(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.Close()
		ann, bob := w.add("echo a"), w.add("echo b")
		match := func(seed uint64, names ...string) *Match {
			m := &Match{Seed: seed}
			for _, name := range names {
				m.Bots = append(
					m.Bots,
					Bot{
						Name:    name,
						Version: map[string]*state.Upload{"Ann": ann, "Bob": bob, "Eve": bob}[name],
					},
				)
			}
			return m
		}
		first, second := match(1, "Ann", "Bob", "painter"), match(2, "Eve", "painter", "painter")

		began := time.Now()
		w.check("before a worker is there", w.play(first, nil), false, false)
		if waited := time.Since(began); waited < Absence || waited > Absence+2*time.Second {
			t.Errorf("the first round has waited for workers for %v", waited)
		}
		began = time.Now()
		w.check("without workers", w.play(first, second), false, false)
		if waited := time.Since(began); waited > 0 {
			t.Errorf("a round without workers has waited for %v", waited)
		}

		stop := w.work()
		time.Sleep(2 * time.Second)
		w.check("with a worker", w.play(first, nil, second), true, false, true)
		opens := w.opens
		w.check("in the next round",
			w.play(match(3, "Bob", "Ann", "painter"), match(4, "Eve", "painter", "painter")), true,
			true)
		if w.opens != opens {
			t.Error("the worker has prepared again for the same bots")
		}
		w.check("of other bots", w.play(first), true)
		if n := len(w.queue.objects); n != 3 { // the manifest and two bots
			t.Errorf("the queue has %d objects", n)
		}

		w.queue.deaf = true
		began = time.Now()
		w.check("whose results are lost", w.play(first), false)
		if waited := time.Since(began); waited < setup.Longest || waited > 2*setup.Longest {
			t.Errorf("results that do not come were awaited for %v", waited)
		}
		w.queue.deaf = false
		w.check("which come again", w.play(first), true)

		time.AfterFunc(500*time.Millisecond, stop)
		w.check("from which the worker goes", w.play(first), false)
		defer w.work()()
		time.Sleep(2 * time.Second)

		changed := filepath.Join(w.store, bob.Digest, bob.File)
		if err := os.WriteFile(changed, []byte("#!/bin/sh\necho other\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		w.packed = nil
		w.check("with a version that has changed",
			w.play(first, match(5, "Ann", "painter", "painter")), false, true)
	})
}

// A match that is played here has the seeds that it would have had elsewhere, if it was leased.
func TestSeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.Close()
		r := w.Round(
			setup,
			[]*Match{
				{Bots: []Bot{
					{Name: "Ann", Version: w.add("")}, {Name: "painter"}, {Name: "painter"},
				}},
				nil,
			},
		)
		if r.Play(t.Context(), 0) != nil || r.Seed(0, 1) == 0 || r.Seed(0, 1) == r.Seed(0, 2) ||
			r.Seed(1, 0) != 0 {
			t.Errorf("the seeds are %d, %d and %d", r.Seed(0, 1), r.Seed(0, 2), r.Seed(1, 0))
		}
		var none *Round
		if none.Play(t.Context(), 0) != nil || none.Seed(0, 0) != 0 ||
			w.Round(setup, []*Match{nil}) != nil {
			t.Error("a round that is played here has results of workers")
		}
	})
}
