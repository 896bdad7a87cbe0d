package host_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/metrics"
	"github.com/hexarena/hexarena/server/servertest"
)

// A match that cannot be recorded goes on. The operator sees it on the page and in the
// metrics while it is played; other viewers, who could learn about the disk, do not.
func TestUnrecordedIsShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHost(t, options{
		Options: host.Options{
			Linger: usualLinger, Page: shownOn(), Metrics: metrics.New("test"),
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
	if body := get("/metrics", ""); !strings.Contains(body, "\nhexarena_recording_failures_total 1\n") {
		t.Error("the failure is not counted")
	}
}
