package web

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"
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
	// retryAfter is how long a refused client is asked to wait. Most of the current downloads
	// are finished by then.
	retryAfter = 5 * time.Second

	// Downloads without pause would leave no processor time to the players: 50 clients that
	// downloaded a recording repeatedly reached 900 per second. A school class that opens the
	// same recording at the same time does not wait.
	downloadInterval = 5 * time.Millisecond
	downloadBurst    = maxDownloads
)

// downloads limits the number of simultaneous downloads, in all and for each address. The
// zero value is ready to use.
type downloads struct {
	wait time.Duration // how long a request waits for a download; 0: waitTime

	mu    sync.Mutex // guards the fields below
	open  int
	from  map[string]int // number of open downloads, by network
	queue []*waiter      // in order of arrival
	next  time.Time      // when the next download may begin without using up the burst
}

// waiter is a request that waits for a download.
type waiter struct {
	network string
	turn    chan struct{} // closed when the download may begin
}

// enter waits until a download from an address may begin; leave ends the download. It
// returns nil if there are too many or ctx ends.
func (d *downloads) enter(ctx context.Context, address string) (leave func()) {
	w := d.enqueue(networkOf(address))
	if w == nil {
		return nil
	}
	timeout := time.NewTimer(cmp.Or(d.wait, waitTime))
	defer timeout.Stop()
	select {
	case <-w.turn:
	case <-timeout.C:
	case <-ctx.Done():
	}
	if d.dequeue(w) {
		return nil
	}
	if !sleep(ctx, d.delay(time.Now())) {
		d.leave(w.network)
		return nil
	}
	return func() { d.leave(w.network) }
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
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// enqueue lets a download begin if there is room, and otherwise puts it at the end of the
// queue. It returns nil if the queue is full.
func (d *downloads) enqueue(network string) *waiter {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &waiter{network, make(chan struct{})}
	if d.room(network) {
		d.begin(w)
		return w
	}
	same := 0
	for _, other := range d.queue {
		if other.network == network {
			same++
		}
	}
	if len(d.queue) >= maxWaiting || network != "" && same >= maxAddressWaiting {
		return nil
	}
	d.queue = append(d.queue, w)
	return w
}

// room reports whether another download may begin. The caller holds the lock.
func (d *downloads) room(network string) bool {
	return d.open < maxDownloads && (network == "" || d.from[network] < maxAddressDownloads)
}

// begin counts a download. The caller holds the lock.
func (d *downloads) begin(w *waiter) {
	if d.from == nil {
		d.from = map[string]int{}
	}
	d.open++
	d.from[w.network]++
	close(w.turn)
}

// dequeue removes a request from the queue and reports whether it was still there.
func (d *downloads) dequeue(w *waiter) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.queue, w)
	if i < 0 {
		return false
	}
	d.queue = slices.Delete(d.queue, i, i+1)
	return true
}

// leave ends a download and begins the first one in the queue that has room now.
func (d *downloads) leave(network string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	if d.from[network]--; d.from[network] == 0 {
		delete(d.from, network)
	}
	i := slices.IndexFunc(d.queue, func(w *waiter) bool { return d.room(w.network) })
	if i >= 0 {
		d.begin(d.queue[i])
		d.queue = slices.Delete(d.queue, i, i+1)
	}
}

// networkOf returns what counts as one address: with IPv6, the /56 network that a household
// gets. It is empty for this machine, where a proxy may forward everyone's requests.
func networkOf(address string) string {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	ip := peer.Addr().Unmap().WithZone("")
	switch {
	case ip.IsLoopback():
		return ""
	case ip.Is6():
		return netip.PrefixFrom(ip, 56).Masked().String()
	}
	return ip.String()
}

// download waits until a download may begin. If it may not, it answers the request and
// returns nil.
func (s *Server) download(w http.ResponseWriter, r *http.Request) (leave func()) {
	if leave = s.downloads.enter(r.Context(), r.RemoteAddr); leave == nil {
		failBusy(w)
	}
	return leave
}

// failBusy answers that there are too many downloads.
func failBusy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
	fail(w, http.StatusServiceUnavailable, "too many downloads; try again in %d seconds", int(retryAfter/time.Second))
}
