package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/botapi"
)

// fetchTime is the time that a bot may take to send its capabilities, and maxCapabilities how many
// bytes they may have.
const (
	fetchTime       = 3 * time.Second
	maxCapabilities = 1 << 20
)

// fetchCapabilities returns what a bot declares at a URL.
func fetchCapabilities(ctx context.Context, from string) (caps htttx.Capabilities, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return caps, err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return caps, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return caps, errors.New("the answer is " + resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxCapabilities))
	if err != nil {
		return caps, err
	}
	if caps, err = htttx.ParseCapabilities(body); err == nil && caps.Socket == nil &&
		caps.Stateless == nil {
		err = errors.New("neither basic_websocket nor stateless v1-alpha is declared")
	}
	return caps, err
}

// packetGame is a game that a bot plays by packets. It belongs to one goroutine.
type packetGame struct {
	*run
	setUp    *botapi.Position
	requests int64
	blind    bool // requests have no board
}

// The sides, by the ids of the players.
const (
	cross  engine.PlayerID = 0
	circle engine.PlayerID = 1
)

// packetDrill is the drill over packets.
func (r *run) packetDrill() error {
	c := r.checker
	c.packets, c.asPlayer = true, true
	c.socket = r.packets.Socket()
	switch {
	case r.packets.Stateless():
		c.wire, c.stateless = "HTTTX Bot API, stateless", true
	case r.bot.Listen != 0 || r.proc == nil:
		c.wire = "HTTTX Bot API"
	default:
		c.wire, c.dialsIn = "HTTTX Bot API, which it dials in for", true
	}
	g, err := r.newGame(circle, 0)
	if err != nil {
		return err
	}
	for range hushTurns {
		if err := g.moves(1); err != nil {
			return err
		}
		if err := g.expectNothing("packet-twice", "in addition to its answer"); err != nil {
			return err
		}
	}
	if err := g.moves(caseTurns); err != nil {
		return err
	}
	r.recorded = slices.Clone(r.actions)
	return g.over()
}

// firstGame meets the bot and begins a game with it, as newGame does.
func (r *run) firstGame(id engine.PlayerID, before int) (*packetGame, error) {
	if err := r.meetPackets(); err != nil {
		return nil, err
	}
	return r.newGame(id, before)
}

// newGame sets a game up in which some moves were made before, and shows it to the bot.
func (r *run) newGame(id engine.PlayerID, before int) (*packetGame, error) {
	var err error
	at := places{id: id, players: 2}
	if r.table, err = newTable(r.Game, &r.Instance, at, manyTurns, r.Seed); err != nil {
		return nil, err
	}
	if before > 0 {
		if err := r.table.skip(before); err != nil {
			return nil, err
		}
	}
	r.match, r.actions = r.match+1, nil
	g := &packetGame{run: r}
	return g, g.setup()
}

// manyTurns is more than any game here has.
const manyTurns = 1000

// setup shows the board as it is.
func (g *packetGame) setup() (err error) {
	state := g.table.state
	if g.table.turn == 0 {
		state = g.table.initial
	}
	if g.setUp, err = botapi.ReadPosition(state); err != nil {
		return err
	}
	return g.tell(g.setUp.Setup())
}

// tell sends a packet.
func (g *packetGame) tell(p htttx.Packet) error {
	if err := g.packets.Send(p); err != nil {
		return g.ended(g.move())
	}
	return nil
}

// move says where in the game the bot is.
func (g *packetGame) move() string {
	if g.requests == 0 {
		return "after the setup"
	}
	return fmt.Sprintf("after request %d", g.requests)
}

// moves asks the bot for some moves, and makes its opponent's between them.
func (g *packetGame) moves(n int) error {
	for range n {
		if err := g.opponent(); err != nil || g.table.result.Over {
			return err
		}
		if err := g.request(); err != nil {
			return err
		}
		actions, err := g.response()
		if err != nil {
			return err
		}
		g.actions = append(g.actions, string(actions))
		if err := g.table.answer(actions); err != nil {
			return err
		}
		if what := g.table.refusals(); what != "" {
			return failed("illegal-move", "Its move %s is a %s.", shown(actions), what)
		}
	}
	return nil
}

// opponent plays until the bot is to move, or the game is over.
func (g *packetGame) opponent() error {
	for !g.table.result.Over && !g.table.result.Await.Has(g.table.id) {
		if err := g.table.answer(nil); err != nil {
			return err
		}
	}
	return nil
}

// request asks for a move.
func (g *packetGame) request() error {
	p, err := botapi.ReadPosition(g.table.state)
	if err != nil {
		return err
	}
	m := htttx.MoveRequest{Side: p.ToMove, Previous: p.Since(g.setUp)}
	if !g.blind {
		m.Board = jsonscan.Value(p.Board)
	}
	if g.socket.MoveTimeLimit {
		m.Limit = g.TurnTimeout
	}
	g.requests++
	if g.socket.RequestID {
		id := g.requests
		m.RequestID = &id
	}
	return g.tell(m)
}

// receive returns the next packet of a known type, nil if none comes within a time.
func (g *packetGame) receive(limit time.Duration) (htttx.Packet, error) {
	ctx, stop := context.WithTimeout(g.ctx, limit)
	defer stop()
	for {
		p, err := g.packets.Receive(ctx)
		switch {
		case g.ctx.Err() != nil:
			return nil, context.Cause(g.ctx)
		case err == nil:
			if _, unknown := p.(htttx.Unknown); unknown {
				continue
			}
			return p, nil
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			return nil, nil
		case botapi.IsViolation(err):
			return nil, failed("malformed-packet", "It %v %s.", err, g.move())
		}
		if g.stateless {
			return nil, failed("no-answer", "Its route %v %s.", err, g.move())
		}
		return nil, g.ended(g.move())
	}
}

// response returns the actions of the answer to the last request.
func (g *packetGame) response() ([]byte, error) {
	p, err := g.receive(g.TurnTimeout)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, g.late()
	}
	m, ok := p.(htttx.MoveResponse)
	if !ok {
		return nil, failed("unasked-packet", "It answered request %d with a packet of another type: %s.",
			g.requests, shown(p.Append(nil)))
	}
	if m.RequestID != nil && *m.RequestID == g.requests-1 {
		return nil, failed("packet-twice", "It answered request %d again: %s.", g.requests-1,
			shown(m.Append(nil)))
	}
	if g.socket.RequestID && (m.RequestID == nil || *m.RequestID != g.requests) {
		return nil, failed("request-id", "It declares request_id, and answered request %d with %s.",
			g.requests, shown(m.Append(nil)))
	}
	for _, what := range m.Ignored {
		g.advise("odd-evaluation", "Its answer to request %d: %s.", g.requests, what)
	}
	return append(m.Move.Append([]byte{'['}), ']'), nil
}

// late returns what is wrong with a bot that has not answered in time.
func (g *packetGame) late() error {
	if g.first {
		switch p, err := g.receive(g.TurnTimeout); {
		case err != nil:
			return err
		case p != nil:
			return failed("slow", "Its answer to request %d took more than %v.", g.requests, g.TurnTimeout)
		}
	}
	return failed("silent", "It did not answer request %d within %v.", g.requests, g.TurnTimeout)
}

// expectNothing returns a failure if the bot sends something that was not asked for.
func (g *packetGame) expectNothing(key, when string) error {
	p, err := g.receive(g.hush)
	if err == nil && p != nil {
		return failed(key, "It sent %s %s.", shown(p.Append(nil)), when)
	}
	return err
}

// over ends the game, and closes the connection.
func (g *packetGame) over() error {
	p, err := botapi.ReadPosition(g.table.state)
	if err != nil {
		return err
	}
	if err := g.tell(p.End()); err != nil {
		return err
	}
	g.packets.Close()
	g.packets = nil
	return nil
}
