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

// meetNetorcai waits until the bot has a connection that carries netorcai's messages.
func (r *run) meetNetorcai() error {
	if err := r.meet(); err != nil {
		return err
	}
	if r.peer == nil {
		return failed("other-wire",
			"It speaks the HTTTX Bot API now, and spoke netorcai's protocol before.")
	}
	return nil
}

// logIn waits for the LOGIN and answers it.
func (r *run) logIn() error {
	if err := r.meetNetorcai(); err != nil {
		return err
	}
	return r.hear()
}

// hear waits for the LOGIN of a bot that is connected, and answers it.
func (r *run) hear() error {
	m, err := r.next(r.StartTimeout)
	switch {
	case err == errSilent:
		return r.noLogin()
	case m.err != nil:
		return r.badFrame(m, err)
	case err != nil:
		return err
	}
	if r.login, err = netorcai.ParseLogin(m.content); err != nil {
		return r.badLogin(m, err)
	}
	return r.write(netorcai.AppendLoginAck(nil))
}

// noLogin returns what is wrong with a bot that is connected and has sent no whole message.
func (r *run) noLogin() error {
	if r.Seat.Stdio {
		_ = r.peer.conn.CloseWrite() // most programs end at the end of their input, and then flush
		if m, err := r.next(settleTime); err == nil {
			return failed("not-flushed",
				"It wrote %s to its standard output, and flushed that only when its input had ended.",
				shown(m.content))
		}
	}
	if err := r.unfinished(); err != nil {
		return err
	}
	return failed("silent-login", "It sent no LOGIN within %v.", r.StartTimeout)
}

// unfinished returns what is wrong with a frame that has begun and does not end; nil if none has
// begun.
func (r *run) unfinished() error {
	if r.peer.tap == nil {
		return nil
	}
	if rest := r.peer.tap.size() - r.used; rest > 0 {
		return failed("frame-length", "It sent %d bytes %s that are no whole frame: a header announces "+
			"more, or the header before it less, than was sent.", rest, r.moment())
	}
	return nil
}

// badFrame returns what is wrong with a first message that could not be read.
func (r *run) badFrame(m message, err error) error {
	var size *netorcai.SizeError
	if !errors.As(m.err, &size) {
		return err
	}
	if r.peer.tap == nil {
		return failed("first-message-size", "Its first message has more than %d bytes.",
			netorcai.FirstLimit)
	}
	first, _ := r.peer.tap.seen()
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
func (r *run) badLogin(m message, err error) error {
	var field *netorcai.FieldError
	var other *netorcai.TypeError
	switch {
	case errors.As(err, &other):
		return failed("not-login", "Its first message is %s.", shown(m.content))
	case !errors.As(err, &field):
		if r.Seat.Stdio {
			return failed("prints", "The first line on its standard output is %q.", shown(m.content))
		}
		if r.unfinished() != nil {
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
func (r *run) write(frame []byte) error {
	if r.dress != nil {
		content := append(make([]byte, 4), r.dress(bytes.TrimRight(frame[4:], "\n"))...)
		frame, _ = netorcai.EndFrame(content, 0)
	}
	if err := r.send(frame); err != nil {
		return r.broken()
	}
	return nil
}

// broken returns why nothing could be written.
func (r *run) broken() error {
	if m, lost := r.next(settleTime); m.err != nil {
		return lost
	}
	return failed("silent", "It does not read what it is sent %s.", r.moment())
}

// begin starts a match, which the bot plays as it is seated.
func (r *run) begin(at places, turns int) error {
	frame, err := r.begun(at, turns)
	if err != nil {
		return err
	}
	return r.write(frame)
}

// begun sets a match up and returns its GAME_STARTS.
func (r *run) begun(at places, turns int) (frame []byte, err error) {
	switch r.login.Role {
	case netorcai.RoleVisualization:
		at.id = engine.NoPlayer
	case netorcai.RoleSpecialPlayer:
		at.id, at.specials = 0, 1
	}
	if r.table, err = newTable(r.Game, &r.Instance, at, turns, r.Seed); err != nil {
		return nil, err
	}
	r.match++
	r.asked, r.actions = -1, nil
	starts := r.table.starts(at.id)
	if r.login.Stay {
		starts.Match, starts.Seed = r.match, firstSeed+r.seed
	}
	starts.PlayersInfo = r.info()
	return netorcai.AppendGameStarts(nil, starts)
}

// firstSeed is the seed of the matches of a bot that stays, unless a case changes it.
const firstSeed = 4711

// info returns the players_info of messages: visualizations alone get any.
func (r *run) info() []byte {
	if r.login.Role != netorcai.RoleVisualization {
		return nil
	}
	var list []netorcai.PlayerInfo
	for id := range r.table.players + r.table.specials {
		list = append(
			list,
			netorcai.PlayerInfo{
				PlayerID: id, Nickname: fmt.Sprint(r.login.Nickname, id), RemoteAddress: "127.0.0.1:1",
				IsConnected: true,
			},
		)
	}
	return netorcai.AppendPlayersInfo(nil, list)
}

// turnFrame returns the next TURN.
func (r *run) turnFrame(state []byte) ([]byte, error) {
	r.asked += 1 + r.skip
	return netorcai.AppendTurn(nil, r.asked, state, r.info())
}

// turn sends a TURN and plays the answer.
func (r *run) turn() error {
	if err := r.show(r.table.state); err != nil {
		return err
	}
	actions, err := r.answer()
	if err != nil {
		return err
	}
	r.actions = append(r.actions, string(actions))
	return r.table.answer(actions)
}

// turns plays some turns, or all that the match has.
func (r *run) turns(n int) error {
	for range n {
		if r.table.over() {
			return nil
		}
		if err := r.turn(); err != nil {
			return err
		}
	}
	return nil
}

// show sends a TURN with a state.
func (r *run) show(state []byte) error {
	frame, err := r.turnFrame(state)
	if err != nil {
		return err
	}
	return r.write(frame)
}

// answer returns the actions of the answer to the newest TURN.
func (r *run) answer() (jsonscan.Value, error) {
	m, err := r.next(r.TurnTimeout)
	if err == errSilent {
		return nil, r.silent()
	}
	if err != nil {
		return nil, err
	}
	ack, err := netorcai.ParseTurnAck(m.content, r.asked)
	if err != nil {
		return nil, r.badAnswer(m.content, err)
	}
	if ack.Debug != nil {
		if err := netorcai.CheckDebug(ack.Debug); err != nil {
			r.advise("debug", "%s: %v.", sentence(r.moment()), err)
		}
	}
	return ack.Actions, nil
}

// silent returns what is wrong with a bot that has not answered in time. In the first case it waits
// as long again for a late answer.
func (r *run) silent() error {
	if err := r.unfinished(); err != nil {
		return err
	}
	if r.first {
		if _, err := r.next(r.TurnTimeout); err == nil {
			return failed("slow", "Its answer to TURN %d took more than %v.", r.asked, r.TurnTimeout)
		} else if err != errSilent {
			return err
		}
	}
	return failed("silent", "It did not answer TURN %d within %v.", r.asked, r.TurnTimeout)
}

// badAnswer returns what is wrong with a message that is no valid answer.
func (r *run) badAnswer(content []byte, err error) error {
	var field *netorcai.FieldError
	var other *netorcai.TypeError
	switch {
	case errors.As(err, &other):
		return failed("answer-type", "It answered TURN %d with %s.", r.asked, shown(content))
	case errors.As(err, &field) && field.Field == "turn_number" &&
		strings.HasPrefix(err.Error(), "Invalid value"):
		return failed("turn-number", "It answered TURN %d with %s.", r.asked, shown(content))
	case errors.As(err, &field):
		return failed("answer-field", "%v in its answer to TURN %d: %s.", err, r.asked, shown(content))
	case r.Seat.Stdio && !json.Valid(content) &&
		!bytes.HasPrefix(bytes.TrimSpace(content), []byte{'{'}):
		return failed("prints", "It printed the line %q to its standard output %s.", shown(content),
			r.moment())
	}
	return failed("answer-unreadable", "Its answer to TURN %d is %s, which is not one JSON object.",
		r.asked, shown(content))
}

// end ends the match. A bot that stays has the connection kept open, unless last is set.
func (r *run) end(last bool) error {
	frame, err := netorcai.AppendGameEnds(nil, int(r.table.result.Winner), r.table.state)
	if err != nil {
		return err
	}
	if err := r.write(frame); err != nil || !last {
		return err
	}
	return r.kick(netorcai.KickFinished)
}

// kick says that no message follows, and waits until the bot has ended.
func (r *run) kick(reason string) error {
	if err := r.write(netorcai.AppendKick(nil, reason)); err != nil {
		return err
	}
	_ = r.peer.conn.CloseWrite()
	return r.gone("stays-running", "the KICK that is the last message")
}

// pause waits, as a server does.
func (r *run) pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// sentence returns words with a capital letter at their beginning.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }
