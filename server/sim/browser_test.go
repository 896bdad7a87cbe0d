package sim

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// Where WebSockets are, of players and of viewers.
var (
	playerURL = &url.URL{Scheme: "ws", Host: string(serverAddress), Path: "/netorcai"}
	liveURL   = &url.URL{Scheme: "ws", Host: string(pageAddress), Path: "/api/live"}
)

// browser is a client that shows the page: it makes requests and follows the match.
type browser struct {
	*actor
	address address
	host    string
	quality quality
}

// newBrowser returns a browser. Which events of the lobby a viewer is sent depends on how far it
// has read when the newest one is made, which is chance if both happen at the same instant. So
// a browser's connection always takes the same time, and it does not care for these events.
func newBrowser(rng *rand.Rand) *browser {
	least := between(rng, 10*time.Microsecond, distance)
	b := &browser{
		address: pageAddress, host: "10.0.5.1",
		quality: quality{least: least, most: least + 1, window: 1 << 20},
	}
	if chance(rng, 2) {
		b.address = serverAddress
	}
	return b
}

// browse shows the page until the server ends.
func (b *browser) browse(a *actor) {
	b.actor = a
	for range mostVisits {
		a.sleep(between(a.rng, 0, 3*time.Second))
		conn, err := a.net.dial(a, b.host, b.address, b.quality)
		if err != nil {
			a.note("cannot connect: %v", err)
			return
		}
		if chance(a.rng, 3) {
			b.request(conn)
		} else {
			b.follow(&client{actor: a, conn: conn})
		}
		_ = conn.Close()
	}
}

// request makes one request.
func (b *browser) request(conn *Conn) {
	paths := []string{
		"/", "/api/match", "/api/matches", "/api/match/state", "/api/match/events", "/api/health",
		"/nowhere", "/api/starter",
	}
	path := paths[b.rng.IntN(len(paths))]
	req, err := http.NewRequest(http.MethodGet, "http://"+string(b.address)+path, nil)
	if err != nil {
		panic(err)
	}
	if req.Write(conn) != nil {
		return
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		b.note("gets no %s: %v", path, err)
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	b.note("gets %s: %s, %d bytes, %v", path, answer.Status, len(body), err)
	if answer.StatusCode >= http.StatusInternalServerError &&
		answer.StatusCode != http.StatusServiceUnavailable {
		b.violate("%s gets %s: %s", b.name, path, answer.Status)
	}
}

// follow shows the current match for a while.
func (b *browser) follow(c *client) {
	to := *liveURL
	to.Host = string(b.address)
	if c.upgrade(&to) != nil {
		return
	}
	for most := b.rng.IntN(30); most > 0; {
		text, err := c.frame()
		if err != nil {
			b.note("sees no more: %v", err)
			return
		}
		var event struct {
			Type string
			Turn int
		}
		if err := json.Unmarshal(text, &event); err != nil {
			b.violate("%s is sent %q: %v", b.name, text, err)
		}
		if event.Type != "turn" && event.Type != "end" {
			continue
		}
		most--
		b.note("sees %s %d (%s)", event.Type, event.Turn, digest(text))
		if chance(b.rng, 20) {
			b.note("looks elsewhere")
			b.sleep(between(b.rng, 0, 30*time.Second))
			return
		}
	}
	if chance(b.rng, 3) {
		_ = c.send("hello")
		b.sleep(between(b.rng, 0, time.Second))
	}
}
