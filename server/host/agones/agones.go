// Package agones reports the state of a game server to an Agones sidecar, over the REST
// interface of its SDK: that it is ready for players, that it is healthy, that a match has
// started, and that it ends. Without the sidecar's environment variable it is not used.
//
// [Sidecar.Start] starts one goroutine, which its stop function waits for. The match's calls
// are only queued for it.
package agones

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// PortVariable is the environment variable with the port of the SDK's REST interface on the
// loopback address.
const PortVariable = "AGONES_SDK_HTTP_PORT"

const (
	healthInterval = 2 * time.Second
	callTime       = time.Second // for one call
	tries          = 5           // of a call that changes the server's state
	firstPause     = 100 * time.Millisecond
	shutdownTime   = 2 * time.Second // for the last call
	queueSize      = 8               // calls that wait; more are dropped
)

// Sidecar sends calls to the SDK. It implements match.Watcher: the start of a match
// allocates the server.
type Sidecar struct {
	match.BaseWatcher
	base   string
	client http.Client
	log    zerolog.Logger
	calls  chan string
}

// New returns a Sidecar for the sidecar at an address.
func New(address string, log zerolog.Logger) *Sidecar {
	return &Sidecar{
		base:   "http://" + address + "/",
		client: http.Client{Timeout: callTime, Transport: &http.Transport{}}, // never uses a proxy
		log:    log,
		calls:  make(chan string, queueSize),
	}
}

// FromEnvironment returns a Sidecar for the sidecar that the environment names, or nil if it names
// none.
func FromEnvironment(getenv func(string) string, log zerolog.Logger) (*Sidecar, error) {
	port := getenv(PortVariable)
	if port == "" {
		return nil, nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, fmt.Errorf("%s = %q: want a port, 1 to 65535", PortVariable, port)
	}
	return New(net.JoinHostPort("127.0.0.1", port), log), nil
}

// Start reports that players can connect, and then the server's health until stop, which
// reports the shutdown. A nil Sidecar reports nothing.
func (s *Sidecar) Start() (stop func()) {
	if s == nil {
		return func() {}
	}
	s.enqueue("ready")
	ctx, cancel := context.WithCancel(context.Background())
	var reporting sync.WaitGroup
	reporting.Go(func() {
		for {
			p := panics.Catch(func() { s.run(ctx) })
			if p == nil {
				return
			}
			panics.Logged(s.log, "Reporting to Agones failed")(p)
			if ctx.Err() != nil {
				return
			}
		}
	})
	return func() {
		cancel()
		reporting.Wait()
	}
}

func (s *Sidecar) enqueue(name string) {
	select {
	case s.calls <- name:
	default:
		s.log.Warn().Str("call", name).Msg("Agones does not answer: call dropped")
	}
}

// run makes the queued calls until ctx ends, and then reports the shutdown.
func (s *Sidecar) run(ctx context.Context) {
	health := time.NewTicker(healthInterval)
	defer health.Stop()
	defer s.client.CloseIdleConnections()
	healthy := true
	for {
		select {
		case name := <-s.calls:
			s.retry(ctx, name)
		case <-health.C:
			err := s.call(ctx, "health")
			if err != nil && healthy && ctx.Err() == nil {
				s.log.Warn().Err(err).Msg("Agones does not answer")
			}
			healthy = err == nil
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
			defer cancel()
			s.retry(last, "shutdown")
			return
		}
	}
}

// retry makes a call that must not be lost, up to tries times.
func (s *Sidecar) retry(ctx context.Context, name string) {
	pause := firstPause
	for try := 1; ; try++ {
		err := s.call(ctx, name)
		if err == nil || ctx.Err() != nil {
			return
		}
		if try == tries {
			s.log.Error().Err(err).Str("call", name).Msg("Agones does not answer")
			return
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return
		}
	}
}

func (s *Sidecar) call(ctx context.Context, name string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+name, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 4<<10)) // so that the connection is reused
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("POST /%s: %s", name, resp.Status)
	}
	return nil
}

// Started implements match.Watcher.
func (s *Sidecar) Started(*match.Frame) { s.enqueue("allocate") }
