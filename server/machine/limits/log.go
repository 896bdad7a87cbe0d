package limits

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/time/rate"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Limits of a log. A line has a few hundred bytes.
const (
	// An address may cause as many lines of a kind at once as it may have connections by
	// default, so that the log is complete for a class behind one address.
	addressBurst = 100
	addressRate  = 5 // per second after that
	// All addresses together may cause as many lines of a kind as bots can join at once, and
	// after that less than a gigabyte a day.
	kindBurst = 2000
	kindRate  = 20
	// maxBuckets limits the pairs of address and kind, of about 200 bytes each.
	maxBuckets = 4096
	// MaxText is the most bytes of a peer's text that a line repeats.
	MaxText = 200
	// reportInterval is the time between reports of suppressed lines, and maxReported the
	// number of pairs of address and kind in a report.
	reportInterval = 10 * time.Second
	maxReported    = 10
)

// others stands for the addresses beyond maxBuckets.
const others = "other addresses"

// Log limits the lines that peers cause in one log, by address and kind, and the length of
// their text in it, so that a flood of connections does not fill the disk. A timer reports
// the number of suppressed lines later; [Log.Close] stops it. A nil Log sets no limit.
type Log struct {
	log zerolog.Logger

	mu      sync.Mutex // guards the fields below
	buckets map[key]*bucket
	kinds   map[string]*rate.Limiter
	swept   time.Time   // when idle buckets were last removed
	since   time.Time   // when the first unreported line was suppressed
	report  *time.Timer // nil if there is nothing to report
	closed  bool
}

// key identifies a bucket.
type key struct {
	address string // IPv4 address or IPv6 /64
	kind    string
}

// bucket limits the lines of an address and a kind.
type bucket struct {
	*rate.Limiter
	suppressed int // number of unreported lines
}

// NewLog returns a Log that reports suppressed lines to log.
func NewLog(log zerolog.Logger) *Log {
	return &Log{log: log, buckets: map[key]*bucket{}, kinds: map[string]*rate.Limiter{}}
}

// Allow reports whether a line about an address with host and port may be written, and
// counts it otherwise. There must be only a few kinds.
func (l *Log) Allow(address, kind string) bool {
	if l == nil {
		return true
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key{Source(address), kind}, now)
	all := l.kinds[kind]
	if all == nil {
		all = rate.NewLimiter(kindRate, kindBurst)
		l.kinds[kind] = all
	}
	if b.TokensAt(now) >= 1 && all.AllowN(now, 1) {
		return b.AllowN(now, 1)
	}
	b.suppressed++
	if l.report == nil && !l.closed {
		l.since = now
		l.report = panics.AfterFunc(reportInterval, l.writeReport,
			panics.Logged(l.log, "Reporting suppressed lines failed"))
	}
	return false
}

// bucket returns the bucket of a key, or the common bucket if there are too many. The caller
// holds mu.
func (l *Log) bucket(k key, now time.Time) *bucket {
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
	b := &bucket{Limiter: rate.NewLimiter(addressRate, addressBurst)}
	l.buckets[k] = b
	return b
}

// sweep removes the buckets that are full again. It does so at most once a second, since it
// visits all. The caller holds mu.
func (l *Log) sweep(now time.Time) {
	if now.Sub(l.swept) < time.Second {
		return
	}
	l.swept = now
	for k, b := range l.buckets {
		if b.TokensAt(now) >= addressBurst && b.suppressed == 0 {
			delete(l.buckets, k)
		}
	}
}

// writeReport reports the keys with the most suppressed lines, and the sum of the rest.
func (l *Log) writeReport() {
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
		return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(a.address, b.address),
			cmp.Compare(a.kind, b.kind))
	})
	rest := 0
	for i, c := range list {
		if i >= maxReported {
			rest += c.lines
			continue
		}
		l.log.Warn().Str("address",
			c.address).Str("kind", c.kind).Int("lines", c.lines).Stringer("in", in).Msg(suppressed)
	}
	if rest > 0 {
		l.log.Warn().Str("address", others).Int("lines", rest).Stringer("in", in).Msg(suppressed)
	}
}

// suppressed is the message of a report.
const suppressed = "Lines of the log were suppressed"

// Close reports the lines suppressed since the last report, and stops the timer.
func (l *Log) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.closed = true
	waiting := l.report != nil && l.report.Stop()
	l.mu.Unlock()
	if waiting {
		l.writeReport()
	}
}

// Clip returns s shortened to at most MaxText bytes, with an ellipsis in place of the
// rest. A nil Log returns all of it.
func (l *Log) Clip(s string) string {
	if l == nil {
		return s
	}
	return textutil.Clip(s, MaxText)
}

// About returns a logger whose lines are about an address with host and port, and limited.
// The kind of a line is its message.
func (l *Log) About(log zerolog.Logger, address string) zerolog.Logger {
	return l.Bound(log.With().Str("address", address).Logger(), address)
}

// Bound returns a logger whose lines are limited as those about source, which need not be an
// address.
func (l *Log) Bound(log zerolog.Logger, source string) zerolog.Logger {
	if l == nil {
		return log
	}
	return log.Hook(hook{l, source})
}

// hook discards lines beyond the limit. It implements zerolog.Hook, which is called only for
// lines of enabled levels.
type hook struct {
	lines  *Log
	source string
}

// Run implements zerolog.Hook.
func (h hook) Run(line *zerolog.Event, _ zerolog.Level, message string) {
	if !h.lines.Allow(h.source, message) {
		line.Discard()
	}
}
