// Package loglimit bounds the lines of a log that peers cause, by address and kind, and
// the text of theirs in it, so that a flood of connections is no flood of the disk.
//
// What is suppressed is counted, and said after a while by a timer, which is the only
// thing that runs by itself; [Limiter.Close] stops it.
package loglimit

import (
	"cmp"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/panics"
)

// Bounds of a log. A line has a few hundred bytes.
const (
	// An address may have as many lines of a kind at once as it may have connections,
	// by default, so that a class behind one address is logged whole.
	addressBurst = 100
	addressRate  = 5 // a second, from then on
	// All addresses together may cause as many lines of a kind as bots can join at
	// once, and from then on less than a gigabyte a day.
	kindBurst = 2000
	kindRate  = 20
	// maxBuckets bounds the addresses and kinds that are told apart, some 100 bytes each.
	maxBuckets = 4096
	// MaxText is how many bytes of a peer's text a line repeats.
	MaxText = 200
	// reportInterval is how often is said what was suppressed, and maxReported of how
	// many addresses and kinds each time.
	reportInterval = 10 * time.Second
	maxReported    = 10
)

// others stands for the addresses beyond maxBuckets.
const others = "other addresses"

// Limiter bounds the lines of one log. A nil Limiter bounds nothing.
type Limiter struct {
	log zerolog.Logger

	mu      sync.Mutex // guards all below
	buckets map[key]*bucket
	kinds   map[string]*bucket
	swept   time.Time   // when idle buckets were last removed
	since   time.Time   // when the first line was suppressed that was not reported yet
	report  *time.Timer // nil: nothing is to be reported
	closed  bool
}

// key is what lines are counted by.
type key struct {
	address string // IPv4, or an IPv6 network of 64 bits
	kind    string
}

// bucket is a token bucket.
type bucket struct {
	tokens     float64
	at         time.Time // when it had them
	suppressed int       // lines that were not reported yet
}

// New returns a limiter that reports to log what it suppresses.
func New(log zerolog.Logger) *Limiter {
	return &Limiter{log: log, buckets: map[key]*bucket{}, kinds: map[string]*bucket{}}
}

// Allow reports whether a line of a kind, of which there are few, about an address,
// host and port, is to be written. It counts those that are not.
func (l *Limiter) Allow(address, kind string) bool {
	if l == nil {
		return true
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key{connlimit.Source(address), kind}, now)
	all := l.kinds[kind]
	if all == nil {
		all = &bucket{tokens: kindBurst, at: now}
		l.kinds[kind] = all
	}
	b.fill(now, addressRate, addressBurst)
	all.fill(now, kindRate, kindBurst)
	if b.tokens >= 1 && all.tokens >= 1 {
		b.tokens--
		all.tokens--
		return true
	}
	b.suppressed++
	if l.report == nil && !l.closed {
		l.since = now
		l.report = panics.AfterFunc(reportInterval, l.tell, panics.Logged(l.log, "Reporting suppressed lines failed"))
	}
	return false
}

// bucket returns the bucket of a key, or that of all others when there are too many.
// The caller holds mu.
func (l *Limiter) bucket(k key, now time.Time) *bucket {
	if b := l.buckets[k]; b != nil {
		return b
	}
	if len(l.buckets) >= maxBuckets {
		l.sweep(now)
	}
	if len(l.buckets) >= maxBuckets {
		k.address = others
		if b := l.buckets[k]; b != nil {
			return b
		}
	}
	b := &bucket{tokens: addressBurst, at: now}
	l.buckets[k] = b
	return b
}

// sweep removes the buckets that are full again, at most once a second since it looks
// at all. The caller holds mu.
func (l *Limiter) sweep(now time.Time) {
	if now.Sub(l.swept) < time.Second {
		return
	}
	l.swept = now
	for k, b := range l.buckets {
		if b.fill(now, addressRate, addressBurst); b.tokens >= addressBurst && b.suppressed == 0 {
			delete(l.buckets, k)
		}
	}
}

// fill adds the tokens for the time that has passed.
func (b *bucket) fill(now time.Time, rate, burst float64) {
	b.tokens = min(burst, b.tokens+rate*now.Sub(b.at).Seconds())
	b.at = now
}

// tell reports what was suppressed: the most, and the sum of the rest.
func (l *Limiter) tell() {
	type count struct {
		key
		lines int
	}
	var list []count
	l.mu.Lock()
	for k, b := range l.buckets {
		if b.suppressed > 0 {
			list = append(list, count{k, b.suppressed})
			b.suppressed = 0
		}
	}
	in := time.Since(l.since).Round(time.Second)
	l.report = nil
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(a.address, b.address), cmp.Compare(a.kind, b.kind))
	})
	rest := 0
	for i, c := range list {
		if i >= maxReported {
			rest += c.lines
			continue
		}
		l.log.Warn().Str("address", c.address).Str("kind", c.kind).Int("lines", c.lines).Stringer("in", in).Msg(suppressed)
	}
	if rest > 0 {
		l.log.Warn().Str("address", others).Int("lines", rest).Stringer("in", in).Msg(suppressed)
	}
}

// suppressed is the text of the lines that stand for those that are not written.
const suppressed = "Lines of the log were suppressed"

// Close reports what was suppressed since the last report, and stops the timer.
func (l *Limiter) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.closed = true
	waiting := l.report != nil && l.report.Stop()
	l.mu.Unlock()
	if waiting {
		l.tell()
	}
}

// Clip returns text as a line may repeat it: at most MaxText bytes of it, and an
// ellipsis in place of the rest. A nil Limiter returns all of it.
func (l *Limiter) Clip(text string) string {
	if l == nil || len(text) <= MaxText {
		return text
	}
	end := MaxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// About returns a log whose lines are about an address, host and port, and bounded.
// The kind of a line is its message.
func (l *Limiter) About(log zerolog.Logger, address string) zerolog.Logger {
	return l.Bound(log.With().Str("address", address).Logger(), address)
}

// Bound returns a log whose lines are bounded as those about a source that is not an
// address.
func (l *Limiter) Bound(log zerolog.Logger, source string) zerolog.Logger {
	if l == nil {
		return log
	}
	return log.Hook(hook{l, source})
}

// hook discards the lines of a source that are too many. It implements zerolog.Hook,
// which is called for lines of enabled levels only.
type hook struct {
	lines  *Limiter
	source string
}

// Run implements zerolog.Hook.
func (h hook) Run(line *zerolog.Event, _ zerolog.Level, message string) {
	if !h.lines.Allow(h.source, message) {
		line.Discard()
	}
}
