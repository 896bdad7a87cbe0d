package check

import (
	"bytes"
	"errors"
	"net"
	"runtime"
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// caseTurns is the number of turns that are played in a case that is not about them.
const caseTurns = 4

// netorcaiCases returns the cases for a bot that speaks netorcai's protocol.
func netorcaiCases(c *checker) []scenario {
	raw := func(c *checker) bool { return c.raw }
	return []scenario{ // those that wait come first
		{key: "no-reconnect", about: "a connection that breaks", fits: raw, play: (*run).reconnect},
		{key: "long-wait", about: "seconds without a message", play: (*run).longWait},
		{key: "not-reproducible", about: "the same seed again", play: (*run).again},
		{key: "pieces", about: "messages in pieces", fits: raw, play: (*run).inPieces},
		{key: "joined", about: "several messages at once", fits: raw, play: (*run).joined},
		{key: "unknown-fields", about: "unknown fields in all messages", play: dressed(withUnknown)},
		{key: "unknown-messages", about: "messages of unknown types", play: (*run).unknownMessages},
		{
			key: "notation", about: "fields in another order, with spaces and escapes",
			play: dressed(rewritten),
		},
		{key: "large-state", about: "messages of 2 MiB", play: dressed(padded)},
		{
			key: "deep-state", about: "an unknown field that is nested 400 levels deep",
			play: dressed(deep),
		},
		{key: "skipped-turns", about: "TURNs with numbers left out", play: (*run).skipping},
		{key: "no-turns", about: "a match without a TURN", play: (*run).noTurns},
		{key: "kick-before", about: "a KICK in place of LOGIN_ACK", play: (*run).kickedBefore},
		{key: "kick-during", about: "a KICK in a match", play: (*run).kickedDuring},
		{
			key: "player-id", about: "the last player's id",
			fits: func(c *checker) bool { return c.Instance.Players > 1 },
			play: (*run).lastPlayer,
		},
		{key: "many-players", about: "as many players as the game has", play: (*run).manyPlayers},
		{
			key: "rare-state", about: "states in which it can do nothing",
			fits: func(c *checker) bool { return c.Game.Rare != nil },
			play: (*run).rareStates,
		},
		{key: "players-info", about: "a nickname with a number appended", play: (*run).otherNickname},
		{
			key: "hard-coded-host", about: "a server at " + otherLocal, host: otherLocal,
			fits: (*checker).hasOtherHost, play: (*run).plain,
		},
		{
			key: "stay", about: "another match over the same connection",
			fits: func(c *checker) bool { return c.stays },
			play: (*run).stay,
		},
		{
			key: "stay-memory", about: "the first match again, after another one",
			fits: func(c *checker) bool { return c.stays },
			play: (*run).stayTwice,
		},
	}
}

// plain plays some turns and ends the match.
func (r *run) plain() error {
	if err := r.logIn(); err != nil {
		return err
	}
	return r.playThrough(r.usualPlaces(), caseTurns)
}

// firstTurn waits for the bot's login, and plays the first turn of a match.
func (r *run) firstTurn() error {
	if err := r.logIn(); err != nil {
		return err
	}
	if err := r.begin(r.usualPlaces(), caseTurns+1); err != nil {
		return err
	}
	return r.turns(1)
}

// playThrough plays a match of some turns to its end, after the login.
func (r *run) playThrough(at places, turns int) error {
	if err := r.begin(at, turns+1); err != nil {
		return err
	}
	if err := r.turns(turns); err != nil {
		return err
	}
	return r.end(true)
}

// again plays the first case again, and compares the answers.
func (r *run) again() error {
	err := r.logIn()
	if err == nil {
		err = r.begin(r.usualPlaces(), drillTurns+1)
	}
	if err == nil {
		err = r.turns(drillTurns)
	}
	if err != nil {
		return err
	}
	return r.differs(r.recorded, "not-reproducible", "with the same seed and the same states")
}

// differs returns a failure if the answers are not the given ones.
func (r *run) differs(want []string, key, how string) error {
	for i := range min(len(want), len(r.actions)) {
		if want[i] != r.actions[i] {
			return failed(key, "It answered TURN %d with %s, and %s with %s.", i, shown([]byte(want[i])),
				how, shown([]byte(r.actions[i])))
		}
	}
	return nil
}

// Pieces of messages: a header in two, and what follows in a few. A pause of a few milliseconds
// makes each of them arrive by itself.
var pieceSizes = []int{1, 2, 3, 40}

const piecePause = 10 * time.Millisecond

func (r *run) inPieces() error {
	r.send = func(frame []byte) error {
		rest := r.peer.bytesOf(frame)
		for _, n := range append(slices.Clone(pieceSizes), len(rest)) {
			n = min(n, len(rest))
			if _, err := r.peer.raw.Write(rest[:n]); err != nil {
				return err
			}
			if rest = rest[n:]; len(rest) == 0 {
				return nil
			}
			if err := r.pause(piecePause); err != nil {
				return err
			}
		}
		return nil
	}
	return r.plain()
}

// joined sends GAME_STARTS with the first TURN, and GAME_ENDS with the KICK.
func (r *run) joined() error {
	if err := r.logIn(); err != nil {
		return err
	}
	starts, err := r.begun(r.usualPlaces(), caseTurns)
	if err != nil {
		return err
	}
	first, err := r.turnFrame(r.table.state)
	if err != nil {
		return err
	}
	opening := slices.Concat(r.peer.bytesOf(starts), r.peer.bytesOf(first))
	if _, err := r.peer.raw.Write(opening); err != nil {
		return r.broken()
	}
	actions, err := r.answer()
	if err != nil {
		return err
	}
	if err := r.table.answer(actions); err != nil {
		return err
	}
	ends, err := netorcai.AppendGameEnds(nil, int(r.table.result.Winner), r.table.state)
	if err != nil {
		return err
	}
	kick := netorcai.AppendKick(nil, netorcai.KickFinished)
	ending := slices.Concat(r.peer.bytesOf(ends), r.peer.bytesOf(kick))
	if _, err := r.peer.raw.Write(ending); err != nil {
		return r.broken()
	}
	_ = r.peer.conn.CloseWrite()
	return r.endedEarly()
}

// unknownMessages sends a message that no version of the protocol has before each other.
func (r *run) unknownMessages() error {
	usual := r.send
	r.send = func(frame []byte) error {
		if r.match > 0 {
			unknown, _ := netorcai.EndFrame(
				[]byte("\x00\x00\x00\x00"+`{"message_type":"CHECK","text":"ignore me"}`), 0)
			if err := usual(unknown); err != nil {
				return err
			}
		}
		return usual(frame)
	}
	return r.plain()
}

func (r *run) skipping() error {
	r.skip = 2
	return r.plain()
}

func (r *run) noTurns() error {
	if err := r.logIn(); err != nil {
		return err
	}
	return r.playThroughAndEnd(0)
}

// playThroughAndEnd plays a match, and wants the bot to end without an error.
func (r *run) playThroughAndEnd(turns int) error {
	if err := r.playThrough(r.usualPlaces(), turns); err != nil {
		return err
	}
	return r.endedEarly()
}

// kickedBefore refuses the login.
func (r *run) kickedBefore() error {
	if err := r.meetNetorcai(); err != nil {
		return err
	}
	if _, err := r.next(r.StartTimeout); err != nil {
		return err
	}
	return r.kick(netorcai.KickPlayersFull)
}

func (r *run) kickedDuring() error {
	if err := r.firstTurn(); err != nil {
		return err
	}
	return r.kick(`Invalid TURN_ACK received. "é" \ 😀`)
}

// The longest waits of a case: longer than the time limits of a second or two that sockets are
// given.
const (
	waitBefore = 2500 * time.Millisecond
	waitWithin = 1500 * time.Millisecond
)

func (r *run) longWait() error {
	if err := r.logIn(); err != nil {
		return err
	}
	if err := r.quiet(waitBefore, "unasked", "before GAME_STARTS"); err != nil {
		return err
	}
	if err := r.begin(r.usualPlaces(), caseTurns+1); err != nil {
		return err
	}
	if err := r.turns(1); err != nil {
		return err
	}
	if err := r.quiet(waitWithin, "unasked", "between two TURNs"); err != nil {
		return err
	}
	if err := r.turns(caseTurns); err != nil {
		return err
	}
	return r.end(true)
}

// lastPlayer seats the bot as the last of two players.
func (r *run) lastPlayer() error {
	return r.judged(places{id: 1, players: 2})
}

// manyPlayers seats the bot as the last of all players, after a special one if the game has any.
func (r *run) manyPlayers() error {
	players, specials := max(1, r.Instance.Players), min(1, r.Instance.Specials)
	return r.judged(
		places{id: engine.PlayerID(players + specials - 1), players: players, specials: specials})
}

// judged plays as a certain player. Actions that are refused here, and are not in ordinary play,
// are a failure.
func (r *run) judged(at places) error {
	if err := r.logIn(); err != nil {
		return err
	}
	if err := r.playThrough(at, drillTurns); err != nil {
		return err
	}
	if what := r.table.refusals(); what != "" {
		return failed("player-id", "As player %d of %d its actions were refused: %s.", at.id,
			at.players+at.specials, what)
	}
	return nil
}

// rareStates shows the bot states that are rare in play. Whatever it does in them is right.
func (r *run) rareStates() error {
	if err := r.logIn(); err != nil {
		return err
	}
	if err := r.begin(r.usualPlaces(), caseTurns+1); err != nil {
		return err
	}
	states, err := r.Game.Rare(r.table.state, max(0, r.table.id))
	if err != nil {
		return err
	}
	for _, s := range states {
		if err := r.show(s.State); err != nil {
			return err
		}
		if _, err := r.answer(); err != nil {
			if f := (*failure)(nil); errors.As(err, &f) {
				return failed("rare-state", "In a state in which %s: %s", s.About, f.what)
			}
			return err
		}
	}
	return r.end(true)
}

// otherNickname sends lists of players in which the bot's nickname has a number appended.
func (r *run) otherNickname() error {
	list := netorcai.AppendPlayersInfo(nil, []netorcai.PlayerInfo{
		{
			PlayerID: 0, Nickname: r.Seat.Nickname() + "2", RemoteAddress: "127.0.0.1:1",
			IsConnected: true,
		},
		{
			PlayerID: 1, Nickname: r.Seat.Nickname() + "3", RemoteAddress: "127.0.0.1:2",
			IsConnected: false,
		},
	})
	r.dress = func(content []byte) []byte {
		return bytes.Replace(content, []byte(`"players_info":[]`),
			append([]byte(`"players_info":`), list...), 1)
	}
	return r.plain()
}

// otherLocal is another address of this machine, where the system has it.
const otherLocal = "127.0.0.2"

// hasOtherHost reports whether a server can be at the other address.
func (c *checker) hasOtherHost() bool {
	if runtime.GOOS != "linux" || c.Seat.Stdio || len(c.Seat.Argv) == 0 {
		return false
	}
	l, err := net.Listen("tcp", net.JoinHostPort(otherLocal, "0"))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// reconnectTime is the time that a bot may take to connect again: servers keep its seat for longer.
const reconnectTime = 3 * time.Second

// reconnect breaks the connection in a match, and waits for another one.
func (r *run) reconnect() error {
	if r.Seat.Stdio {
		return errSkipped
	}
	if err := r.firstTurn(); err != nil {
		return err
	}
	_ = r.peer.conn.Close()
	select {
	case a := <-r.port.arrivals:
		a.close()
		return nil
	case <-r.proc.Done():
	case <-time.After(reconnectTime):
	case <-r.ctx.Done():
	}
	return failed("no-reconnect",
		"It did not connect again within %v when its connection was broken in a match.", reconnectTime)
}
