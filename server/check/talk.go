package check

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/launch"
)

// shownBytes is how much of a message is quoted.
const shownBytes = 120

// shown returns a message as it is quoted.
func shown(content []byte) string {
	text := launch.Printable(bytes.TrimRight(content, "\n"))
	if runes := []rune(text); len(runes) > shownBytes {
		return string(runes[:shownBytes]) + "…"
	}
	return text
}

// talk is the conversation with the bot over netorcai's protocol, and the match that it is about.
type talk struct {
	subject
	login   netorcai.Login
	used    int64 // bytes of the messages that were read
	table   *table
	match   int    // number of the match that was begun last
	seed    uint64 // that it was told
	asked   int    // number of the newest TURN, -1 before the first
	actions []string
	skip    int                 // how many numbers are left out from one TURN to the next
	dress   func([]byte) []byte // changes the JSON of each message; nil: it is sent as usual
	send    func([]byte) error  // sends a frame
}

// logIn waits for the LOGIN and answers it.
func (t *talk) logIn() error {
	if err := t.meetNetorcai(); err != nil {
		return err
	}
	return t.hear()
}

// hear waits for the LOGIN of a bot that is connected, and answers it.
func (t *talk) hear() error {
	m, err := t.next(t.StartTimeout)
	switch {
	case err == errSilent:
		return t.noLogin()
	case m.err != nil:
		return t.badFrame(m, err)
	case err != nil:
		return err
	}
	if t.login, err = netorcai.ParseLogin(m.content); err != nil {
		return t.badLogin(m, err)
	}
	return t.write(netorcai.AppendLoginAck(nil))
}

// noLogin returns what is wrong with a bot that is connected and has sent no whole message.
func (t *talk) noLogin() error {
	if t.Seat.Stdio {
		_ = t.peer.conn.CloseWrite() // most programs end at the end of their input, and then flush
		if m, err := t.next(settleTime); err == nil {
			return failed("not-flushed",
				"It wrote %s to its standard output, and flushed that only when its input had ended.",
				shown(m.content))
		}
	}
	if err := t.unfinished(); err != nil {
		return err
	}
	return failed("silent-login", "It sent no LOGIN within %v.", t.StartTimeout)
}

// unfinished returns what is wrong with a frame that has begun and does not end; nil if none has
// begun.
func (t *talk) unfinished() error {
	if t.peer.tap == nil {
		return nil
	}
	if rest := t.peer.tap.size() - t.used; rest > 0 {
		return failed("frame-length", "It sent %d bytes %s that are no whole frame: a header announces "+
			"more, or the header before it less, than was sent.", rest, t.moment())
	}
	return nil
}

// badFrame returns what is wrong with a first message that could not be read.
func (t *talk) badFrame(m message, err error) error {
	var size *netorcai.SizeError
	if !errors.As(m.err, &size) {
		return err
	}
	if t.peer.tap == nil {
		return failed("first-message-size", "Its first message has more than %d bytes.",
			netorcai.FirstLimit)
	}
	first, _ := t.peer.tap.seen()
	switch {
	case first[0] == '{':
		return failed("no-frames", "It sent %s without the four bytes of the length before it.",
			shown(first))
	case len(first) >= 4 && binary.BigEndian.Uint32(first) <= netorcai.FirstLimit:
		return failed("byte-order",
			"Its first four bytes are % x: the length %d, with the highest byte first.", first[:4],
			binary.BigEndian.Uint32(first))
	}
	return failed("first-message-size", "Its first message has %d bytes; the limit is %d.", size.Size,
		size.Limit)
}

// badLogin returns what is wrong with a first message that is no valid LOGIN.
func (t *talk) badLogin(m message, err error) error {
	var field *netorcai.FieldError
	var other *netorcai.TypeError
	switch {
	case errors.As(err, &other):
		return failed("not-login", "Its first message is %s.", shown(m.content))
	case !errors.As(err, &field):
		if t.Seat.Stdio {
			return failed("prints", "The first line on its standard output is %q.", shown(m.content))
		}
		if t.unfinished() != nil {
			return failed("frame-length",
				"Its first message is cut: the header announces %d bytes, and more were sent.", len(m.content))
		}
		return failed("login-unreadable", "Its first message is %s, which is not one JSON object.",
			shown(m.content))
	}
	switch field.Field {
	case "nickname", "role", "metaprotocol_version":
		if !strings.HasPrefix(err.Error(), "Field") {
			return failed("login-"+strings.TrimPrefix(field.Field, "metaprotocol_"), "%v: %s.", err,
				shown(m.content))
		}
	}
	return failed("login-field", "%v: %s.", err, shown(m.content))
}

// write sends a message, in the way of the case.
func (t *talk) write(frame []byte) error {
	if t.dress != nil {
		content := append(make([]byte, 4), t.dress(bytes.TrimRight(frame[4:], "\n"))...)
		frame, _ = netorcai.EndFrame(content, 0)
	}
	if err := t.send(frame); err != nil {
		return t.broken()
	}
	return nil
}

// broken returns why nothing could be written.
func (t *talk) broken() error {
	if m, lost := t.next(settleTime); m.err != nil {
		return lost
	}
	return failed("silent", "It does not read what it is sent %s.", t.moment())
}

// begin starts a match, which the bot plays as it is seated.
func (t *talk) begin(at places, turns int) error {
	frame, err := t.begun(at, turns)
	if err != nil {
		return err
	}
	return t.write(frame)
}

// begun sets a match up and returns its GAME_STARTS.
func (t *talk) begun(at places, turns int) (frame []byte, err error) {
	switch t.login.Role {
	case netorcai.RoleVisualization:
		at.id = engine.NoPlayer
	case netorcai.RoleSpecialPlayer:
		at.id, at.specials = 0, 1
	}
	if t.table, err = newTable(t.Game, &t.Instance, at, turns, t.Seed); err != nil {
		return nil, err
	}
	t.match++
	t.asked, t.actions = -1, nil
	starts := t.table.starts(at.id)
	if t.login.Stay {
		starts.Match, starts.Seed = t.match, firstSeed+t.seed
	}
	starts.PlayersInfo = t.info()
	return netorcai.AppendGameStarts(nil, starts)
}

// firstSeed is the seed of the matches of a bot that stays, unless a case changes it.
const firstSeed = 4711

// info returns the players_info of messages: visualizations alone get any.
func (t *talk) info() []byte {
	if t.login.Role != netorcai.RoleVisualization {
		return nil
	}
	var list []netorcai.PlayerInfo
	for id := range t.table.players + t.table.specials {
		list = append(
			list,
			netorcai.PlayerInfo{
				PlayerID: id, Nickname: fmt.Sprint(t.login.Nickname, id), RemoteAddress: "127.0.0.1:1",
				IsConnected: true,
			},
		)
	}
	return netorcai.AppendPlayersInfo(nil, list)
}

// turnFrame returns the next TURN.
func (t *talk) turnFrame(state []byte) ([]byte, error) {
	t.asked += 1 + t.skip
	return netorcai.AppendTurn(nil, t.asked, state, t.info())
}

// turn sends a TURN and plays the answer.
func (t *talk) turn() error {
	if err := t.show(t.table.state); err != nil {
		return err
	}
	actions, err := t.answer()
	if err != nil {
		return err
	}
	t.actions = append(t.actions, string(actions))
	return t.table.answer(actions)
}

// turns plays some turns, or all that the match has.
func (t *talk) turns(n int) error {
	for range n {
		if t.table.over() {
			return nil
		}
		if err := t.turn(); err != nil {
			return err
		}
	}
	return nil
}

// show sends a TURN with a state.
func (t *talk) show(state []byte) error {
	frame, err := t.turnFrame(state)
	if err != nil {
		return err
	}
	return t.write(frame)
}

// answer returns the actions of the answer to the newest TURN.
func (t *talk) answer() (jsonscan.Value, error) {
	m, err := t.next(t.TurnTimeout)
	if err == errSilent {
		return nil, t.silent()
	}
	if err != nil {
		return nil, err
	}
	ack, err := netorcai.ParseTurnAck(m.content, t.asked)
	if err != nil {
		return nil, t.badAnswer(m.content, err)
	}
	if ack.Debug != nil {
		if err := netorcai.CheckDebug(ack.Debug); err != nil {
			t.advise("debug", "%s: %v.", sentence(t.moment()), err)
		}
	}
	return ack.Actions, nil
}

// silent returns what is wrong with a bot that has not answered in time. In the first case it waits
// as long again for a late answer.
func (t *talk) silent() error {
	if err := t.unfinished(); err != nil {
		return err
	}
	if t.first {
		if _, err := t.next(t.TurnTimeout); err == nil {
			return failed("slow", "Its answer to TURN %d took more than %v.", t.asked, t.TurnTimeout)
		} else if err != errSilent {
			return err
		}
	}
	return failed("silent", "It did not answer TURN %d within %v.", t.asked, t.TurnTimeout)
}

// badAnswer returns what is wrong with a message that is no valid answer.
func (t *talk) badAnswer(content []byte, err error) error {
	var field *netorcai.FieldError
	var other *netorcai.TypeError
	switch {
	case errors.As(err, &other):
		return failed("answer-type", "It answered TURN %d with %s.", t.asked, shown(content))
	case errors.As(err, &field) && field.Field == "turn_number" &&
		strings.HasPrefix(err.Error(), "Invalid value"):
		return failed("turn-number", "It answered TURN %d with %s.", t.asked, shown(content))
	case errors.As(err, &field):
		return failed("answer-field", "%v in its answer to TURN %d: %s.", err, t.asked, shown(content))
	case t.Seat.Stdio && !json.Valid(content) &&
		!bytes.HasPrefix(bytes.TrimSpace(content), []byte{'{'}):
		return failed("prints", "It printed the line %q to its standard output %s.", shown(content),
			t.moment())
	}
	return failed("answer-unreadable", "Its answer to TURN %d is %s, which is not one JSON object.",
		t.asked, shown(content))
}

// end ends the match. A bot that stays has the connection kept open, unless last is set.
func (t *talk) end(last bool) error {
	frame, err := netorcai.AppendGameEnds(nil, int(t.table.result.Winner), t.table.state)
	if err != nil {
		return err
	}
	if err := t.write(frame); err != nil || !last {
		return err
	}
	return t.kick(netorcai.KickFinished)
}

// kick says that no message follows, and waits until the bot has ended.
func (t *talk) kick(reason string) error {
	if err := t.write(netorcai.AppendKick(nil, reason)); err != nil {
		return err
	}
	_ = t.peer.conn.CloseWrite()
	return t.gone("stays-running", "the KICK that is the last message")
}

// pause waits, as a server does.
func (t *talk) pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
}

// sentence returns words with a capital letter at their beginning.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }
