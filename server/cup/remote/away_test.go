package remote

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/cup"
)

// awayQueue is a worker's side of a bench's queue, which is away for a time.
type awayQueue struct {
	bench *bench
	mu    sync.Mutex // guards away
	away  bool
}

// reach returns an error while the queue is away, when ctx ends.
func (q *awayQueue) reach(ctx context.Context) error {
	q.mu.Lock()
	away := q.away
	q.mu.Unlock()
	if away {
		<-ctx.Done()
	}
	return ctx.Err()
}

func (q *awayQueue) Request(ctx context.Context, text []byte) ([]byte, error) {
	if err := q.reach(ctx); err != nil {
		return nil, err
	}
	return q.bench.queue.answer(text), nil
}

func (q *awayQueue) Publish(ctx context.Context, text []byte) error {
	if err := q.reach(ctx); err != nil {
		return err
	}
	q.bench.queue.take(text)
	return nil
}

func (q *awayQueue) Get(_ context.Context, name string) ([]byte, error) {
	return q.bench.queue.objects[name], nil
}

func (q *awayQueue) Send(context.Context, string, []byte) error {
	return errors.New("no match is recorded")
}

func (q *awayQueue) set(away bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.away = away
}

// slowPlayer plays matches that take a while.
type slowPlayer struct {
	bench *bench
	takes time.Duration

	mu     *sync.Mutex // guards the fields below, which the players of all workers share
	begun  map[int]int // how often each match was
	played *int
}

func (p slowPlayer) Play(ctx context.Context, t *cup.Task, _ bool) (*cup.Outcome, error) {
	p.mu.Lock()
	p.begun[t.K]++
	p.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(p.takes):
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	*p.played++
	return &cup.Outcome{Row: p.bench.row(t.K)}, nil
}

func (slowPlayer) Close(context.Context) {}

// A queue that is away for a minute stops no worker that has a lease: it plays at the usual pace,
// keeps the results, and delivers them when the queue is back. No match is played twice.
func TestQueueIsAway(t *testing.T) {
	for _, tt := range []struct {
		takes time.Duration // a match
		want  int           // matches that two workers, each of which plays two at once, end meanwhile
	}{
		{20 * time.Second, 12},   // the leases last longer
		{time.Second, 2 * 2 * 4}, // as many as the first leases have
	} {
		t.Run(fmt.Sprint(tt.takes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, nil)
				defer b.Close()
				key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
				name, object := (&Manifest{
					Plan: b.opts.Plan, Version: "1", Copied: make([]bool, len(b.opts.Plan.Bots)),
				}).Sign(key)
				b.assigned.Manifest, b.queue.objects[name] = name, object
				q, played := &awayQueue{bench: b}, 0
				p := slowPlayer{
					bench: b, takes: tt.takes, mu: new(sync.Mutex), begun: map[int]int{}, played: &played,
				}
				count := func() int { p.mu.Lock(); defer p.mu.Unlock(); return played }
				ctx, stop := context.WithCancel(t.Context())
				var workers sync.WaitGroup
				for i := range 2 {
					workers.Go(func() {
						id := fmt.Sprint("worker", i)
						err := Work(ctx, q, WorkerOptions{
							ID: id, Name: id, Version: "1", Jobs: 2, Key: key.Public().(ed25519.PublicKey),
							Say:  func(string) {},
							Open: func(context.Context, *Manifest, func(string) ([]byte, error)) (Player, error) { return p, nil },
						})
						if !errors.Is(err, context.Canceled) {
							t.Error(err)
						}
					})
				}
				var delivered atomic.Int32
				workers.Go(func() {
					for {
						select {
						case list := <-b.outcomes:
							delivered.Add(int32(len(list)))
						case <-ctx.Done():
							return
						}
					}
				})
				time.Sleep(tt.takes / 2) // all play
				q.set(true)
				before := count()
				time.Sleep(time.Minute)
				ended := count()
				if ended-before != tt.want {
					t.Errorf("while the queue was away %d matches were played, want %d", ended-before, tt.want)
				}
				q.set(false)
				time.Sleep(requestTimeout + retryPause + groupTime)
				synctest.Wait()
				if got := int(delivered.Load()); got < ended {
					t.Errorf("when the queue was back it got %d results of %d", got, ended)
				}
				time.Sleep(2 * silence)
				stop()
				workers.Wait()
				for k, times := range p.begun {
					if times > 1 {
						t.Errorf("match %d was played %d times", k, times)
					}
				}
			})
		})
	}
}

// Results that are stored may arrive late if the queue goes away: no lease ends while no worker is
// heard.
func TestNoLeaseEndsUnheard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		r := request{Worker: "w", Name: "w", Version: "1", Number: 1, Manifest: "m", Jobs: 1, Wants: true}
		l := b.ask(r).Lease
		leased := func() bool {
			b.Coordinator.mu.Lock()
			defer b.Coordinator.mu.Unlock()
			return b.table.tasks[l.Matches[0].K].lease != nil
		}
		ask := func() {
			r.Number++
			b.ask(r)
		}
		r.Wants = false
		ask() // all is played and stored
		time.Sleep(time.Minute)
		if !leased() {
			t.Error("a lease ended while no worker was heard")
		}
		for range 2 * int(silence/beat) {
			ask()
			time.Sleep(beat)
		}
		if leased() {
			t.Error("a lease does not end although its results do not come")
		}
	})
}
