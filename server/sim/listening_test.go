package sim

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// listening is a bot of the HTTTX Bot API that the server dials.
type listening struct {
	partner
	address   address
	stateless bool          // it answers each request for a move over HTTP
	answer    string        // to a request for its capabilities; empty: it has no capabilities
	late      time.Duration // before it answers that
	opens     time.Duration // before it listens
}

// listenerAddress returns where a bot listens.
func listenerAddress(i int) address { return address(fmt.Sprintf("10.0.8.%d:9000", 1+i)) }

// newListening returns a bot that listens.
func (p *plan) newListening(w *World, conduct string, i int) *listening {
	rng := w.rand(fmt.Sprint("listener link ", i))
	l := &listening{
		partner: *p.newPartner(conduct, "", rng), address: listenerAddress(i), stateless: chance(rng, 3),
	}
	l.dialed = true
	l.answer = capabilities(fmt.Sprint("listener", i), chance(rng, 2))
	switch {
	case l.stateless:
		l.answer = `{"stateless":{"versions":{"v1-alpha":{}}}}`
	case chance(rng, 3): // then the server tries the default path
		l.answer = []string{"", "{", "[]", `{"meta":{}}`}[rng.IntN(4)]
		l.late = between(rng, 0, 5*time.Second)
	}
	if chance(rng, 3) {
		l.opens = between(rng, 0, 4*time.Second)
	}
	return l
}

// play listens until the server has ended.
func (l *listening) play(a *actor) {
	l.actor, l.name = a, a.name
	a.sleep(l.opens)
	a.meet("http://"+string(l.address), a.name)
	listener := a.net.open(l.address, l.quality)
	for n := 1; ; n++ {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		a.act(fmt.Sprintf("%s#%d", a.name, n), func(a *actor) {
			defer conn.Close()
			one := *l
			one.actor = a
			one.serve(conn.(*Conn))
		})
	}
}

// serve answers the requests of a connection.
func (l *listening) serve(conn *Conn) {
	for in := bufio.NewReader(conn); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		l.note("is asked for %s %s", r.Method, r.URL)
		switch {
		case r.URL.Path == "/bws/v1-alpha/game" && !l.stateless:
			ws, err := new(websocket.Upgrader).Upgrade(&hijacked{conn: conn, in: in}, r, nil)
			if err != nil {
				l.violate("%s is asked for a WebSocket by %v: %v", l.name, r.Header, err)
				return
			}
			l.converse(&client{actor: l.actor, conn: conn, ws: ws}, l.newest())
			return
		case r.URL.Path == "/stateless/v1-alpha/turn" && l.stateless:
			err = l.move(conn, body)
		case r.URL.Path == "/capabilities.json" && l.answer != "":
			l.sleep(l.late)
			err = respond(conn, http.StatusOK, l.answer)
		default:
			err = respond(conn, http.StatusNotFound, "")
		}
		if err != nil {
			l.note("cannot answer: %v", err)
			return
		}
	}
}

// respond sends the answer to a request.
func respond(conn net.Conn, status int, body string) error {
	_, err := fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%s", status, http.StatusText(status), len(body), body)
	return err
}

// move answers a request for a move.
func (l *listening) move(conn *Conn, body []byte) error {
	var ask struct {
		Board placed `json:"board"`
	}
	if err := json.Unmarshal(body, &ask); err != nil || len(ask.Board.Cells) == 0 {
		l.violate("%s is asked for a move by %q: %v", l.name, body, err)
	}
	status, odd := http.StatusOK, chance(l.rng, 6)
	move := ask.Board.move(l.rng)
	text := fmt.Sprintf(`{"move":%s}`, pieces(move[:]...))
	switch {
	case l.conduct == "silent":
		l.sleep(time.Minute)
	case l.conduct == "slow":
		l.sleep(between(l.rng, 0, l.plan.thinking*5/4))
	case l.conduct == "garbled" && odd:
		text = []string{"", "{", "[]", `{"move":{"pieces":[]}}`}[l.rng.IntN(4)]
		status = []int{http.StatusOK, http.StatusInternalServerError}[l.rng.IntN(2)]
	case l.conduct == "leaving" && odd:
		l.breakOff(conn, l.rng.IntN(breaks))
		return net.ErrClosed
	}
	if l.conduct != "slow" {
		l.sleep(between(l.rng, 0, think))
	}
	l.answered()
	if ask.Board.turn() <= 1 { // its first move
		l.begins(l.name)
	}
	l.sends(l.name, ask.Board.turn(), "["+pieces(move[:]...)+"]")
	l.note("moves in turn %d", ask.Board.turn())
	return respond(conn, status, text)
}

// hijacked hands an upgrader a connection whose request was read from in. It implements
// http.ResponseWriter and http.Hijacker.
type hijacked struct {
	conn   net.Conn
	in     *bufio.Reader
	header http.Header
}

// Header implements http.ResponseWriter.
func (h *hijacked) Header() http.Header {
	if h.header == nil {
		h.header = http.Header{}
	}
	return h.header
}

// Write implements http.ResponseWriter.
func (h *hijacked) Write(b []byte) (int, error) { return h.conn.Write(b) }

// WriteHeader implements http.ResponseWriter. It is called for a request that is refused, which is
// a violation.
func (h *hijacked) WriteHeader(int) {}

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(h.in, bufio.NewWriter(h.conn)), nil
}

// playerOf returns the address of a player without what tells its seats apart: a bot that is
// dialled may play against itself.
func playerOf(remote string) string {
	at, _, _ := strings.Cut(remote, " (seat ")
	return at
}
