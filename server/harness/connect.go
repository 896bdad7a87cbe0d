package harness

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Dial opens a TCP connection, which is closed when ctx is done or hangUp is called.
func Dial(ctx context.Context, dialer *net.Dialer, address string) (conn *net.TCPConn, hangUp func(), err error) {
	c, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	return c.(*net.TCPConn), func() {
		stop()
		_ = c.Close()
	}, nil
}

// Pause waits for d, or until ctx is done.
func Pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// fresh opens a connection for each request, so that a server at rest has none.
var fresh = http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}

// Get returns the body that an HTTP server answers, on a connection of its own. Any
// status but 200 is an error.
func Get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := fresh.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %.200s", url, resp.Status, body)
	}
	return body, err
}
