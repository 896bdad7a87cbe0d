package check

import (
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// packetKinds are the faults in the HTTTX Bot API, by key.
var packetKinds = map[string]kind{
	"capabilities": {Advice, "`GET <base>/capabilities.json`. All of it is " +
		"optional.", packetSpec, "Answer with a JSON object that has basic_websocket or stateless " +
		"with v1-alpha among its versions."},
	"capabilities-field": {Advice, "A field of another type counts as absent and causes a " +
		"warning", packetSpec, "Correct the field: flags are true or false, api_root is a string."},
	"dial-in": {Error, "`/htttx/session?token=…` | a bot that cannot be dialled, in a " +
		"person's place: its first frame holds its " +
		"capabilities", gamePage, "Send the capabilities as the first text frame."},
	"no-socket": {Error, "The socket is `<api_root>/game`", packetSpec, "Accept WebSockets " +
		"at api_root, which is bws/v1-alpha unless the capabilities name another, followed by /game."},
	"malformed-packet": {Error, "`side`, `pieces`, `q`, `r`, `p` and `request_id` must have their " +
		"type and range", packetSpec, "Send JSON objects in text frames, with pieces that have whole " +
		"numbers q and r."},
	"illegal-move": {Error, "A side that breaks the rules with its move " +
		"loses.", gamePage, "Place two pieces on empty cells within the view distance of the pieces " +
		"that are there."},
	"packet-twice": {
		Error, "and by a second answer to the same request", gamePage,
		"Send one move_response for each move_request.",
	},
	"unasked-packet": {Error, "Unsolicited answers are dropped; a bot loses by the " +
		"33rd", gamePage, "Send nothing but answers to requests."},
	"no-answer": {Error, "answered by 200 and `{move, considerations?, " +
		"request_id?}`", packetSpec, "Answer each POST with status 200 and a move."},
	"request-id": {Error, "a bot that declares it must echo it, and answers with another or " +
		"without one are dropped", gamePage, "Copy request_id from the request, or do not declare it."},
	"odd-evaluation": {Advice, "an invalid evaluation or considered move in a move_response is " +
		"left out and noted", packetSpec, "Send numbers for heuristic and win_in, or leave them out."},
	"other-side": {
		Error, "asks for moves", packetSpec,
		"Take the side from each request: it is x or o.",
	},
	"heartbeat": {Error, "`heartbeat` after the `setup`, always with " +
		"`waiting:false`", gamePage, "Ignore heartbeats " +
		"with waiting false, also between requests."},
	"unknown-packets": {Error, "A packet of any other type is ignored in both " +
		"directions", packetSpec, "Ignore packets of types that you do not know, and fields as well."},
	"long-pause": {Error, "`heartbeat` after the `setup`, always with " +
		"`waiting:false`", gamePage, "Wait for packets " +
		"without a time limit, and answer pings meanwhile."},
	"second-game": {
		Error, "Packets are JSON objects in text frames", packetSpec,
		"Keep nothing from one connection to the next: each is a separate game.",
	},
	"needs-board": {Advice, "`previous` [`{side, pieces}`], `board?` " +
		"(Hivemaker)", packetSpec, "Follow the game by setup and previous: only some servers send " +
		"the board with each request."},
	"free-setup": {Error, "`free_setup`", packetSpec, "Play from the board of the setup, or " +
		"do not declare free_setup."},
	"resettable-state": {Error, "`resettable_state`", packetSpec, "Begin again with each setup, or " +
		"do not declare resettable_state."},
	"interrupt": {Error, "`interrupt`", packetSpec, "Drop the request that is interrupted, " +
		"answer the next one, or do not declare interruptible."},
	"evaluation": {Error, "`eval_request`", packetSpec, "Answer an eval_request with an " +
		"eval_response, or do not declare evaluation."},
}

// packetCases returns the cases for a bot that speaks the HTTTX Bot API.
func packetCases(c *checker) []scenario {
	socket := func(c *checker) bool { return !c.stateless }
	declares := func(flag bool) func(*checker) bool { return func(*checker) bool { return flag } }
	s := c.socket
	list := []scenario{ // those that wait come first
		{key: "long-pause", about: "seconds without a packet", fits: socket, play: (*run).longPause},
		{
			key: "not-reproducible", about: "the same seed again",
			fits: func(c *checker) bool { return c.Seat.URL == "" },
			play: (*run).packetsAgain,
		},
		{key: "other-side", about: "the other side", play: (*run).otherSide},
		{key: "heartbeat", about: "heartbeats", fits: socket, play: (*run).heartbeats},
		{
			key: "unknown-packets", about: "packets and fields that are unknown", fits: socket,
			play: (*run).unknownPackets,
		},
		{
			key: "needs-board", about: "requests without the board", fits: socket,
			play: (*run).withoutBoard,
		},
		{
			key: "second-game", about: "another game over another connection",
			fits: func(c *checker) bool { return !c.dialsIn },
			play: (*run).secondGame,
		},
		{key: "free-setup", about: "a game from another board", fits: declares(
			s.FreeSetup || c.stateless), play: (*run).freeSetup},
		{key: "resettable-state", about: "a setup within a game", fits: declares(
			s.ResettableState), play: (*run).resetState},
		{key: "interrupt", about: "a request that is interrupted", fits: declares(
			s.Interruptible && s.RequestID), play: (*run).interrupted},
		{key: "evaluation", about: "an evaluation", fits: declares(s.Evaluation), play: (*run).evaluate},
	}
	return append(list, c.matchCases()...)
}

// playPackets plays a game as a side, from the usual board.
func (r *run) playPackets(g *packetGame, err error) error {
	if err == nil {
		err = g.moves(caseTurns)
	}
	if err == nil {
		err = g.over()
	}
	return err
}

func (r *run) packetsAgain() error {
	if err := r.playPackets(r.firstGame(circle, 0)); err != nil {
		return err
	}
	return r.differs(r.recorded, "not-reproducible", "with the same seed and the same board")
}

func (r *run) otherSide() error {
	return r.playPackets(r.firstGame(cross, 0))
}

// longPause waits between two requests.
func (r *run) longPause() error {
	g, err := r.firstGame(circle, 0)
	if err != nil {
		return err
	}
	if err := g.moves(1); err != nil {
		return err
	}
	if p, err := g.receive(waitBefore); err != nil || p != nil {
		return failedOr(err, "unasked-packet", "It sent a packet that was not asked for.")
	}
	return r.playPackets(g, nil)
}

// failedOr returns err, or a failure if it is nil.
func failedOr(err error, key, what string) error {
	if err != nil {
		return err
	}
	return failed(key, "%s", what)
}

// heartbeatsInARow are more than a server sends at a time.
const heartbeatsInARow = 3

func (r *run) heartbeats() error {
	g, err := r.firstGame(circle, 0)
	for range caseTurns {
		for range heartbeatsInARow {
			if err == nil {
				err = g.tell(htttx.Heartbeat{})
			}
		}
		if err == nil {
			err = g.moves(1)
		}
	}
	if err != nil {
		return err
	}
	return g.over()
}

// odd is a packet with a field that no version of the API has.
type odd struct{ htttx.Packet }

// Append implements htttx.Packet.
func (o odd) Append(dst []byte) []byte {
	text := o.Packet.Append(nil)
	return append(append(dst, "{"+extra+","...), text[1:]...)
}

func (r *run) unknownPackets() error {
	g, err := r.firstGame(circle, 0)
	for range caseTurns {
		if err == nil {
			err = g.tell(odd{htttx.Unknown{Type: "weather"}})
		}
		if err == nil {
			err = g.tell(odd{htttx.Heartbeat{}})
		}
		if err == nil {
			err = g.moves(1)
		}
	}
	if err != nil {
		return err
	}
	return g.over()
}

func (r *run) withoutBoard() error {
	g, err := r.firstGame(circle, 0)
	if err != nil {
		return err
	}
	g.blind = true
	return r.playPackets(g, nil)
}

// secondGame plays a game, and then another one over another connection.
func (r *run) secondGame() error {
	address := r.Seat.URL
	if r.proc != nil {
		address = r.bot.Address()
	}
	if err := r.playPackets(r.firstGame(circle, 0)); err != nil {
		return err
	}
	if err := r.dial(address); err != nil {
		return err
	}
	return r.playPackets(r.newGame(circle, 0))
}

// earlier is the number of moves that are made before a bot is shown another board: a few of each
// side.
const earlier = 5

func (r *run) freeSetup() error {
	return r.playPackets(r.firstGame(circle, earlier))
}

func (r *run) resetState() error {
	g, err := r.firstGame(circle, 0)
	if err != nil {
		return err
	}
	if err := g.moves(2); err != nil {
		return err
	}
	return r.playPackets(r.newGame(circle, 0))
}

// interrupted interrupts a request, and asks again.
func (r *run) interrupted() error {
	g, err := r.firstGame(circle, 0)
	if err == nil {
		err = g.opponent()
	}
	if err == nil {
		err = g.request()
	}
	if err != nil {
		return err
	}
	void := g.requests
	if err := g.tell(htttx.Interrupt{RequestID: &void}); err != nil {
		return err
	}
	if err := g.request(); err != nil {
		return err
	}
	for {
		p, err := g.receive(r.TurnTimeout)
		if err != nil {
			return err
		}
		m, ok := p.(htttx.MoveResponse)
		switch {
		case p == nil:
			return failed("interrupt",
				"It did not answer request %d within %v, after request %d had been interrupted.", g.requests,
				r.TurnTimeout, void)
		case ok && m.RequestID != nil && *m.RequestID == g.requests:
			return g.over()
		}
	}
}

// evaluate asks for the evaluation of the first board.
func (r *run) evaluate() error {
	g, err := r.firstGame(circle, 0)
	if err != nil {
		return err
	}
	ask := htttx.EvalRequest{Side: g.setUp.ToMove}
	if r.socket.EvaluationTimeLimit {
		ask.Limit = time.Second // as long as a server that has a clock waits
	}
	if err := g.tell(ask); err != nil {
		return err
	}
	p, err := g.receive(r.TurnTimeout)
	if err != nil {
		return err
	}
	if _, ok := p.(htttx.EvalResponse); !ok {
		return failed("evaluation", "It did not answer an eval_request with an eval_response within %v.",
			r.TurnTimeout)
	}
	return g.over()
}
