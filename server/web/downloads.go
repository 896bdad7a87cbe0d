package web

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Bounds of downloads: of recordings, their list, and events and states of matches. One
// takes about 150 KiB, most of it buffers of ours and of the system.
const (
	maxDownloads = 64
	// maxAddressDownloads leaves room for three more addresses. A school behind one
	// address gets by: a download takes it less than a second, and the others wait.
	maxAddressDownloads = 16
	maxWaiting          = 256 // that wait for one of these, at about 20 KiB each
	maxAddressWaiting   = 64
	// waitTime is less than the time in which browsers and proxies give up.
	waitTime = 5 * time.Second
	// retryAfter is how long a client that was refused is asked to stay away. Most of the
	// downloads that go on are over by then.
	retryAfter = 5 * time.Second

	// Downloads that follow each other without a pause leave no processor time to the
	// players: 50 clients that ask for a recording again and again had 900 a second.
	// A class that opens the same recording at once does not wait.
	downloadInterval = 5 * time.Millisecond
	downloadBurst    = maxDownloads
)

// downloads bounds how many downloads go on at a time, in all and for each address.
// The zero value is ready to use.
type downloads struct {
	mu    sync.Mutex // guards all below
	open  int
	from  map[string]int // that are open, by network
	queue []*waiter      // in the order of arrival
	next  time.Time      // when the next one may begin, if all came at downloadInterval
}

// waiter is a request that waits for its turn.
type waiter struct {
	network string
	turn    chan struct{} // closed when it may go on
}

// enter returns when the download from an address may begin; leave ends it. It
// returns nil if there are too many, or ctx ends.
func (d *downloads) enter(ctx context.Context, address string) (leave func()) {
	w := d.line(networkOf(address))
	if w == nil {
		return nil
	}
	patience := time.NewTimer(waitTime)
	defer patience.Stop()
	select {
	case <-w.turn:
	case <-patience.C:
	case <-ctx.Done():
	}
	if d.quit(w) {
		return nil
	}
	if !sleep(ctx, d.delay(time.Now())) {
		d.leave(w.network)
		return nil
	}
	return func() { d.leave(w.network) }
}

// delay returns how long a download that has its turn has to wait for the pace of all
// downloads, of which downloadBurst may be ahead.
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

// sleep waits that long, and reports whether ctx did not end meanwhile.
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

// line puts a request at the end of the queue or, if there is room, lets it go on. It
// returns nil if too many wait.
func (d *downloads) line(network string) *waiter {
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

// quit takes a request out of the queue, and reports whether it was there still.
func (d *downloads) quit(w *waiter) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.queue, w)
	if i < 0 {
		return false
	}
	d.queue = slices.Delete(d.queue, i, i+1)
	return true
}

// leave ends a download, and lets the first of those begin that now may.
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

// networkOf returns what counts as one address: of IPv6 the network of 56 bits that a
// household gets. It is empty for this machine, from which a proxy asks for everybody.
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

// download waits until a download may begin. If it may not, the request is answered, and
// leave is nil.
func (s *Server) download(w http.ResponseWriter, r *http.Request) (leave func()) {
	if leave = s.downloads.enter(r.Context(), r.RemoteAddr); leave == nil {
		failBusy(w)
	}
	return leave
}

// failBusy answers that there are too many downloads.
func failBusy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
	fail(w, http.StatusServiceUnavailable, "too many downloads go on; try again in %d seconds", int(retryAfter/time.Second))
}
