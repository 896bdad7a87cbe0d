package web

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/machine/limits"
)

// Limits of downloads: of recordings, their list, and events and states of matches. One
// download takes about 150 KiB, mostly for our and the system's buffers.
const (
	maxDownloads = 64
	// maxAddressDownloads leaves room for three more addresses. It suffices for a school
	// behind one address: a download takes it less than a second, and the others wait.
	maxAddressDownloads = 16
	maxWaiting          = 256 // requests that wait for a download, at about 20 KiB each
	maxAddressWaiting   = 64
	// waitTime is shorter than the time after which browsers and proxies give up.
	waitTime = 5 * time.Second
	// retryAfter is the time that a refused client is asked to wait. Most of the current downloads
	// are finished by then.
	retryAfter = 5 * time.Second

	// Downloads without pause would leave no processor time to the players: 50 clients that
	// downloaded a recording repeatedly reached 900 per second. A school class that opens the
	// same recording at the same time does not wait.
	downloadInterval = 5 * time.Millisecond
	downloadBurst    = maxDownloads
)

// downloads limits the number of simultaneous downloads, in all and for each address. Requests
// beyond a limit wait, in order of arrival. The zero value is ready to use.
type downloads struct {
	wait time.Duration // how long a request waits for a download; 0: waitTime

	mu  sync.Mutex // guards the fields below
	all *source
	// by network; that of this machine, where a proxy may forward everyone's requests, is ""
	from map[string]*source
	next time.Time // when the next download may begin without using up the burst
}

// source is where requests come from.
type source struct {
	semaphore     // held during each download
	users     int // requests that download or wait; guarded by downloads.mu
}

func newSource(limit int) *source { return &source{semaphore: make(semaphore, limit)} }

// semaphore admits as many holders at a time as its capacity.
type semaphore chan struct{}

// acquire waits until there is room for another holder. It reports false if ctx ends meanwhile.
func (s semaphore) acquire(ctx context.Context) bool {
	select {
	case s <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s semaphore) release() { <-s }

// enter waits until a download from an address may begin; leave ends the download. It
// returns nil if there are too many or ctx ends.
func (d *downloads) enter(ctx context.Context, address string) (leave func()) {
	network := limits.Household(address)
	from := d.join(network)
	if from == nil {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(d.wait, waitTime))
	defer cancel()
	if !from.acquire(waiting) {
		d.quit(network)
		return nil
	}
	if !d.all.acquire(waiting) {
		from.release()
		d.quit(network)
		return nil
	}
	leave = func() {
		d.all.release()
		from.release()
		d.quit(network)
	}
	if !sleep(ctx, d.delay(time.Now())) {
		leave()
		return nil
	}
	return leave
}

// join counts a request from a network, or returns nil if too many wait already.
func (d *downloads) join(network string) *source {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all, d.from = newSource(maxDownloads), map[string]*source{"": newSource(maxDownloads)}
	}
	from := d.from[network]
	if from == nil {
		from = newSource(maxAddressDownloads)
	}
	if d.all.users >= maxDownloads+maxWaiting ||
		network != "" && from.users >= maxAddressDownloads+maxAddressWaiting {
		return nil
	}
	d.from[network] = from
	d.all.users++
	from.users++
	return from
}

// quit undoes join.
func (d *downloads) quit(network string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all.users--
	if from := d.from[network]; network != "" && from.users == 1 {
		delete(d.from, network)
	} else {
		from.users--
	}
}

// delay returns how long a download has to wait so that downloads begin at most every
// downloadInterval after a burst of downloadBurst.
func (d *downloads) delay(now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.next.Before(now) {
		d.next = now
	}
	wait := d.next.Sub(now) - downloadBurst*downloadInterval
	d.next = d.next.Add(downloadInterval)
	return max(wait, 0)
}

// sleep waits for the given time. It reports false if ctx ended meanwhile.
func sleep(ctx context.Context, wait time.Duration) bool {
	if wait == 0 {
		return true
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// download makes a handler wait until a download may begin. If it may not, the request is
// answered.
func download(
	handler func(*Server, http.ResponseWriter, *http.Request),
) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		leave := s.downloads.enter(r.Context(), r.RemoteAddr)
		if leave == nil {
			failBusy(w)
			return
		}
		defer leave()
		handler(s, w, r)
	}
}

// failBusy answers that there are too many downloads.
func failBusy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
	fail(w, http.StatusServiceUnavailable, "too many downloads; try again in %d seconds",
		int(retryAfter/time.Second))
}
