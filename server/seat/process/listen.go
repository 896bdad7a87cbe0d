package process

import (
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Address returns where the bot listens if it speaks the HTTTX Bot API, as a URL; empty
// if it can only log in.
func (b *Bot) Address() string {
	if b.Listen == 0 {
		return ""
	}
	return "http://" + net.JoinHostPort(b.Host, strconv.Itoa(b.Listen))
}

// pollInterval is how often a bot that was just started is asked whether it listens: it
// takes a tenth of a second or more to start.
const pollInterval = 50 * time.Millisecond

// Listens waits until the bot answers a request for its capabilities, whatever the
// answer. It returns false when ctx ends first.
func (b *Bot) Listens(ctx context.Context) bool {
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DialContext: b.Connect},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.Address()+"/capabilities.json", nil)
		if err != nil {
			return false
		}
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			return true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
}

// Bots listen on ports below those that systems give to outgoing connections and to listeners of
// port 0, which begin at 32768 on Linux and at 49152 elsewhere: those are soon taken by another
// program. The ports from 10000 on are those of package harness.
const (
	firstPort = 20000
	lastPort  = 32767
	portTries = 100 // if so many fail, it is the host's address that cannot be bound
)

// FreePort returns a port of a host that nothing listened on a moment ago. The bot that gets it
// binds it itself, so that another program could be faster.
func FreePort(host string) (port int, err error) {
	for range portTries {
		port = firstPort + rand.IntN(lastPort-firstPort+1)
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}
