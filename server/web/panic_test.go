package web_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

// A panic in serving a viewer ends its connection. The match goes on, others get all of
// it, and each panic is logged once.
func TestPanicInServingAViewer(t *testing.T) {
	var log servertest.Log
	s := newStage(t,
		func(o *web.Options, _ *web.Match, _ *match.Options) { o.Log = zerolog.New(&log) })
	s.begin()
	v := s.watch("")
	v.until(1)
	mend := s.Break()
	s.play(1)
	if code := v.closed(); code != 1006 { // no goodbye
		t.Errorf("the connection was closed with %d", code)
	}
	mend()
	s.play(1)
	if err := consecutive(s.watch("").until(3), 0); err != nil {
		t.Error(err)
	}
	if status, body, _ := s.get("/api/match"); status != http.StatusOK {
		t.Errorf("GET /api/match: %d %s", status, body)
	}
	s.stop()
	if n := strings.Count(log.String(), "Serving a viewer failed"); n != 1 ||
		!strings.Contains(log.String(), "web.(*viewer).send") {
		t.Errorf("the log contains %d panics:\n%s", n, log.String())
	}
}

// A panic in waking viewers is logged, and they are woken again.
func TestPanicInWakingViewers(t *testing.T) {
	var log servertest.Log
	s := newStage(t,
		func(o *web.Options, _ *web.Match, _ *match.Options) { o.Log = zerolog.New(&log) })
	s.begin()
	v := s.watch("")
	v.until(1)
	mend := s.BreakWaking()
	s.play(1)
	for until := time.Now().Add(patience); len(log.About("Waking viewers failed")) == 0; runtime.Gosched() {
		if time.Now().After(until) {
			t.Fatalf("no panic is logged:\n%s", log.String())
		}
	}
	mend()
	s.play(1)
	if err := consecutive(v.until(3), 2); err != nil {
		t.Error(err)
	}
	if lines := log.About("Waking viewers failed"); !strings.Contains(lines[0], "(*viewerSet).wake") {
		t.Errorf("the log lines of the panic are %q", lines)
	}
}

// A panic in admitting a connection closes only that one.
func TestPanicInAdmitting(t *testing.T) {
	var log servertest.Log
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) {
		o.Log = zerolog.New(&log)
		o.Port = limits.NewConnections(0, zerolog.Nop()).Port(limits.PortLimits{Connections: 1})
		other, _ := o.Port.Admit("192.0.2.1:1")
		other.Keep()
		o.Refused = func(string) {
			other.Release()
			panic("the turnstile broke")
		}
	})
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) &&
		!errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the connection is still open: %v", err)
	}
	s.awaitHealth(http.StatusOK, `"status":"ok"`)
	if lines := log.About("the turnstile broke"); len(lines) != 1 ||
		!strings.Contains(lines[0], "Letting a connection in failed") {
		t.Errorf("the log lines of the panic are %q", lines)
	}
}
