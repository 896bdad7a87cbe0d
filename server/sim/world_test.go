package sim

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// horizon is the time that a world may take by its own clock, far more than the matches of any
// plan: whatever can go on has gone on by then.
const horizon = 2 * time.Hour

// recorderWorlds is the number of worlds of recorders alone belong to a seed: they take as long as
// a third of a world together, and find in fewer seeds what a crash in a certain moment loses.
const recorderWorlds = 3

// Result is what came of a seed.
type Result struct {
	Seed       uint64
	Turns      int      // that bots answered
	Violations []string // what must not happen and did, sorted
	History    *History
	Digest     string // of the history
}

// Run plays the world of a seed in a bubble of its own. A world that does not come to its end
// is reported as a violation and then ends the process, as every deadlock in a bubble does.
func Run(t *testing.T, seed uint64) (r *Result) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		w := newWorld(seed)
		w.run(newPlan(w.rand("plan"), w.rand("other games")))
		r = w.result()
	})
	for i := range uint64(recorderWorlds) {
		r.Violations = append(r.Violations, crashRecorders(t, recorderWorlds*seed+i)...)
		r.Violations = append(r.Violations, crashPacking(t, recorderWorlds*seed+i)...)
	}
	return r
}

// repeat returns what has to be typed to run a world again.
func repeat(seed uint64) string {
	return fmt.Sprintf("repeat it with: go test -count=1 -v ./server/sim -args -seed %d", seed)
}

// World is a server and everything around it.
type World struct {
	seed      uint64
	scheduler *scheduler
	history   *History
	net       *network
	storage   *Storage
	actors    sync.WaitGroup

	mu          sync.Mutex
	violations  []string
	turns       int
	ending      bool // the operator has begun to end the server
	generations []*generation
	observers   []*observer
	rulings     []ruling          // of the game logic, in its newest match
	guests      map[string]string // names of actors by the addresses of their connections
	// matches by the addresses of connections that have seats there
	seats   map[string]string
	answers map[string]map[int][]string // of actors, by turn, in their newest matches
	starts  map[string]*starts          // by the addresses of the connections
}

func newWorld(seed uint64) *World {
	w := &World{
		seed: seed, scheduler: newScheduler(), history: newHistory(), storage: NewStorage(seed),
		guests: map[string]string{}, seats: map[string]string{}, answers: map[string]map[int][]string{},
		starts: map[string]*starts{},
	}
	w.net = newNetwork(w)
	return w
}

// run plays a plan to its end.
func (w *World) run(p *plan) {
	w.history.add("plan", "%s", p)
	w.play(func() { p.cast(w) })
	w.compareStarts()
}

// play starts actors, and waits for their end.
func (w *World) play(cast func()) {
	w.scheduler.source("~horizon").at(w.history.start.Add(horizon), func() {
		panic(
			fmt.Sprintf("seed %d: the world has not ended after %v:\n%s\n%s", w.seed, horizon,
				w.history.tail(), repeat(w.seed)),
		)
	})
	cast()
	var scheduled sync.WaitGroup
	scheduled.Go(w.scheduler.run)
	w.actors.Wait()
	w.scheduler.close()
	scheduled.Wait()
}

// rand returns a random stream that depends on the seed and a name only.
func (w *World) rand(name string) *rand.Rand { return rand.New(w.entropy(name)) }

// entropy returns random bytes that depend on the seed and a name only, for one goroutine.
func (w *World) entropy(name string) *rand.ChaCha8 {
	return rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%d %s", w.seed, name)))
}

// violate records that something happened that must not.
func (w *World) violate(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.violations = append(w.violations, text)
}

// answered counts a turn that a bot answered.
func (w *World) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turns++
}

// close records that the operator begins to end the server.
func (w *World) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = true
}

// closing reports whether the operator has begun to end the server.
func (w *World) closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ending
}

// result returns what came of the world.
func (w *World) result() *Result {
	slices.Sort(w.violations)
	return &Result{
		Seed: w.seed, Turns: w.turns, Violations: w.violations, History: w.history,
		Digest: w.history.Digest(),
	}
}
