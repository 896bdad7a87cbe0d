package workers_test

import (
	"bufio"
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/event/workers"
	"github.com/hexarena/hexarena/server/event/workers/workerstest"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat/process"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// served is a pool at an address.
type served struct {
	*workers.Pool
	t       *testing.T
	url     string
	changed chan struct{} // holds that a page came or was lost
}

func serve(t *testing.T) *served {
	s := &served{t: t, changed: make(chan struct{}, 100)}
	s.Pool = workers.NewPool(workers.Options{
		Operates: func(token string) bool { return token == "secret" }, Least: 2, Answer: 1 << 10,
		Changed: func() { s.changed <- struct{}{} }, Log: zerolog.Nop(),
	})
	server := httptest.NewServer(s.Pool)
	t.Cleanup(server.Close)
	t.Cleanup(s.Close)
	s.url = "ws" + strings.TrimPrefix(server.URL, "http")
	return s
}

// open opens a page that is let in.
func (s *served) open(processors int) *workerstest.Page {
	s.t.Helper()
	p := workerstest.Open(s.t, s.url, "secret", processors)
	p.Until(func(m workerstest.Message) bool { return m.Workers > 0 })
	<-s.changed
	return p
}

// launch starts a bot.
func (s *served) launch() *process.Process {
	s.t.Helper()
	b := process.Bot{Words: workers.Command("0123456789abcdef", "my bot.js"), Nickname: "ann", Stdio: true, Launch: s.System().Launch}
	p, err := b.Start()
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// A bot is started in the page, gets messages, answers and prints, and ends when it has handled the last message.
func TestBotInPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if _, err := s.System().Launch(launch.Command{Argv: workers.Command("x", "y.js")}); !errors.Is(err, workers.ErrNoPage) {
		t.Errorf("without a page a bot is started: %v", err)
	}
	if _, err := s.Take(t.Context(), 1); !errors.Is(err, workers.ErrNoPage) {
		t.Errorf("without a page there are workers: %v", err)
	}
	page := s.open(1)
	if got, want := s.State(), (workers.State{Open: true, Workers: 2}); got != want {
		t.Errorf("the state is %+v, want %+v", got, want)
	}
	p := s.launch()
	m := page.Until(func(m workerstest.Message) bool { return m.Start > 0 })
	if m.Source != "/admin/versions/0123456789abcdef/my%20bot.js" || m.File != "my bot.js" || m.Nickname != "ann" {
		t.Errorf("the page is to start %+v", m)
	}
	page.Answer(m.Start, "hello")
	in := bufio.NewReader(p.Stdio.Out)
	if line, err := in.ReadString('\n'); line != "hello\n" || err != nil {
		t.Errorf("the bot says %q, %v", line, err)
	}
	if _, err := p.Stdio.In.Write([]byte(`{"message_type":"GAME_ENDS"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	page.Send(`{"from":%d,"line":"bye"}`, m.Start)
	page.Handle(page.Until(func(m workerstest.Message) bool { return m.Message.Type == "GAME_ENDS" }))
	<-p.Done()
	if tail := p.Tail(); p.Exit() != (launch.Exit{}) || len(tail) != 1 || tail[0] != "bye" {
		t.Errorf("the bot ended with %v and printed %q", p.Exit(), tail)
	}
	if running := s.State().Running; running != 0 {
		t.Errorf("%d bots run", running)
	}
}

// A bot that is stopped is terminated in the page, and what it says after that is dropped. One that answers without being asked is stopped.
func TestBotStopped(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := serve(t)
	page := s.open(4)
	hung := s.launch()
	m := page.Until(func(m workerstest.Message) bool { return m.Start > 0 })
	hung.Stop()
	if e := hung.Exit(); !e.Stopped {
		t.Errorf("it ended with %v", e)
	}
	if stopped := page.Until(func(m workerstest.Message) bool { return m.Stop > 0 }); stopped.Stop != m.Start {
		t.Errorf("bot %d is stopped, want %d", stopped.Stop, m.Start)
	}
	page.Answer(m.Start, "late")

	loud := s.launch()
	m = page.Until(func(m workerstest.Message) bool { return m.Start > 0 })
	for range 20 {
		page.Answer(m.Start, "!")
	}
	page.Until(func(other workerstest.Message) bool { return other.Stop == m.Start })
	<-loud.Done()
	if e := loud.Exit(); !e.Crashed() {
		t.Errorf("it ended with %v", e)
	}
}

// When a page is closed, its bots end and its leases tell; when another one is opened, the older is told.
func TestPageLost(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := serve(t)
	first := s.open(4)
	lease, err := s.Take(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	p := s.launch()
	answering := make(chan error)
	go func() { answering <- first.Play() }()
	if err := lease.Confirm(); err != nil {
		t.Errorf("the page is open: %v", err)
	}
	playing := lease.With(t.Context())
	second := s.open(4)
	if err := <-answering; err == nil || !strings.Contains(err.Error(), "4001") || !strings.Contains(err.Error(), "another one runs them now") {
		t.Errorf("the older page is told %v", err)
	}
	<-playing.Done()
	<-p.Done()
	if err := lease.Confirm(); err != workers.ErrReplaced || !errors.Is(err, workers.ErrLost) || !errors.Is(context.Cause(playing), workers.ErrLost) {
		t.Errorf("the lease says %v, and its context %v", err, context.Cause(playing))
	}
	second.Close()
	<-s.changed
	if s.State().Open {
		t.Error("a page is open")
	}
}

// A page that answers no check is lost: its machine sleeps, or it shows a dialog.
func TestPageHangs(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := serve(t)
	s.open(4)
	lease, err := s.Take(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	if err := lease.Confirm(); !errors.Is(err, workers.ErrLost) {
		t.Errorf("the page is there: %v", err)
	}
}

// Workers are given in the order in which they are asked for, and no more than the page has.
func TestLeases(t *testing.T) {
	t.Parallel()
	s := serve(t)
	page := s.open(3)
	go func() { _ = page.Play() }()
	one, err := s.Take(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	all := make(chan *workers.Lease)
	go func() {
		l, err := s.Take(t.Context(), 5)
		if err != nil {
			t.Error(err)
		}
		all <- l
	}()
	soon := func() (*workers.Lease, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		return s.Take(ctx, 1)
	}
	for err == nil { // once five are asked for, one is not given any more, though two are free
		var l *workers.Lease
		if l, err = soon(); err == nil {
			l.Release()
		}
	}
	one.Release()
	l := <-all
	if _, err := soon(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a worker too many: %v", err)
	}
	l.Release()
	if l, err = s.Take(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	l.Release()
}

// Whatever a page sends that is no message, it is closed and told why, and the next one is let in.
func TestGarbage(t *testing.T) {
	t.Parallel()
	for says, send := range map[string][]string{
		"is no message":              {"oh"},
		"there is no bot 7":          {`{"from":7,"line":"x"}`},
		"there is no bot -1":         {`{"from":-1}`},
		"it says nothing of the bot": {`{"from":1}`},
		"there was no check":         {`{"checked":1000000}`},
		"too long":                   {`{"from":1,"line":"` + strings.Repeat("x", 1<<16) + `"}`},
	} {
		s := serve(t)
		page := s.open(4)
		p := s.launch()
		for _, text := range send {
			page.Send("%s", text)
		}
		err := page.Play()
		if err == nil || !strings.Contains(err.Error(), "1008") || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: the page is told %v, want %q", send, err, says)
		}
		<-p.Done()
		s.open(4)
	}
	s := serve(t)
	wrong := workerstest.Open(t, s.url, "guess", 4)
	if err := wrong.Play(); err == nil || !strings.Contains(err.Error(), "4003") {
		t.Errorf("a page without the token is told %v", err)
	}
	if s.State().Open {
		t.Error("a page without the token is let in")
	}
}
