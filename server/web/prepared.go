package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/panics"
)

// Limits of the recordings that are prepared for sending.
const (
	// maxPreparedBytes and preparedShare limit their size in bytes: compressed, a match of
	// 1000 turns takes about 100 kB.
	maxPreparedBytes = 64 << 20
	preparedShare    = 16 // fraction of the memory limit
	maxPrepared      = 64 // recordings, including those that cannot be read
	// prepareTime is ten times what the longest possible match takes, of 65 000 turns.
	prepareTime = time.Minute
	// freshTime is the time that a prepared recording is sent although its file has grown, so that
	// a running match is not replayed more often than that.
	freshTime = time.Second
)

var (
	errBusy     = errors.New("too much is being sent")
	errTooLarge = errors.New(
		"is too large to be sent; run hexarena replay export on the server's machine")
	errTooLong = errors.New(
		"takes too long to be replayed; run hexarena replay export on the server's machine")
	errUnplayable = errors.New("cannot be replayed")
)

// prepared holds the events of a recording, compressed once and shared by all downloads.
type prepared struct {
	name    string
	version Version
	running bool
	ready   chan struct{} // closed when the following fields are set

	started time.Time
	chunks  [][]byte // parts of a gzip file
	err     error    // why it cannot be sent
	at      time.Time

	// Guarded by the cache's mutex.
	size    int64
	readers int
	kept    bool
	used    uint64 // value of the cache's clock at the last request
}

// preparedCache holds prepared recordings. It prepares one at a time, to leave processor
// time to the current match.
type preparedCache struct {
	recordings Recordings
	log        zerolog.Logger
	life       context.Context // ends with the server
	working    semaphore       // held while a recording is prepared

	mu    sync.Mutex // guards the fields below
	kept  map[string]*prepared
	size  int64  // of all that are kept, being prepared or being read
	clock uint64 // counts requests
}

func newPreparedCache(life context.Context, r Recordings, log zerolog.Logger) *preparedCache {
	return &preparedCache{
		recordings: r, log: log, life: life, working: make(semaphore, 1), kept: map[string]*prepared{},
	}
}

// get returns a recording that is ready to be sent, until it is released. running says
// whether its match is still being played. The error is fs.ErrNotExist, errBusy, ctx's
// error, or one whose text follows the recording's name.
func (c *preparedCache) get(ctx context.Context, name string, running bool) (*prepared, error) {
	version, err := c.recordings.Version(name)
	if err != nil {
		return nil, err
	}
	p, found := c.take(name, version, running)
	if !found {
		c.prepare(p)
	}
	select {
	case <-p.ready:
	case <-ctx.Done():
		c.release(p)
		return nil, ctx.Err()
	}
	if p.err != nil {
		c.release(p)
		return nil, p.err
	}
	return p, nil
}

// take returns a recording that is prepared or being prepared. If found is false, the
// caller has to prepare it.
func (c *preparedCache) take(name string, version Version, running bool) (p *prepared, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock++
	p, found = c.kept[name]
	if found && !p.current(version, running) {
		c.drop(p)
		found = false
	}
	if !found {
		p = &prepared{
			name: name, version: version, running: running, ready: make(chan struct{}), kept: true,
		}
		c.kept[name] = p
	}
	p.readers++
	p.used = c.clock
	for len(c.kept) > maxPrepared {
		oldest := c.oldest()
		if oldest == nil {
			break
		}
		c.drop(oldest)
	}
	return p, found
}

// current reports whether p is up to date, or nearly so, for a recording of that version.
// A client that asks after the end of the match always gets the end.
func (p *prepared) current(version Version, running bool) bool {
	if p.running != running {
		return false
	}
	select {
	case <-p.ready:
		return p.version == version || time.Since(p.at) < freshTime
	default:
		return true
	}
}

// tag returns the ETag of a recording that is ready to be sent. It is weak, since the same events
// are compressed or not.
func (p *prepared) tag() string {
	return fmt.Sprintf(`W/"%x-%x-%t"`, p.version.Size, p.version.Modified.UnixNano(), p.running)
}

// release ends the use of a prepared recording.
func (c *preparedCache) release(p *prepared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.readers--; p.readers == 0 && !p.kept {
		c.size -= p.size
	}
}

// drop removes a recording, and subtracts its size unless it is being read. The caller
// holds the lock.
func (c *preparedCache) drop(p *prepared) {
	delete(c.kept, p.name)
	if p.kept = false; p.readers == 0 {
		c.size -= p.size
	}
}

// reserve counts n more bytes of a recording that is being prepared. To make room it drops
// the least recently used recordings.
func (c *preparedCache) reserve(p *prepared, n int) error {
	limit := min(maxPreparedBytes, debug.SetMemoryLimit(-1)/preparedShare)
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.size+int64(n) > limit {
		oldest := c.oldest()
		switch {
		case oldest != nil:
			c.drop(oldest)
		case p.size+int64(n) > limit:
			return errTooLarge
		default:
			return errBusy
		}
	}
	p.size += int64(n)
	c.size += int64(n)
	return nil
}

// oldest returns the least recently used recording that is not being read, or nil. The
// caller holds the lock.
func (c *preparedCache) oldest() (oldest *prepared) {
	for _, p := range c.kept {
		if p.readers == 0 && (oldest == nil || p.used < oldest.used) {
			oldest = p
		}
	}
	return oldest
}

// prepare prepares a recording. It continues after the requesting client has gone, since
// others may wait for the result.
func (c *preparedCache) prepare(p *prepared) {
	defer close(p.ready)
	var err error
	if caught := panics.Catch(func() { err = c.work(p) }); caught != nil {
		c.log.Error().EmbedObject(caught).Str("recording", p.name).Msg("Preparing a recording failed")
		err = errUnplayable
	}
	p.at, p.err = time.Now(), err
	if err == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.empty(p)
	if p.kept && (errors.Is(err, errBusy) || c.life.Err() != nil) { // a later request may succeed
		c.drop(p)
	}
}

// empty discards what was prepared so far. The caller holds the lock.
func (c *preparedCache) empty(p *prepared) {
	c.size -= p.size
	p.chunks, p.size = nil, 0
}

// attempts is how often a recording is read again if it changes meanwhile: its lines are
// replaced by compressed ones when the match ends.
const attempts = 3

// work waits until no other recording is being prepared, and prepares p.
func (c *preparedCache) work(p *prepared) (err error) {
	if !c.working.acquire(c.life) {
		return c.life.Err()
	}
	defer c.working.release()
	for range attempts {
		if err = c.play(p); !isDamage(err) {
			return err
		}
		version, gone := c.recordings.Version(p.name)
		if gone != nil || version == p.version {
			break
		}
		p.version = version
		c.mu.Lock()
		c.empty(p)
		c.mu.Unlock()
	}
	if len(p.chunks) > 0 { // the last event tells what is damaged
		return nil
	}
	return err
}

// play replays the match and keeps its events. The error wraps a [*recording.DamageError]
// if the events end early.
func (c *preparedCache) play(p *prepared) error {
	replay, err := c.recordings.Open(p.name)
	if err != nil {
		return err
	}
	defer replay.Close()
	p.started = replay.Started()
	ctx, cancel := context.WithTimeoutCause(c.life, prepareTime, errTooLong)
	defer cancel()
	out := &chunkWriter{cache: c, p: p}
	chunks := bufio.NewWriterSize(out, chunkSize)
	packed := gzip.NewWriter(chunks)
	events := &yieldingWriter{w: packed}
	err = replay.Write(ctx, events, p.running)
	if isDamage(err) && events.some || err == nil {
		err = errors.Join(err, packed.Close(), chunks.Flush())
	}
	switch {
	case out.err != nil:
		return out.err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return err
}

// yieldingWriter yields to other goroutines before each write, such as those of matches.
type yieldingWriter struct {
	w    io.Writer
	some bool // something was written
}

// Write implements io.Writer.
func (y *yieldingWriter) Write(b []byte) (int, error) {
	y.some = true
	runtime.Gosched()
	return y.w.Write(b)
}

// chunkSize is the number of bytes of a prepared recording that are reserved at a time.
const chunkSize = 64 << 10

// chunkWriter appends chunks to a recording that is being prepared.
type chunkWriter struct {
	cache *preparedCache
	p     *prepared
	err   error
}

// Write implements io.Writer.
func (c *chunkWriter) Write(b []byte) (n int, err error) {
	if c.err = c.cache.reserve(c.p, len(b)); c.err != nil {
		return 0, c.err
	}
	c.p.chunks = append(c.p.chunks, bytes.Clone(b))
	return len(b), nil
}

// reader returns a reader of the gzip file.
func (p *prepared) reader() io.Reader {
	chunks := net.Buffers(slices.Clone(p.chunks)) // reading changes the slice
	return &chunks
}
