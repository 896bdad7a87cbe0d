package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/web"
)

// post sends a request as a page of this server does.
func (s *stage) post(path string) (status int, body string) {
	s.t.Helper()
	status, body, _ = s.do("POST", path, http.Header{"Sec-Fetch-Site": {"same-origin"}})
	return status, body
}

// A picture is drawn once for all that request it, and again when the recording has changed; at any
// time one picture is being drawn.
func TestPicturesAreDrawnOnce(t *testing.T) {
	var drawn, now, most atomic.Int32
	r := newRecorded(t, 5, func(o *web.Options) {
		o.Draw = func(_ context.Context, name string, p web.Picture, w io.Writer) error {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			drawn.Add(1)
			_, err := fmt.Fprintf(w, "%s %+v", name, p)
			return err
		}
	})
	r.whole(5)
	path := "/api/recordings/" + r.name() + "/board.png?size=320&theme=light&turn="
	var clients sync.WaitGroup
	for i := range 12 {
		clients.Go(func() {
			status, body, _ := r.get(path + fmt.Sprint(i%3))
			if want := fmt.Sprintf("To:%d Size:320 Light:true", i%3+1); status != 200 ||
				!strings.Contains(body, want) {
				t.Errorf("turn %d: %d %s, want %s", i%3, status, body, want)
			}
		})
	}
	clients.Wait()
	if drawn.Load() != 3 || most.Load() != 1 {
		t.Errorf("%d pictures were drawn, up to %d at a time; want 3, one at a time", drawn.Load(),
			most.Load())
	}
	if err := os.Chtimes(r.recorder.Path(), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if r.get(path + "0"); drawn.Load() != 4 {
		t.Errorf("%d pictures were drawn after the recording changed, want 4", drawn.Load())
	}
}

// However many pictures are requested, and of whatever size, those that are kept are bounded.
func TestPicturesAreBounded(t *testing.T) {
	thorough.Long(t)
	const size = 1 << 20
	var drawn atomic.Int32
	r := newRecorded(t, 5, func(o *web.Options) {
		o.Draw = func(_ context.Context, _ string, p web.Picture, w io.Writer) error {
			drawn.Add(1)
			n := size
			if p.To == 1001 { // larger than any may be
				n = 9 << 20
			}
			_, err := w.Write(make([]byte, n))
			return err
		}
	})
	r.whole(5)
	path := "/api/recordings/" + r.name() + "/board.png?turn="
	const many = 40
	for i := range many {
		if status, _, _ := r.get(path + fmt.Sprint(i)); status != 200 {
			t.Fatalf("picture %d: %d", i, status)
		}
	}
	r.get(path + fmt.Sprint(many-1)) // which was used last
	if drawn.Load() != many {
		t.Errorf("%d pictures were drawn, want %d", drawn.Load(), many)
	}
	r.get(path + "0")
	if drawn.Load() != many+1 {
		t.Errorf("%d MiB of pictures are kept", many)
	}
	if status, body, _ := r.get(path + "1000"); status != http.StatusUnprocessableEntity ||
		!strings.Contains(body, "too large") {
		t.Errorf("a picture that is too large: %d %s", status, body)
	}
}

// Requests that cannot be answered say which key is wrong, and what it may be.
func TestPictureErrors(t *testing.T) {
	r := newRecorded(t, 5, func(o *web.Options) {
		o.Draw = func(_ context.Context, _ string, p web.Picture, _ io.Writer) error {
			if p.To == 4 {
				panic("a broken drawing")
			}
			return errors.New("cannot be drawn")
		}
	})
	r.whole(5)
	base := "/api/recordings/" + r.name()
	for path, want := range map[string]string{
		base + "/board.png?turn=x":            `400 turn = x: want a whole number from -1 to`,
		base + "/board.png?turn=1&size=99999": `400 size = 99999: want a whole number from 160 to 1280`,
		base + "/board.png?theme=red":         `400 theme = red: want`,
		base + "/turns.gif?from=9&to=3":       `400 from = 9, to = 3: from must not be after to`,
		base + "/turns.gif?from=0&to=600":     `400 from = 0, to = 600: from must not be after to, and there may be at most 60 turns`,
		base + "/board.png?turn=2":            `422 ` + r.name() + ` cannot be drawn`,
		base + "/board.png?turn=3":            `422 ` + r.name() + ` cannot be replayed`,
		"/api/recordings/none/board.png":      `404 there is no recording none`,
		"/api/recordings/..%2Fx/board.png":    `404 there is no recording`,
	} {
		status, body, _ := r.get(path)
		if got := fmt.Sprintf("%d %s", status, body); !strings.HasPrefix(strings.NewReplacer(`{"error":"`, "", `\"`, "").Replace(got), want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	none := newRecorded(t, 5)
	if status, body, _ := none.get("/api/recordings/x/board.png"); status != http.StatusNotFound ||
		!strings.Contains(body, "draws no pictures") {
		t.Errorf("a server without pictures: %d %s", status, body)
	}
}

// A recording is deleted by the operator only, and not while its match is played.
func TestDeleteRecording(t *testing.T) {
	r := newRecorded(t, 1000)
	r.begin()
	r.play(3)
	path := "/api/recordings/" + r.name() + "/delete"
	if status, body := r.post(path); status != http.StatusConflict {
		t.Errorf("while the match is played: %d %s", status, body)
	}
	if status, body, _ := r.do("POST", path, http.Header{"Sec-Fetch-Site": {"cross-site"}}); status != http.StatusForbidden {
		t.Errorf("from another site: %d %s", status, body)
	}
	r.stop()

	for name, change := range map[string]struct {
		change func(*web.Options)
		status int
		gone   bool
	}{
		"with a token missing": {func(o *web.Options) { o.Operates = func(string) bool { return false } }, http.StatusUnauthorized, false},
		"where none can be":    {func(o *web.Options) { o.Remove = nil }, http.StatusNotFound, false},
		"by the operator":      {func(*web.Options) {}, http.StatusOK, true},
	} {
		r := newRecorded(t, 5, change.change)
		r.whole(5)
		status, body := r.post("/api/recordings/" + r.name() + "/delete")
		_, err := os.Stat(r.recorder.Path())
		if status != change.status || os.IsNotExist(err) != change.gone {
			t.Errorf("%s: %d %s, and the file: %v", name, status, body, err)
		}
		if _, list, _ := r.get("/api/recordings"); strings.Contains(list, r.name()) == change.gone {
			t.Errorf("%s: the list is %s", name, list)
		}
		if status, body := r.post("/api/recordings/other.hexarena/delete"); change.gone &&
			status != http.StatusNotFound {
			t.Errorf("another name: %d %s", status, body)
		}
	}
}
