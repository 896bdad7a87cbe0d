package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// toil is recordings of much work. One that is called endless is written until
// nobody takes it any more.
type toil struct {
	name    string
	working *atomic.Int32
	most    *atomic.Int32 // at a time
}

func (toil) List() ([]web.Recording, error)         { return nil, nil }
func (w toil) Open(name string) (web.Replay, error) { w.name = name; return w, nil }
func (toil) Close() error                           { return nil }
func (toil) Started() time.Time                     { return time.Time{} }

func (w toil) Write(_ context.Context, out io.Writer, _ bool) error {
	part := make([]byte, 64<<10)
	for n := 0; n < 20 || w.name == "endless"; n++ {
		now := w.working.Add(1)
		w.most.Store(max(w.most.Load(), now))
		for range 10 {
			runtime.Gosched()
		}
		w.working.Add(-1)
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// However many ask for recordings, one is worked on at a time, and nobody waits for
// one who asks and does not read.
func TestRecordingsAreToldByTurns(t *testing.T) {
	work := toil{working: new(atomic.Int32), most: new(atomic.Int32)}
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) { o.Recordings = work })
	idle, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	fmt.Fprintf(idle, "GET /api/recordings/endless HTTP/1.1\r\nHost: %s\r\n\r\n", s.Addr())
	if _, err := io.ReadFull(idle, make([]byte, 100_000)); err != nil { // it has begun
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			answer, err := http.Get(s.URL() + "api/recordings/short")
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != 20*64<<10 {
				t.Errorf("a recording has %d bytes, %v", n, err)
			}
		})
	}
	readers.Wait()
	if n := work.most.Load(); n != 1 {
		t.Errorf("%d recordings were worked on at a time, want 1", n)
	}
}
