package host

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

// SidecarPortVariable is the environment variable with the port of the SDK's REST interface on the
// loopback address.
const SidecarPortVariable = "AGONES_SDK_HTTP_PORT"

const (
	sidecarHealthInterval = 2 * time.Second
	sidecarCallTime       = time.Second // for one call
	sidecarTries          = 5           // of a call that changes the server's state
	sidecarPause          = 100 * time.Millisecond
	sidecarShutdownTime   = 2 * time.Second // for the last call
	sidecarQueue          = 8               // calls that wait; more are dropped
)

// Sidecar reports the state of a game server to an Agones sidecar, over the REST interface of its
// SDK: that it is ready for players, that it is healthy, that a match has started, and that it
// ends. It implements match.Watcher, whose calls are only queued: the start of a match allocates
// the server. [Sidecar.Start] starts one goroutine, which its stop function waits for.
type Sidecar struct {
	match.BaseWatcher
	base   string
	client http.Client
	log    zerolog.Logger
	calls  chan string
}

// newSidecar returns a Sidecar for the sidecar at an address.
func newSidecar(address string, log zerolog.Logger) *Sidecar {
	return &Sidecar{
		base:   "http://" + address + "/",
		client: http.Client{Timeout: sidecarCallTime, Transport: &http.Transport{}}, // never uses a proxy
		log:    log,
		calls:  make(chan string, sidecarQueue),
	}
}

// SidecarFromEnvironment returns a Sidecar for the sidecar that the environment names, or nil if
// it names none.
func SidecarFromEnvironment(getenv func(string) string, log zerolog.Logger) (*Sidecar, error) {
	port := getenv(SidecarPortVariable)
	if port == "" {
		return nil, nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, fmt.Errorf("%s = %q: want a port, 1 to 65535", SidecarPortVariable, port)
	}
	return newSidecar(net.JoinHostPort("127.0.0.1", port), log), nil
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
	health := time.NewTicker(sidecarHealthInterval)
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
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), sidecarShutdownTime)
			defer cancel()
			s.retry(last, "shutdown")
			return
		}
	}
}

// retry makes a call that must not be lost, up to sidecarTries times.
func (s *Sidecar) retry(ctx context.Context, name string) {
	pause := sidecarPause
	for try := 1; ; try++ {
		err := s.call(ctx, name)
		if err == nil || ctx.Err() != nil {
			return
		}
		if try == sidecarTries {
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
