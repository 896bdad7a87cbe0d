package process

import (
	"context"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/servertest"
)

// The test binary is also the bot, which prints its arguments.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "process-test-bot" {
		for _, key := range []string{"BOT_HOST", "BOT_PORT", "BOT_NICKNAME", "BOT_SEED"} {
			os.Stdout.WriteString(key + "=" + os.Getenv(key) + "\n")
		}
		if len(os.Args) > 2 { // runs until it is stopped
			<-time.After(time.Hour)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func TestPlaceholders(t *testing.T) {
	b := Bot{
		Words: []string{"bot", "{host}:{port}", "--name={nickname}", "{seed}"}, Host: "127.0.0.1",
		Port: 4242, Nickname: "ada", Seed: 7,
	}
	if got, want := b.Argv(), []string{"bot", "127.0.0.1:4242", "--name=ada", "7"}; !slices.Equal(got, want) {
		t.Errorf("a bot that logs in is started as %q, want %q", got, want)
	}
	b.Listen = 4243
	if got := b.Argv()[1]; got != "127.0.0.1:4243" || b.Address() != "http://127.0.0.1:4243" {
		t.Errorf("a bot that may listen is told %q, and dialled at %q", got, b.Address())
	}
}

// The environment holds the server's port even if the arguments do not.
func TestEnvironment(t *testing.T) {
	b := Bot{
		Words: []string{os.Args[0], "process-test-bot"}, Host: "127.0.0.1", Port: 4242, Listen: 4243,
		Nickname: "ada", Seed: 7,
	}
	p, err := b.Start()
	if err != nil {
		t.Fatal(err)
	}
	p.Dismiss(t.Context())
	want := []string{"BOT_HOST=127.0.0.1", "BOT_PORT=4242", "BOT_NICKNAME=ada", "BOT_SEED=7"}
	if got := p.Tail(); !slices.Equal(got, want) || !p.Ended() {
		t.Errorf("the bot was told %q, want %q", got, want)
	}
}

// A bot that does not end by itself is stopped, at once if the context has ended.
func TestDismiss(t *testing.T) {
	b := Bot{Words: []string{os.Args[0], "process-test-bot", "stay"}}
	p, err := b.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.Dismiss(ctx)
	if !p.Ended() || !p.Exit().Stopped {
		t.Errorf("the bot ended by itself: %v", p.Exit())
	}
}

func TestListens(t *testing.T) {
	thorough.Long(t)
	closed := servertest.Listen(t)
	port := int(netconn.AddrPort(closed.Addr()).Port())
	_ = closed.Close()
	b := Bot{Host: "127.0.0.1", Listen: port}
	brief, cancel := context.WithTimeout(t.Context(), 2*pollInterval)
	defer cancel()
	if b.Listens(brief) {
		t.Error("an address without a bot answers")
	}
	answered := make(chan bool)
	go func() { answered <- b.Listens(t.Context()) }()
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		t.Fatal(err)
	}
	paths := make(chan string, 1)
	s := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NotFound(w, r)
		paths <- r.URL.Path
	})}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.Serve(l)
	}()
	if !<-answered {
		t.Error("a bot that answers is not found")
	}
	if path := <-paths; !strings.HasSuffix(path, "/capabilities.json") {
		t.Errorf("the bot was asked for %s", path)
	}
	_ = s.Close()
	<-served
}
