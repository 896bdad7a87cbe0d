package host_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

// failures counts recordings that failed, and nothing else.
type failures struct {
	session.NoMeter
	match.BaseWatcher
	count atomic.Int64
}

func (f *failures) Watch(interface {
	Path() string
	Err() error
},
) match.Watcher {
	return f
}

func (f *failures) RecordingFailed()      { f.count.Add(1) }
func (f *failures) Viewers(func() int)    {}
func (f *failures) Handler() http.Handler { return http.NotFoundHandler() }

// A match that cannot be recorded goes on. The operator sees it on the page and in the
// metrics while it is played; other viewers, who could learn about the disk, do not.
func TestUnrecordedIsShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var counted failures
	h := openHost(t, options{
		Options: host.Options{
			Linger: usualLinger, Page: shownOn(), Metrics: &counted,
			Recordings: &host.Recordings{Dir: filepath.Join(file, "recordings")},
		},
		spec: small(1, 3),
	})
	get := func(path, forwarded string) string {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, strings.TrimSuffix(h.Page().URL(), "/")+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", forwarded)
		if forwarded == "" {
			r.Header.Del("X-Forwarded-For")
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	c := servertest.Dial(t, h.addr)
	c.SendLogin("a", "player")
	c.Expect("LOGIN_ACK")
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	if body := get("/api/matches", ""); !strings.Contains(body, `"unrecorded":"mkdir `) {
		t.Errorf("the operator gets %s", body)
	}
	if body := get("/api/matches", "10.0.0.1"); strings.Contains(body, "unrecorded") {
		t.Errorf("a stranger gets %s", body)
	}
	if n := counted.count.Load(); n != 1 {
		t.Errorf("%d failures are counted", n)
	}
}
