package remote

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// cupsQueue is a worker's side of a queue, on which one cup follows another. It stores no result of
// the first cup.
type cupsQueue struct {
	cups   []offeredCup
	first  plan.Digest   // of the first cup
	second chan struct{} // closed when the second cup is leased

	mu        sync.Mutex // guards the fields below
	current   int
	leased    bool       // of the current cup, all is leased
	published []outcomes // that were stored
}

// offeredCup is a cup that a coordinator has played.
type offeredCup struct {
	plan   *plan.Plan
	name   string // of the manifest
	object []byte
}

func (q *cupsQueue) Request(_ context.Context, text []byte) ([]byte, error) {
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	answer := reply{Manifest: q.cups[q.current].name}
	if r.Wants && r.Manifest == answer.Manifest && !q.leased {
		q.leased = true
		answer.Lease = &leased{ID: answer.Manifest, Matches: []leasedMatch{{K: 0}}}
		if q.current == 1 {
			close(q.second)
		}
	}
	return encode(answer), nil
}

// Publish fails for results of the first cup, but not before the worker plays the second one.
func (q *cupsQueue) Publish(_ context.Context, text []byte) error {
	message, err := decodeOutcomes(text)
	if err != nil {
		return err
	}
	q.mu.Lock()
	if message.Plan == q.first {
		q.current, q.leased = 1, false
		q.mu.Unlock()
		<-q.second
		return errors.New("the queue is away")
	}
	defer q.mu.Unlock()
	q.published = append(q.published, message)
	return nil
}

func (q *cupsQueue) Get(_ context.Context, name string) ([]byte, error) {
	i := slices.IndexFunc(q.cups, func(c offeredCup) bool { return c.name == name })
	return q.cups[i].object, nil
}

func (q *cupsQueue) Send(context.Context, string, []byte) error { return nil }

// rowPlayer plays each match at once.
type rowPlayer struct{ seed uint64 }

func (p rowPlayer) Play(_ context.Context, t *cup.Task, _ bool) (*cup.Outcome, error) {
	return &cup.Outcome{Row: &results.Row{K: t.K, Seed: p.seed}}, nil
}

func (rowPlayer) Close(context.Context) {}

// A worker that stays sends no results of one cup as those of the next.
func TestResultsOfAnEarlierCup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
		q := &cupsQueue{second: make(chan struct{})}
		for seed := range uint64(2) {
			p := cuptest.Plan(plan.RoundRobin, 2, 2)
			p.Seed = seed
			name, object := (&Manifest{Plan: p, Version: "1", Copied: make([]bool, 2)}).Sign(key)
			q.cups = append(q.cups, offeredCup{p, name, object})
		}
		q.first = q.cups[0].plan.Digest()
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		_ = Work(ctx, q, WorkerOptions{
			ID: "w", Name: "w", Version: "1", Jobs: 1, Key: key.Public().(ed25519.PublicKey), Stay: true,
			Say: func(string) {},
			Open: func(_ context.Context, m *Manifest, _ func(string) ([]byte, error)) (Player, error) {
				return rowPlayer{m.Plan.Seed}, nil
			},
		})
		if len(q.published) != 1 || len(q.published[0].Matches) != 1 {
			t.Errorf("the second cup has one match, and got the results %s", encode(q.published))
		}
	})
}

// deafQueue is a worker's side of a queue whose coordinator is away.
type deafQueue struct{ Client }

func (deafQueue) Request(context.Context, []byte) ([]byte, error) {
	return nil, errors.New("no answer")
}

// A worker says at once that the coordinator does not answer, why when that is known, and no more.
func TestCoordinatorAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		began := time.Now()
		err := Work(t.Context(), deafQueue{}, WorkerOptions{
			ID: "w", Version: "1", Jobs: 1, Wait: time.Minute,
			Say: func(text string) { said = append(said, text) },
			Trouble: func() error {
				if time.Since(began) < 2*retryPause {
					return nil
				}
				return errors.New("another key")
			},
		})
		want := []string{
			"the coordinator does not answer; trying again for 1m0s",
			"the coordinator does not answer; trying again for 1m0s: another key",
		}
		if err == nil || !slices.Equal(said, want) {
			t.Errorf("the worker says %q and ends with %v, want %q and an error", said, err, want)
		}
	})
}
