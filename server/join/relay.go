package join

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/session"
)

// game is a match that the bot plays.
type game struct {
	netorcai.GameStarts
	content  []byte // of its GAME_STARTS
	turn     int    // number of the newest TURN; -1: none yet
	shown    []byte // its content
	answered int    // number of the TURN that the bot answered last; -1: none yet
	answer   []byte // the content of that TURN_ACK
}

// heardBot handles a message of the bot.
func (r *relay) heardBot(b *bot, conn session.Conn, content []byte) error {
	g := r.match
	switch {
	case r.bot != b || b.conn != conn: // it was dismissed
	case !b.loggedIn:
		return r.loginOf(b, content)
	case b.late:
		b.late = false
		r.start(b)
	case g == nil: // the match is over
	case b.asked < 0: // the server says what is wrong with that
		if r.link != nil && r.link.seated {
			r.link.send(content)
		}
	default:
		asked := b.asked
		b.asked = -1
		if asked == g.turn {
			g.answered, g.answer = asked, content
			r.reply()
		}
		r.offer(b)
	}
	return nil
}

// loginOf handles the bot's LOGIN. The server gets it with the token, and with the request to stay.
func (r *relay) loginOf(b *bot, content []byte) error {
	login, err := netorcai.ParseLogin(content)
	if err == nil && login.Role == netorcai.RoleGameLogic {
		err = errors.New("hexarena join is for players, not for a game logic")
	}
	if err != nil {
		b.farewell(netorcai.KickFirstMessage + err.Error())
		return nil
	}
	b.loggedIn, b.stay = true, login.Stay
	login.Nickname = cmp.Or(r.opts.Nickname, login.Nickname)
	login.Token = cmp.Or(r.opts.Token, login.Token)
	login.Code = cmp.Or(login.Code, r.opts.digest())
	login.Stay = true
	if r.known && login != r.login && r.match == nil {
		r.leave()
	}
	if r.login, r.known = login, true; r.link == nil {
		r.connect()
		return nil
	}
	r.greet(b)
	return nil
}

// greet accepts the bot's LOGIN when the server has, and shows it the match that is being played.
func (r *relay) greet(b *bot) {
	if b == nil || !b.loggedIn || b.greeted || r.link == nil || !r.link.loggedIn {
		return
	}
	b.greeted = true
	b.tell(netorcai.AppendLoginAck(nil))
	r.start(b)
}

// start sends the bot the GAME_STARTS of the match, if there is one that it does not play yet.
func (r *relay) start(b *bot) {
	g := r.match
	if g == nil || b == nil || !b.greeted || b.playing || b.late {
		return
	}
	b.playing = true
	if b.stay {
		b.forward(g.content)
	} else { // as a bot without extensions knows it
		plain := g.GameStarts
		plain.Match, plain.Seed = 0, 0
		if frame, err := netorcai.AppendGameStarts(nil, plain); err == nil {
			b.tell(frame)
		}
	}
	r.offer(b)
}

// offer sends the bot the newest TURN, if it is ready for it and has not answered it.
func (r *relay) offer(b *bot) {
	g := r.match
	if b != nil && b.playing && b.asked < 0 && g.turn >= 0 && g.turn != g.answered {
		b.asked = g.turn
		b.forward(g.shown)
	}
}

// reply sends the server the bot's answer to the newest TURN, if the server waits for it: over a
// connection that replaced a broken one, it first sends the TURN again.
func (r *relay) reply() {
	if l, g := r.link, r.match; l != nil && l.asked >= 0 && l.asked == g.answered {
		l.asked = -1
		l.send(g.answer)
	}
}

// received handles a message of the server.
func (r *relay) received(content []byte) error {
	turn, err := netorcai.ParseTurn(content)
	if err == nil {
		r.turn(turn.Number, content)
		return nil
	}
	var other *netorcai.TypeError
	if !errors.As(err, &other) {
		return fmt.Errorf("the server sent a message that cannot be read: %w", err)
	}
	switch other.Got {
	case "LOGIN_ACK":
		r.admitted()
		return nil
	case "GAME_STARTS":
		return r.begin(content)
	case "TURN_OVER":
		return r.turnOver(content)
	case "GAME_ENDS":
		return r.end(content)
	case "KICK":
		return r.kicked(content)
	}
	return fmt.Errorf("the server sent a message that is not for players: %w", err)
}

// turn handles a TURN. One that the bot has answered comes again over a connection that replaced a
// broken one: the answer may have been lost.
func (r *relay) turn(number int, content []byte) {
	g := r.match
	if g == nil {
		return
	}
	g.turn, g.shown, r.link.asked = number, content, number
	r.reply()
	r.offer(r.bot)
}

// turnOver handles a TURN_OVER, which the server sends if the bot has asked for it.
func (r *relay) turnOver(content []byte) error {
	turn, err := netorcai.ParseTurnOver(content)
	if err != nil {
		return fmt.Errorf("the server sent a message that cannot be read: %w", err)
	}
	if b := r.bot; b != nil && b.playing && b.asked == turn {
		b.forward(content)
	}
	return nil
}

// begin handles a GAME_STARTS. It comes again over a connection that replaced a broken one.
func (r *relay) begin(content []byte) error {
	starts, err := netorcai.ParseGameStarts(content)
	if err != nil {
		return fmt.Errorf("the server sent a match that cannot be read: %w", err)
	}
	r.link.seated = true
	if g := r.match; g != nil {
		if g.Match == starts.Match && g.Seed == starts.Seed && g.PlayerID == starts.PlayerID {
			return nil
		}
		r.say("The match that the bot played has ended without it.")
		r.match = nil
		if r.bot != nil && r.bot.playing {
			r.dismiss(netorcai.KickFinished)
		}
	}
	r.match = &game{GameStarts: starts, content: content, turn: -1, answered: -1}
	r.played = true
	r.say("%s begins with %d players: the bot is player %d.", title(starts),
		starts.NbPlayers+starts.NbSpecialPlayers, starts.PlayerID)
	r.start(r.bot)
	return nil
}

// end handles a GAME_ENDS.
func (r *relay) end(content []byte) error {
	ends, err := netorcai.ParseGameEnds(content)
	if err != nil {
		return fmt.Errorf("the server sent the end of a match that cannot be read: %w", err)
	}
	g, b, l := r.match, r.bot, r.link
	if g == nil {
		return nil
	}
	r.match, l.seated, r.pause = nil, false, firstPause
	if l.asked >= 0 { // the server waits for it before the next match
		if frame, err := netorcai.AppendTurnAck(nil, l.asked, nil, nil); err == nil {
			l.send(frame[frameHead:])
		}
		l.asked = -1
	}
	r.report(g, ends)
	if b == nil || !b.playing {
		return nil
	}
	b.forward(content)
	if !b.stay || b.stale {
		r.dismiss(netorcai.KickFinished)
		return nil
	}
	b.playing, b.late, b.asked = false, b.asked >= 0, -1
	return nil
}

// frameHead is the size of a frame's head in bytes, which a WebSocket does without.
const frameHead = 4

// title names a match.
func title(g netorcai.GameStarts) string {
	if g.Match == 0 {
		return "The match"
	}
	return fmt.Sprintf("Match %d", g.Match)
}
