package sim

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// faultyQueue is a queue between a coordinator and its workers that loses, doubles, reorders and
// delays what it carries, and is away or loses all that it has from time to time.
type faultyQueue struct {
	mu      sync.Mutex // guards the fields below
	rng     *rand.Rand
	faults  float64 // the probability of each
	server  *queueServer
	results [][]byte
	objects map[string][]byte
	away    bool

	running sync.WaitGroup
}

// queueServer is the coordinator's side.
type queueServer struct {
	queue *faultyQueue
	lost  chan struct{}

	calls  sync.RWMutex // held while a function is called
	answer func([]byte) []byte
	take   func([]byte)
}

func newFaultyQueue(rng *rand.Rand, faults float64) *faultyQueue {
	return &faultyQueue{rng: rng, faults: faults, objects: map[string][]byte{}}
}

// open returns the side of another coordinator.
func (q *faultyQueue) open() *queueServer {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.server = &queueServer{queue: q, lost: make(chan struct{}, 1)}
	return q.server
}

// happens draws whether a fault happens.
func (q *faultyQueue) happens() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rng.Float64() < q.faults
}

// delay waits for as long as a message takes.
func (q *faultyQueue) delay() {
	q.mu.Lock()
	d := time.Duration(q.rng.IntN(20)) * time.Millisecond
	if q.rng.Float64() < q.faults {
		d = time.Duration(q.rng.IntN(9000)) * time.Millisecond // longer than a worker may be silent
	}
	q.mu.Unlock()
	time.Sleep(d)
}

// disturb takes the queue away for a while, from which it comes back without what it had if it is
// wiped.
func (q *faultyQueue) disturb(d time.Duration, wiped bool) {
	q.mu.Lock()
	q.away = true
	q.mu.Unlock()
	time.Sleep(d)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.away = false
	if wiped {
		q.results, q.objects = nil, map[string][]byte{}
		if q.server != nil {
			select {
			case q.server.lost <- struct{}{}:
			default:
			}
		}
	}
}

var errAway = errors.New("the queue is away")

// reach returns an error while the queue is away.
func (q *faultyQueue) reach() error {
	q.delay()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.away {
		return errAway
	}
	return nil
}

// Request implements remote.Client.
func (q *faultyQueue) Request(ctx context.Context, text []byte) ([]byte, error) {
	replies := make(chan []byte, 2)
	ask := func() {
		if q.reach() != nil || q.happens() {
			return
		}
		q.mu.Lock()
		s := q.server
		q.mu.Unlock()
		if answer := s.call(text); answer != nil && !q.happens() {
			q.delay()
			replies <- answer
		}
	}
	q.running.Go(ask)
	if q.happens() {
		q.running.Go(ask)
	}
	select {
	case answer := <-replies:
		return answer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// call answers a request, if the coordinator serves.
func (s *queueServer) call(text []byte) []byte {
	if s == nil {
		return nil
	}
	s.calls.RLock()
	defer s.calls.RUnlock()
	if s.answer == nil {
		return nil
	}
	return s.answer(text)
}

// Publish implements remote.Client.
func (q *faultyQueue) Publish(_ context.Context, text []byte) error {
	if err := q.reach(); err != nil {
		return err
	}
	for range 2 {
		if !q.happens() {
			q.mu.Lock()
			q.results = append(q.results, text)
			s := q.server
			q.mu.Unlock()
			q.running.Go(func() { s.deliver(text) })
		}
		if !q.happens() {
			break // else it is doubled
		}
	}
	if q.happens() {
		return errAway // although it was stored
	}
	return nil
}

// deliver hands a result to the coordinator.
func (s *queueServer) deliver(text []byte) {
	if s == nil {
		return
	}
	s.queue.delay()
	s.calls.RLock()
	defer s.calls.RUnlock()
	if s.take != nil {
		s.take(text)
	}
}

// Get implements remote.Client.
func (q *faultyQueue) Get(_ context.Context, name string) ([]byte, error) {
	if err := q.reach(); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if data, ok := q.objects[name]; ok {
		return data, nil
	}
	return nil, errors.New("there is no object " + name)
}

// Send implements remote.Client.
func (q *faultyQueue) Send(_ context.Context, name string, data []byte) error {
	if err := q.reach(); err != nil || q.happens() {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.objects[name] = data
	return nil
}

// Serve implements remote.Server.
func (s *queueServer) Serve(answer func([]byte) []byte, take func([]byte)) error {
	s.calls.Lock()
	s.answer, s.take = answer, take
	s.calls.Unlock()
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	for _, text := range slices.Clone(s.queue.results) {
		s.queue.running.Go(func() { s.deliver(text) })
	}
	return nil
}

// Put implements remote.Server.
func (s *queueServer) Put(ctx context.Context, name string, data []byte) error {
	return s.queue.Send(ctx, name, data)
}

// Remove implements remote.Server.
func (s *queueServer) Remove(context.Context, string) error {
	return errors.New("nothing is removed in these worlds")
}

// Clear implements remote.Server.
func (s *queueServer) Clear(context.Context) error {
	return errors.New("nothing is removed in these worlds")
}

// Fetch implements remote.Server.
func (s *queueServer) Fetch(ctx context.Context, name string) ([]byte, error) {
	return s.queue.Get(ctx, name)
}

// Lost implements remote.Server.
func (s *queueServer) Lost() <-chan struct{} { return s.lost }

// Close implements remote.Server.
func (s *queueServer) Close() {
	s.calls.Lock()
	defer s.calls.Unlock()
	s.answer, s.take = nil, nil
}
