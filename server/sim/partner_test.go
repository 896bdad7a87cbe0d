package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/host"
)

// partner is a player that speaks the packets of the HTTTX Bot API: a bot or a person. Like client,
// it shares no code with the server.
type partner struct {
	visitor
	name   string // of the player, who may have several connections at once
	person bool   // it plays piece by piece, as people at the page do
	dialed bool   // the server connects to it
	// of a game on request, which is the only one that it plays; empty: the lobby has its seat
	token  string
	side   string // that it plays; empty: either
	second piece  // of the move of which a person has placed the first piece
}

// packet is what a partner is sent.
type packet struct {
	Type    string `json:"type"`
	Side    string `json:"side"`
	Winner  string `json:"winner"`
	Reason  string `json:"reason"`
	Request *int   `json:"request_id"`
	Board   placed `json:"board"`
}

// newPartner returns a partner.
func (p *plan) newPartner(conduct, host string, rng *rand.Rand) *partner {
	return &partner{visitor: p.visitor(conduct, host, rng)}
}

// play takes part in as many matches as there are, with a connection for each.
func (o *partner) play(a *actor) {
	o.name = a.name
	o.attend(a, func(c *client, server *generation) {
		if o.enter(c) == nil {
			o.converse(c, server)
		}
		if o.token != "" && o.conduct != "leaving" {
			o.over = true
		}
	})
}

// enter asks for a seat.
func (o *partner) enter(c *client) error {
	to := &url.URL{Scheme: "ws", Host: string(serverAddress)}
	token := ""
	if o.plan.tokens {
		token = tokenOf(o.name)
	}
	if o.token != "" {
		to = o.entry()
		err := c.upgrade(to)
		if err == nil && !o.person {
			err = c.send("%s", capabilities(o.name, chance(o.rng, 2)))
		}
		return err
	}
	if o.person {
		to.Path = "/person"
		if err := c.upgrade(to); err != nil {
			return err
		}
		return c.send(`{"type":"sit","key":%q,"token":%q}`, "the key of "+o.name, token)
	}
	to.Path = host.DialInPath
	to.RawQuery = url.Values{"name": {o.name}, "token": {token}}.Encode()
	if err := c.upgrade(to); err != nil {
		return err
	}
	return c.send("%s", capabilities(o.name, chance(o.rng, 2)))
}

// capabilities returns those of a bot, which supports what is optional or nothing of it.
func capabilities(name string, all bool) string {
	flags := `{}`
	if all {
		flags = `{"request_id":true,"interruptible":true,"move_time_limit":true}`
	}
	return fmt.Sprintf(`{"meta":{"name":%q},"basic_websocket":{"versions":{"v1-alpha":%s}}}`, name,
		flags)
}

// converse plays to the end of a connection.
func (o *partner) converse(c *client, server *generation) {
	talk := exchange{partner: o, server: server, turn: -1}
	for {
		text, err := c.frame()
		var m packet
		if err == nil {
			if json.Unmarshal(text, &m) != nil {
				o.violate("%s is sent %q, which is not JSON", o.name, text)
			}
			o.note("receives %s (%s)", m.Type, digest(text))
		} else {
			o.note("is disconnected: %v", err)
		}
		talk.hear(&m, err)
		if m.Type == "move_request" && !m.Board.halfway() {
			o.answered()
		}
		if err != nil || m.Type == "move_request" && !o.reply(c, &m) {
			return
		}
	}
}

// reply reacts to a request for a move, and reports whether the partner goes on to read.
func (o *partner) reply(c *client, m *packet) bool {
	switch o.conduct {
	case "silent":
		return true
	case "slow":
		o.sleep(between(o.rng, 0, o.plan.thinking*5/4))
	case "garbled":
		if chance(o.rng, 6) {
			return o.garble(c, m)
		}
	case "leaving":
		if chance(o.rng, 6) {
			o.leave(c)
			return false
		}
	}
	if o.conduct != "slow" {
		o.sleep(between(o.rng, 0, think))
	}
	return o.answer(c, m, o.move(m)) == nil
}

// move returns a legal answer to a request: a move or, of a person, its next piece.
func (o *partner) move(m *packet) string {
	if m.Board.halfway() {
		return pieces(o.second)
	}
	move := m.Board.move(o.rng)
	if !o.person {
		return pieces(move[:]...)
	}
	o.second = move[1]
	o.sends(o.name, m.Board.turn(), "["+pieces(move[:]...)+"]")
	return pieces(move[0])
}

// answer answers a request with a move.
func (o *partner) answer(c *client, m *packet, move string) error {
	o.sends(o.name, m.Board.turn(), "["+move+"]")
	id := ""
	if m.Request != nil {
		id = fmt.Sprintf(`,"request_id":%d`, *m.Request)
	}
	return c.send(`{"type":"move_response","move":%s%s}`, move, id)
}

// garble sends something else than a legal move.
func (o *partner) garble(c *client, m *packet) bool {
	moves := []string{
		`{}`, `{"pieces":[]}`, `{"pieces":[{"q":0,"r":0},{"q":0,"r":0}]}`,
		`{"pieces":[{"q":1000,"r":0},{"q":0,"r":1000}]}`, `{"pieces":[{"q":1.5,"r":"x"}]}`,
	}
	texts := []string{
		"", "{", "[]", `{"type":"move_response"}`, `{"type":"resign"}`, `{"type":"setup"}`,
		`{"type":"log","text":"well"}`,
	}
	switch i := o.rng.IntN(len(moves) + len(texts) + 2); {
	case i < len(moves):
		return o.answer(c, m, moves[i]) == nil
	case i < len(moves)+len(texts):
		return c.send("%s", texts[i-len(moves)]) == nil
	case i == len(moves)+len(texts):
		o.note("sends a binary frame")
		return c.ws.WriteMessage(websocket.BinaryMessage, []byte{1, 2, 3}) == nil
	}
	move := o.move(m)
	for range 2 {
		if o.answer(c, m, move) != nil {
			return false
		}
	}
	return true
}

// leave breaks the connection, and stays away for a while.
func (o *partner) leave(c *client) {
	switch way := o.rng.IntN(breaks + 1); way {
	default:
		o.breakOff(c.conn, way)
	case breaks:
		o.note("says goodbye")
		_ = c.ws.WriteControl(websocket.CloseMessage,
			websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Time{})
	}
	o.stayAway()
}

// exchange follows what a partner is told during one connection: a setup, requests for the moves
// of one side, and an end or a reason. An honest one does not lose by its own fault, and is told
// why its connection ends.
type exchange struct {
	*partner
	server *generation
	setUp  bool
	ended  bool
	told   bool   // why it forfeits, or why the connection ends
	side   string // that the partner is asked to play
	turn   int    // of the newest request
}

// hear checks what comes next.
func (t *exchange) hear(m *packet, err error) {
	honest := t.conduct == "honest" && !t.server.gone()
	if err != nil {
		// dropped while it dials in, or not needed any more
		unseated := !t.setUp && (t.closing() || t.dialed)
		t.expect(t.ended || t.told || unseated || !honest, "loses its connection without a reason")
		return
	}
	switch m.Type {
	case "setup":
		t.expect(!t.setUp && !t.told, "is shown another board")
		t.setUp = true
		if honest {
			t.begins(t.name)
		}
	case "move_request":
		again := t.person && m.Board.halfway() && m.Board.turn() == t.turn // for its second piece
		t.expect(t.setUp && !t.ended && !t.told && (again || m.Board.turn() > t.turn),
			"is asked for the move of turn %d", m.Board.turn())
		t.expect(
			slices.Contains([]string{"x", "o"}, m.Side) && (t.side == "" || t.side == m.Side) &&
				(t.partner.side == "" || t.partner.side == m.Side),
			"is asked to play %s, not %s", m.Side, t.side,
		)
		t.side, t.turn = m.Side, m.Board.turn()
	case "presence":
		t.expect(t.person, "gets a %s", m.Type)
	case "heartbeat", "interrupt":
		t.expect(t.setUp, "gets a %s", m.Type)
	case "end":
		t.expect(t.setUp && !t.ended, "is told of an end")
		t.expect(!honest || m.Reason != "forfeit" || t.side == "" || m.Winner == t.side, "forfeits")
		t.ended = true
	case "nope":
		t.expect(!honest || !t.setUp || t.closing(), "is told: %s", m.Reason)
		t.told = true
	default:
		t.expect(false, "gets a %s", m.Type)
	}
}

func (t *exchange) expect(ok bool, format string, args ...any) {
	if !ok {
		t.violate(t.name+" "+format, args...)
	}
}
