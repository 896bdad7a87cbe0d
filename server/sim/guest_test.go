package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/server/session"
)

// guest is a client of the server: a bot, or a visualization.
type guest struct {
	visitor
	role     string
	nickname string // empty: the name of the actor
	token    string // empty: that of the actor's name, if the plan has tokens
	stays    bool   // asks to stay between matches
	web      bool   // connects over WebSocket
	player   int    // its id in the match
	shown    shown  // the state of a duel
	process  *child // that it is, nil: it was not started by the server
}

// guest returns a guest whose connections are drawn from rng.
func (p *plan) guest(role, conduct, host string, rng *rand.Rand) *guest {
	return &guest{
		visitor: p.visitor(conduct, host, rng), role: role, stays: chance(rng, 3),
		web: p.page && chance(rng, 3),
	}
}

// play takes part in as many matches as there are.
func (g *guest) play(a *actor) { g.attend(a, g.visit) }

// visit logs in and reads to the end of the connection.
func (g *guest) visit(c *client, server *generation) {
	talk := conversation{guest: g, server: server, address: c.conn.local.String(), came: time.Now()}
	if g.web && c.upgrade(playerURL) != nil || g.login(c) != nil {
		return
	}
	for {
		m, err := c.receive()
		talk.hear(m, err)
		if err != nil {
			return
		}
		if m.Reason == session.KickReplaced && len(g.plan.started) == 0 { // else it may have a bot's seat
			g.violate("%s, whose newest connection this is, is told that another one took the seat", g.name)
		}
		if m.Type == "GAME_STARTS" {
			g.player = m.Player
		}
		if m.Type == "TURN" {
			if g.role == "player" {
				g.answered()
			}
			if g.shown = (shown{}); g.plan.duel {
				_ = json.Unmarshal(m.State, &g.shown) // the observer checks it
			}
			if g.process != nil && !g.process.goesOn(g.actor) || !g.reply(c, m.Turn) {
				return
			}
			talk.thinking = g.conduct == "silent"
		}
		if m.Type == "GAME_ENDS" && g.parts() {
			g.sleep(between(g.rng, 0, think)) // so that it waits for the next match
			g.leave(c)
			return
		}
	}
}

// parts reports whether the guest, whose match is over, leaves although it has asked to stay. Those
// that leave have mostly left before.
func (g *guest) parts() bool {
	leaves := g.conduct == "leaving" || g.conduct == "slow" && g.process != nil
	return g.stays && leaves && chance(g.rng, 2)
}

func (g *guest) login(c *client) error {
	more := ""
	if g.stays {
		more = `,"stay":true`
	}
	if g.plan.tokens {
		more += fmt.Sprintf(`,"token":%q`, cmp.Or(g.token, tokenOf(g.name)))
	}
	return c.send(`{"message_type":"LOGIN","nickname":%q,"role":%q,"metaprotocol_version":"2.0.0"%s}`,
		cmp.Or(g.nickname, g.name), g.role, more)
}

// reply reacts to a TURN, and reports whether the guest goes on to read.
func (g *guest) reply(c *client, turn int) bool {
	switch g.conduct {
	case "slow":
		g.sleep(between(g.rng, 0, 4*turnTime))
	case "silent":
		return true
	case "deaf":
		if chance(g.rng, 4) {
			g.note("reads no more")
			g.sleep(between(g.rng, 0, 20*time.Second))
			return false
		}
	case "garbled":
		if chance(g.rng, 4) {
			return g.garble(c, turn) == nil
		}
	case "flooding":
		if chance(g.rng, 4) {
			return g.flood(c, turn) == nil
		}
	case "again":
		if chance(g.rng, 3) {
			g.sleep(between(g.rng, 0, 2*think))
			g.breakOff(c.conn, g.rng.IntN(breaks-1)) // the server learns of it, at some time
			return false
		}
	case "leaving":
		if chance(g.rng, 6) {
			if chance(g.rng, 2) && g.answer(c, turn) != nil {
				return false
			}
			g.leave(c)
			return false
		}
	}
	if g.conduct != "slow" {
		g.sleep(between(g.rng, 0, think))
	}
	if g.answer(c, turn) != nil {
		return false
	}
	if g.conduct == "honest" && g.plan.duel == (g.plan.quits == 0) {
		// Messages that come meanwhile are not read at once, such as the KICK at the end of a match that
		// the other player has won, or the operator has ended, while the answer was on its way.
		g.sleep(between(g.rng, 0, pause))
	}
	return true
}

// answer answers a TURN.
func (g *guest) answer(c *client, turn int) error {
	actions := "[]"
	if g.role == "player" {
		if actions = moves(g.rng); g.plan.duel {
			actions = g.shown.actions(g.rng, g.player)
		}
	}
	g.sends(g.name, turn, actions)
	return c.send(`{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`, turn, actions)
}

// garble sends something else than an answer.
func (g *guest) garble(c *client, turn int) error {
	odd := []string{
		"", "{", "null", "[]", `{"message_type":"TURN_ACK"}`,
		`{"message_type":"LOGIN","nickname":"again","role":"player","metaprotocol_version":"2.0.0"}`,
		fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`, turn+1),
		fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":{}}`, turn),
		`{"message_type":"TURN_ACK","turn_number":-1,"actions":[]}`,
		fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[%s]}`, turn, deep(100)),
		fmt.Sprintf("{\"message_type\":\"TURN_ACK\",\"turn_number\":%d,\"actions\":[\"\xff\"]}", turn),
	}
	if i := g.rng.IntN(len(odd) + 2); i < len(odd) {
		return c.send("%s", odd[i])
	}
	raw := make([]byte, 1+g.rng.IntN(40))
	for i := range raw {
		raw[i] = byte(g.rng.Uint32())
	}
	g.note("sends bytes %x and closes its writing side", raw)
	_, _ = c.conn.Write(raw)
	return c.conn.CloseWrite()
}

// deep returns an array of that depth.
func deep(n int) string {
	b := make([]byte, 2*n)
	for i := range n {
		b[i], b[n+i] = '[', ']'
	}
	return string(b)
}

// flood sends many answers at once.
func (g *guest) flood(c *client, turn int) error {
	for range 1 + g.rng.IntN(60) {
		if err := g.answer(c, turn); err != nil {
			return err
		}
	}
	return nil
}

// leave breaks the connection in one of the ways in which connections break, and stays away
// for a while.
func (g *guest) leave(c *client) {
	switch way := g.rng.IntN(breaks + 3); way {
	default:
		g.breakOff(c.conn, way)
	case breaks:
		g.note("closes its writing side")
		_ = c.conn.CloseWrite()
		g.sleep(between(g.rng, 0, time.Second))
	case breaks + 1:
		g.note("sends half a message and closes its connection")
		_, _ = c.conn.Write([]byte{200, 0, 0, 0, '{'})
		_ = c.conn.Close()
	case breaks + 2: // which would stop a match that waits for it until it comes back
		if p := g.plan; p.tokens && p.grace > 0 || p.delay > 0 || p.limit > 0 {
			g.note("keeps its connection, and does not use it any more")
			g.kept = append(g.kept, c.conn)
		}
	}
	g.stayAway()
}

// intrude connects without taking part.
func (g *guest) intrude(a *actor) {
	g.actor = a
	a.sleep(between(a.rng, 0, 5*time.Second))
	c, err := a.connect(g.host, g.quality)
	if err != nil {
		return
	}
	defer c.conn.Close()
	switch a.rng.IntN(4) {
	case 0: // sends nothing
	case 1:
		_ = c.send(`{"message_type":"LOGIN","nickname":"x","role":"king","metaprotocol_version":"2.0.0"}`)
	case 2:
		_ = g.garble(c, 0)
	case 3:
		a.note("sends a request")
		_, _ = c.conn.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
	}
	_ = c.conn.SetReadDeadline(time.Now().Add(between(a.rng, 0, 20*time.Second)))
	_, _ = io.Copy(io.Discard, c.conn)
	a.note("has read to the end") // what arrives before a reset depends on a race in net/http
}
