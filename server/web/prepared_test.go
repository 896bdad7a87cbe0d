package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// The size of prepared recordings follows the memory limit; those being read are not
// dropped for others.
func TestPreparedRecordingsAreBounded(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	_, s := newToil(t)
	const limit = 10 << 20
	before := debug.SetMemoryLimit(limit)
	defer debug.SetMemoryLimit(before)
	get := func(size int, want int, text string) {
		t.Helper()
		status, body, header := s.get("/api/recordings/" + strconv.Itoa(size))
		if status != want || !strings.Contains(body, text) {
			t.Errorf("a recording of %d bytes: %d %.100s, want %d %s", size, status, body, want, text)
		}
		if (header.Get("Retry-After") != "") != (want == http.StatusServiceUnavailable) {
			t.Errorf("%d with Retry-After %q", status, header.Get("Retry-After"))
		}
	}
	for i := range 8 {
		get(300_000+i, 200, "0000000000000001")
		if kept := s.Prepared(); kept > limit/16 {
			t.Fatalf("%d bytes are kept, want %d at the most", kept, limit/16)
		}
	}
	get(3_000_000, 422, "3000000 is too large to be sent; run hexarena replay export")
	for i := range 2 {
		status, _, conn := s.stall("/api/recordings/" + strconv.Itoa(500_000+i))
		if status != 200 {
			t.Fatalf("stalled: %d", status)
		}
		defer conn.Close()
	}
	get(300_000, 503, "too many downloads")
	get(500_000, 200, "0000000000000001")
}

// A recording that grows is prepared again, but not for each request.
func TestPreparedRecordingsFollowTheirFiles(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	work, s := newToil(t)
	s.get("/api/recordings/1000")
	begun := time.Now()
	work.mu.Lock()
	work.version.Size++
	work.mu.Unlock()
	done := func() int {
		s.get("/api/recordings/1000")
		work.mu.Lock()
		defer work.mu.Unlock()
		return work.done
	}
	for done() == 1 {
		if time.Since(begun) > patience {
			t.Fatal("a recording that has changed is not prepared again")
		}
	}
	if took := time.Since(begun); took < time.Second/2 {
		t.Errorf("a recording that grows is prepared again after %v", took)
	}
	if n := done(); n != 2 {
		t.Errorf("prepared %d times, want 2", n)
	}
}

// packed is a recording that is replaced by a compressed file while it is first read.
type packed struct{ reads int }

func (*packed) List() ([]web.Recording, error) { return nil, nil }
func (p *packed) Version(string) (web.Version, error) {
	return web.Version{Size: int64(p.reads)}, nil
}
func (p *packed) Open(string) (web.Replay, error) { return p, nil }
func (*packed) Close() error                      { return nil }
func (*packed) Started() time.Time                { return time.Time{} }

func (p *packed) Write(_ context.Context, w io.Writer, _ bool) error {
	if p.reads++; p.reads == 1 {
		_, _ = io.WriteString(w, "half of it\n")
		return &recording.DamageError{Err: errors.New("the lines are gone")}
	}
	_, err := io.WriteString(w, "all of it\n")
	return err
}

func TestRecordingThatIsPackedMeanwhile(t *testing.T) {
	s := newStage(t,
		func(o *web.Options, _ *web.Match, _ *match.Options) { o.Recordings = new(packed) })
	if status, body, _ := s.get("/api/recordings/x"); status != 200 || body != "all of it\n" {
		t.Errorf("%d %s, want it as it is after it was packed", status, body)
	}
}

// panicking is a recording whose replay panics.
type panicking struct{ anything }

func (panicking) Open(string) (web.Replay, error)              { return panicking{}, nil }
func (panicking) Write(context.Context, io.Writer, bool) error { panic("rules") }

func TestPanicOfARecording(t *testing.T) {
	s := newStage(t,
		func(o *web.Options, _ *web.Match, _ *match.Options) { o.Recordings = panicking{} })
	for range 2 {
		if status, body, _ := s.get("/api/recordings/x"); status != 422 ||
			!strings.Contains(body, "x cannot be replayed") {
			t.Errorf("%d %s, want 422", status, body)
		}
	}
}
