package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// Draw writes a picture of the recording with the given name. The text of an error follows the
// recording's name.
type Draw func(ctx context.Context, name string, p Picture, w io.Writer) error

// Picture describes a picture of a recording: the board after a turn as a PNG, or an animation of
// some turns as a GIF.
type Picture struct {
	Animated bool
	From, To int // steps; From is that of animations; -1: the last one
	Size     int // of the longer side in pixels
	Light    bool
}

// Limits of pictures.
const (
	// maxPictureBytes limits one picture; an animation of maxFrames turns on a large map takes 2
	// MB.
	maxPictureBytes = 8 << 20
	// maxPicturesBytes and picturesShare limit those that are kept: a thumbnail takes 10 to 40 kB,
	// so that those of all listed recordings fit.
	maxPicturesBytes = 24 << 20
	picturesShare    = 32   // fraction of the memory limit
	maxPictures      = 2000 // two for each listed recording, one in each theme, and as many others
	maxFrames        = 60   // of an animation: fifteen seconds
	lastTurns        = 20   // of an animation for which the request names no beginning
	// drawTime is ten times as long as drawing the longest match takes.
	drawTime = time.Minute
)

// The sizes of pictures, in pixels of the longer side.
const (
	minPictureSize = 160
	maxPictureSize = 1280
	pngSize        = 1280 // fits most screens
	gifSize        = 480  // a file that a chat takes
)

// pictureKey identifies a picture of one version of a recording.
type pictureKey struct {
	name    string
	version Version
	Picture
}

// picture is one that was drawn, or the reason why it cannot be.
type picture struct {
	data []byte
	err  error
	used uint64 // value of the cache's clock at the last request
}

// pictureCache holds pictures that were requested lately. Its zero value is ready to use.
type pictureCache struct {
	mu    sync.Mutex // guards the fields below
	kept  map[pictureKey]*picture
	size  int
	clock uint64
}

// find returns a picture that was drawn before, or nil.
func (c *pictureCache) find(key pictureKey) *picture {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.kept[key]
	if p != nil {
		c.clock++
		p.used = c.clock
	}
	return p
}

// keep keeps a picture, and drops those that were not requested for longest if there are too many.
func (c *pictureCache) keep(key pictureKey, p *picture) {
	limit := int(min(maxPicturesBytes, debug.SetMemoryLimit(-1)/picturesShare))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[pictureKey]*picture{}
	}
	c.clock++
	p.used = c.clock
	c.kept[key] = p
	c.size += len(p.data)
	for len(c.kept) > maxPictures || c.size > limit {
		var oldest pictureKey
		least := c.clock + 1
		for k, p := range c.kept {
			if p.used < least {
				oldest, least = k, p.used
			}
		}
		c.size -= len(c.kept[oldest].data)
		delete(c.kept, oldest)
	}
}

// picture returns a picture of a recording, which it draws if it was not drawn before. Recordings
// are played again one at a time, for pictures and for viewers, to leave processor time to the
// current match.
func (a *recordingAPI) picture(ctx context.Context, name string, what Picture) (*picture, error) {
	version, err := a.opts.Recordings.Version(name)
	if err != nil {
		return nil, err
	}
	key := pictureKey{name, version, what}
	if p := a.pictures.find(key); p != nil {
		return p, nil
	}
	if !a.prepared.working.acquire(ctx) {
		return nil, errBusy
	}
	defer a.prepared.working.release()
	if p := a.pictures.find(key); p != nil { // another request was faster
		return p, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, drawTime, errTooLong)
	defer cancel()
	out := &limitedBuffer{left: maxPictureBytes}
	draw := func() { err = a.opts.Draw(ctx, name, what, &yieldingWriter{w: out}) }
	if caught := panics.Catch(draw); caught != nil {
		a.opts.Log.Error().EmbedObject(caught).Str("recording", name).Msg("Drawing a recording failed")
		err = errUnplayable
	}
	if out.left < 0 {
		err = errTooLarge
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	p := &picture{data: out.Bytes(), err: err}
	if err != nil {
		p.data = nil
	}
	a.pictures.keep(key, p)
	return p, nil
}

// limitedBuffer is a buffer that takes a limited number of bytes.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

func (b *limitedBuffer) Write(data []byte) (int, error) {
	if b.left -= len(data); b.left < 0 {
		return 0, errTooLarge
	}
	return b.Buffer.Write(data)
}

// getBoard sends a picture of the board after a turn of a recording.
func (a *recordingAPI) getBoard(w http.ResponseWriter, r *http.Request) {
	a.sendPicture(w, r, kinds[".png"], func(q *pictureQuery) Picture {
		to := q.number("turn", -1, -1, maxTurn)
		if to >= 0 {
			to = match.StepOf(to)
		}
		return Picture{
			To:   to,
			Size: q.number("size", pngSize, minPictureSize, maxPictureSize), Light: q.light(),
		}
	})
}

// getTurns sends an animation of some turns of a recording.
func (a *recordingAPI) getTurns(w http.ResponseWriter, r *http.Request) {
	a.sendPicture(w, r, kinds[".gif"], func(q *pictureQuery) Picture {
		p := Picture{
			Animated: true, To: match.StepOf(q.number("to", 0, 0, maxTurn)),
			Size: q.number("size", gifSize, minPictureSize, maxPictureSize), Light: q.light(),
		}
		const start = -1
		p.From = match.StepOf(q.number("from", match.ShownIn(max(0, p.To-lastTurns)), start, maxTurn))
		if q.err == nil && (p.From > p.To || p.To-p.From >= maxFrames) {
			q.err = fmt.Errorf(
				"from = %d, to = %d: from must not be after to, and there may be at most %d turns",
				match.ShownIn(p.From), match.ShownIn(p.To), maxFrames)
		}
		return p
	})
}

// maxTurn is greater than the turns of any recording.
const maxTurn = 1 << 30

// sendPicture answers with the picture that a request describes.
func (a *recordingAPI) sendPicture(
	w http.ResponseWriter, r *http.Request, kind string, wanted func(*pictureQuery) Picture,
) {
	if a.opts.Draw == nil {
		fail(w, http.StatusNotFound, "this server draws no pictures; hexarena replay export does")
		return
	}
	q := &pictureQuery{r: r}
	what := wanted(q)
	if q.err != nil {
		fail(w, http.StatusBadRequest, "%v", q.err)
		return
	}
	name := a.recordingName(w, r)
	if name == "" {
		return
	}
	p, err := a.picture(r.Context(), name, what)
	if err == nil {
		err = p.err
	}
	if err != nil {
		failRecording(w, name, err)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(p.data)))
	// a list that is shown again asks for none again
	w.Header().Set("Cache-Control", "private, max-age=60")
	_, _ = newPaced(w).Write(p.data)
}

// pictureQuery reads the query of a request for a picture, and keeps the first error.
type pictureQuery struct {
	r   *http.Request
	err error
}

// number returns the value of a key from low to high, or def if the request does not have it.
func (q *pictureQuery) number(key string, def, low, high int) int {
	text := q.r.URL.Query().Get(key)
	if text == "" {
		return def
	}
	n, err := strconv.Atoi(text)
	if (err != nil || n < low || n > high) && q.err == nil {
		q.err = fmt.Errorf("%s = %.40q: want a whole number from %d to %d", key, text, low, high)
	}
	return n
}

// light reports whether the picture is for a light background.
func (q *pictureQuery) light() bool {
	theme := q.r.URL.Query().Get("theme")
	if theme != "" && theme != "dark" && theme != "light" && q.err == nil {
		q.err = fmt.Errorf(`theme = %.40q: want "dark" or "light"`, theme)
	}
	return theme == "light"
}
