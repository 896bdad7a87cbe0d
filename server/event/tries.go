package event

import (
	"sync"
	"time"
)

// Bounds of wrong codes. A code has a million values, and an event lasts a day of some ten hours.
const (
	// triesPerAddress is how many wrong codes an address may send at once, and addressRest after how long it may send one more.
	// A class behind one gateway has one address: each of 40 teams may mistype the code once. One address finds the code of
	// the day with a probability of 0.2 %.
	triesPerAddress = 40
	addressRest     = 20 * time.Second
	// triesInAll and allRest are the same for all addresses together: a probability of 0.8 %.
	triesInAll = 200
	allRest    = 5 * time.Second
)

// tries limits wrong codes, so that the code for signing up cannot be found by trying.
type tries struct {
	mu        sync.Mutex
	all       allowance
	addresses map[string]*allowance
}

// allowance is how many tries were used, which come back one at a time.
type allowance struct {
	used  float64
	since time.Time
}

// left returns after how long one more try is allowed; 0: now.
func (a *allowance) left(now time.Time, most int, rest time.Duration) time.Duration {
	a.used = max(0, a.used-float64(now.Sub(a.since))/float64(rest))
	a.since = now
	return max(0, time.Duration((a.used+1-float64(most))*float64(rest)))
}

// try returns after how long an address may send a code; 0: it may now, and one that is wrong is counted.
func (t *tries) try(address string, right bool, now time.Time) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait = t.all.left(now, triesInAll, allRest)
	a := t.addresses[address]
	if a != nil {
		wait = max(wait, a.left(now, triesPerAddress, addressRest))
	}
	if wait > 0 || right {
		return wait
	}
	if a == nil {
		a = &allowance{since: now}
		t.add(address, a, now)
	}
	t.all.used++
	a.used++
	return 0
}

// add keeps an address, and forgets those that may send as many as a new one. Those that are left have shared the tries
// of all addresses in a quarter of an hour, and are no more than these.
func (t *tries) add(address string, a *allowance, now time.Time) {
	if t.addresses == nil {
		t.addresses = map[string]*allowance{}
	}
	for other, b := range t.addresses {
		if b.left(now, triesPerAddress, addressRest); b.used == 0 {
			delete(t.addresses, other)
		}
	}
	t.addresses[address] = a
}

// reset forgets all tries, as for a new code.
func (t *tries) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all, t.addresses = allowance{}, nil
}
