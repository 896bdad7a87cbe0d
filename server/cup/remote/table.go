package remote

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/cup"
)

// The times and sizes of leases.
const (
	// beat is the time between two signs of life of a worker: short against silence, and 50 workers
	// cost 50 requests a second.
	beat = time.Second
	// silence is after how long without a sign of life the matches of a worker are leased again:
	// five beats, so that a pause for garbage or a lost message costs nothing, and matches of a
	// worker that was killed wait no longer than that. A worker that was only slow costs its
	// matches twice the work, and no result.
	silence = 5 * time.Second
	// maxLease is the number of matches a lease has at most. A million take 3 907 leases, and a
	// message of as many results of four seats has 240 kB, half of what a message may have.
	maxLease = 256
	// leaseTime is how much work a lease is, by what the worker has played so far, so that few slow
	// matches wait behind each other in one lease while other workers have none.
	leaseTime = 10 * time.Second
	// firstLease is the number of matches for each that it plays at once a worker gets before its rate
	// is known.
	firstLease = 4
	// maxWorkers bounds the workers that are known, those that have ended included. Of more the one
	// that was silent longest is forgotten.
	maxWorkers = 4096
	// remembered is of how many matches, by their numbers, the results are compared with later
	// ones: four windows of the cup.
	remembered = 65536
)

// table knows which matches are to be played and who plays them. It is pure: it is told the time.
type table struct {
	block   int           // leases have a multiple of as many matches
	tasks   map[int]*task // by the match's number
	free    []int         // of tasks that are in no lease, in ascending order
	workers map[string]*worker
	heard   time.Time // when any worker was
	leases  int       // that were given
	ended   [leaseEnds]int
	prefix  string
	taken   []taken // the last results, each at the place of its match's number modulo remembered

	results  int // that were taken
	verified int // of those, whose recordings were played again
}

// task is a match that is to be played.
type task struct {
	cup.Task
	record bool
	tries  int // how often its recording did not arrive
	lease  *lease
}

// lease is what a worker was given.
type lease struct {
	id     string
	worker *worker
	tasks  []*task // that it was given with, in the order of their numbers
	left   int     // of those, that are in this lease: they have no result
	// when the worker did not name it any more; zero: it holds it, or may have to receive it
	dropped time.Time
}

// worker is a process that asks for leases.
type worker struct {
	id, name string
	jobs     int
	first    time.Time // when it asked first
	seen     time.Time // when it was alive
	asked    time.Time // when it asked last
	number   int       // of its last request
	reply    []byte    // to that
	leases   map[string]*lease
	refused  string // why it gets none any more
	left     bool   // it plays no more
	told     bool   // that the cup is over

	played    int // results that were taken
	turns     int // of all seats in those
	skipped   int // of the turns
	conflicts int
	verified  int // recordings that were played again
}

// taken is a result that was taken.
type taken struct {
	k      int
	sum    rowSum
	worker *worker // nil: none was
	exact  bool    // no bot missed a turn or forfeited
}

// rowSum identifies a row.
type rowSum struct {
	line   uint64 // its bytes
	lineup uint64 // which of its bots were not started: with others it is another match
}

func newTable(block int, prefix string) *table {
	return &table{
		block: block, tasks: map[int]*task{}, workers: map[string]*worker{}, prefix: prefix,
		taken: make([]taken, remembered),
	}
}

// add adds a match. If the table has it already, the new task replaces the old one, and the match
// leaves its lease.
func (t *table) add(one cup.Task, record bool) {
	k := one.K
	if old := t.tasks[k]; old != nil && old.lease != nil {
		old.leave()
	} else if old != nil {
		old.Task = one
		return
	}
	t.tasks[k] = &task{Task: one, record: record}
	t.setFree(k)
}

// setFree notes that a match is in no lease. Matches that are new come last.
func (t *table) setFree(k int) {
	i, _ := slices.BinarySearch(t.free, k)
	t.free = slices.Insert(t.free, i, k)
}

// leave takes a match out of its lease.
func (one *task) leave() {
	one.lease.left--
	one.lease = nil
}

// withdraw removes a match, and reports whether the table had it.
func (t *table) withdraw(k int) bool {
	one := t.tasks[k]
	if one == nil {
		return false
	}
	t.remove(one)
	return true
}

// remove removes a match from its lease, or from those that are free.
func (t *table) remove(one *task) {
	if one.lease != nil {
		one.leave()
	} else if i, ok := slices.BinarySearch(t.free, one.K); ok {
		t.free = slices.Delete(t.free, i, i+1)
	}
	delete(t.tasks, one.K)
}

// release returns a match to the queue, if it is in a lease.
func (t *table) release(one *task) {
	if one.lease != nil {
		one.leave()
		t.setFree(one.K)
	}
}

// end ends a lease: what it has left is free.
func (t *table) end(l *lease, how LeaseEnd) {
	if l.left == 0 {
		how = LeaseDone
	}
	t.ended[how]++
	for _, one := range l.tasks {
		if one.lease == l {
			t.release(one)
		}
	}
	delete(l.worker.leases, l.id)
}

// knows returns the worker of a request, or nil if the request is older than its last one, or a
// copy of it.
func (t *table) knows(r *request, now time.Time) (w *worker, fresh bool) {
	if gap := now.Sub(t.heard); gap > 2*beat {
		t.alive(gap) // no worker could be heard: the queue was away, or this process stood still
	}
	w = t.worker(r.Worker, r.Name)
	t.heard, w.seen, w.asked = now, now, now
	if w.first.IsZero() {
		w.first = now
	}
	if r.Number <= w.number {
		return w, false
	}
	w.number, w.jobs = r.Number, min(max(r.Jobs, 1), maxLease)
	return w, true
}

// worker returns a worker, which may be one that did not ask yet: results that were sent before
// this process began are taken as well.
func (t *table) worker(id, name string) *worker {
	w := t.workers[id]
	if w == nil {
		t.makeRoom()
		w = &worker{id: id, name: name, leases: map[string]*lease{}}
		t.workers[id] = w
	}
	return w
}

// makeRoom forgets the worker that was silent longest, if there are too many.
func (t *table) makeRoom() {
	if len(t.workers) < maxWorkers {
		return
	}
	var last *worker
	for _, w := range t.workers {
		if last == nil || cmp.Or(w.seen.Compare(last.seen), cmp.Compare(w.id, last.id)) < 0 {
			last = w
		}
	}
	for _, l := range last.leases {
		t.end(l, LeaseSilent)
	}
	delete(t.workers, last.id)
}

// hold notes which leases a worker has, and returns those of them that it has no more.
func (t *table) hold(w *worker, r *request, now time.Time) (dropped []string) {
	for _, id := range r.Held {
		if w.leases[id] == nil {
			dropped = append(dropped, id)
		}
	}
	w.left = r.Leaves
	for id, l := range w.leases {
		switch held := slices.Contains(r.Held, id); {
		case r.Leaves:
			t.end(l, LeaseLeft)
		case held:
			l.dropped = time.Time{}
		case l.dropped.IsZero():
			l.dropped = now // all is played, and results are on their way, or the reply was lost
		}
	}
	return dropped
}

// give returns a lease for a worker, or nil if nothing is free.
func (t *table) give(w *worker, now time.Time) *lease {
	n := min(t.size(w, now), len(t.free))
	if n == 0 || w.refused != "" {
		return nil
	}
	t.leases++
	l := &lease{id: t.prefix + strconv.Itoa(t.leases), worker: w, tasks: make([]*task, n), left: n}
	for i, k := range t.free[:n] {
		l.tasks[i] = t.tasks[k]
		l.tasks[i].lease = l
	}
	t.free = t.free[n:]
	w.leases[l.id] = l
	return l
}

// size returns how many matches the next lease of a worker has: as many as it plays in leaseTime,
// but no more than half of its share of what is free, so that all end at the same time; whole
// blocks.
func (t *table) size(w *worker, now time.Time) int {
	active := 0
	for _, other := range t.workers {
		if !t.silent(other) {
			active++
		}
	}
	n := firstLease * w.jobs
	if w.played > n && now.After(w.first) {
		n = int(min(w.rate(now)*leaseTime.Seconds(), maxLease))
	}
	n = max(w.jobs, min(n, maxLease, len(t.free)/(2*max(active, 1))))
	return min((n+t.block-1)/t.block*t.block, max(maxLease, t.block))
}

// rate returns the matches per second of a worker since it asked first.
func (w *worker) rate(now time.Time) float64 {
	if !now.After(w.first) {
		return 0
	}
	return float64(w.played) / now.Sub(w.first).Seconds()
}

// silent reports whether a worker has sent no request for a while in which other workers have.
// While no worker is heard, none is silent, since no other worker could play the matches.
func (t *table) silent(w *worker) bool { return t.heard.Sub(w.seen) > silence }

// expire frees the matches of workers that are silent, and those whose results did not arrive.
// While no worker is heard, no result arrives either, and nothing is freed.
func (t *table) expire() {
	for _, w := range t.workers {
		silent := t.silent(w)
		for _, l := range w.leases {
			switch {
			case silent:
				t.end(l, LeaseSilent)
			case l.left == 0 || !l.dropped.IsZero() && t.heard.Sub(l.dropped) > silence:
				t.end(l, LeaseLost)
			}
		}
	}
}

// alive moves the last signs of life forwards, after a time in which none could arrive.
func (t *table) alive(by time.Duration) {
	for _, w := range t.workers {
		w.seen = w.seen.Add(by)
		for _, l := range w.leases {
			if !l.dropped.IsZero() {
				l.dropped = l.dropped.Add(by)
			}
		}
	}
}

// take notes the result of a match that was wanted.
func (t *table) take(one *task, w *worker, sum rowSum, exact bool) {
	t.remove(one)
	t.taken[uint(one.K)%remembered] = taken{one.K, sum, w, exact}
	w.played++
	t.results++
}

// first returns the result of a match that counts, nil if it is not known any more.
func (t *table) first(k int) *taken {
	if one := &t.taken[uint(k)%remembered]; one.worker != nil && one.k == k {
		return one
	}
	return nil
}
