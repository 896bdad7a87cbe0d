// Package agones tells an Agones sidecar how a game server fares, over the
// REST interface of its SDK: that it is ready for players, that it lives, that
// a match has begun, and that it is done. Without the sidecar's environment
// there is none, and nothing is told.
//
// [Sidecar.Run] is one goroutine, the caller's. The others only leave word.
package agones

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// PortVariable is the environment variable in which Agones gives the port of
// the SDK's REST interface on the loopback address.
const PortVariable = "AGONES_SDK_HTTP_PORT"

// Address is where the sidecar answers: "" if there is none.
func Address(getenv func(string) string) (string, error) {
	port := getenv(PortVariable)
	if port == "" {
		return "", nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", fmt.Errorf("%s = %q: want a port, 1 to 65535", PortVariable, port)
	}
	return net.JoinHostPort("127.0.0.1", port), nil
}

const (
	healthEvery = 2 * time.Second
	callTime    = time.Second // for one call
	tries       = 5           // of a call that changes the server's state
	firstPause  = 100 * time.Millisecond
	farewell    = 2 * time.Second // for the last call
	backlog     = 8               // words left and not yet told; more are dropped
)

// Sidecar is the way to the SDK. It implements match.Watcher: a match that
// starts allocates the server.
type Sidecar struct {
	base   string
	client http.Client
	log    zerolog.Logger
	words  chan string
}

// New is the way to the sidecar at an address.
func New(address string, log zerolog.Logger) *Sidecar {
	return &Sidecar{
		base:   "http://" + address + "/",
		client: http.Client{Timeout: callTime, Transport: &http.Transport{}}, // never by way of a proxy
		log:    log,
		words:  make(chan string, backlog),
	}
}

// Ready says that players can connect.
func (s *Sidecar) Ready() { s.leave("ready") }

func (s *Sidecar) leave(word string) {
	select {
	case s.words <- word:
	default:
		s.log.Warn().Str("call", word).Msg("Agones does not answer: call dropped")
	}
}

// Run tells what there is to tell until ctx ends, and then that the server is
// done. After a panic it goes on.
func (s *Sidecar) Run(ctx context.Context) {
	failed := panics.Logged(s.log, "Telling Agones failed")
	for {
		p := panics.Catch(func() { s.tell(ctx) })
		if p == nil {
			return
		}
		failed(p)
		if ctx.Err() != nil {
			return
		}
	}
}

func (s *Sidecar) tell(ctx context.Context) {
	health := time.NewTicker(healthEvery)
	defer health.Stop()
	defer s.client.CloseIdleConnections()
	well := true
	for {
		select {
		case word := <-s.words:
			s.insist(ctx, word)
		case <-health.C:
			err := s.call(ctx, "health")
			if err != nil && well && ctx.Err() == nil {
				s.log.Warn().Err(err).Msg("Agones does not answer")
			}
			well = err == nil
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
			defer cancel()
			s.insist(last, "shutdown")
			return
		}
	}
}

// insist makes a call that must not be lost, a few times if need be.
func (s *Sidecar) insist(ctx context.Context, word string) {
	pause := firstPause
	for try := 1; ; try++ {
		err := s.call(ctx, word)
		if err == nil || ctx.Err() != nil {
			return
		}
		if try == tries {
			s.log.Error().Err(err).Str("call", word).Msg("Agones does not answer")
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

func (s *Sidecar) call(ctx context.Context, word string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+word, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 4<<10)) // so that the connection is used again
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("POST /%s: %s", word, resp.Status)
	}
	return nil
}

// Started implements match.Watcher.
func (s *Sidecar) Started(*match.Frame) { s.leave("allocate") }

// Joined implements match.Watcher.
func (s *Sidecar) Joined(match.SeatInfo, match.Role) {}

// Left implements match.Watcher.
func (s *Sidecar) Left(match.SeatInfo, match.Role) {}

// Played implements match.Watcher.
func (s *Sidecar) Played(*match.Play) {}

// Ended implements match.Watcher.
func (s *Sidecar) Ended(*match.Ending) {}
