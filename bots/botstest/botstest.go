// Package botstest hosts matches for tests of bots: one connection, a board on which the other
// players stand still, and an account of what the client did.
package botstest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Played is a server's view of a match with one client.
type Played struct {
	Login   netorcai.Login
	Answers []string         // by turn
	Refused []engine.Refusal // of all turns
	Counts  map[string]int64 // the client's tally
}

// Match is a match with one client, player 0, in which the other players stand still.
type Match struct {
	Map     *hexabomb.Map
	Special bool // with a special player, which the client is
	Draft   bool // by the draft rules
	Turns   int
}

// Patience is the longest time that the server waits for the client.
const Patience = 20 * time.Second

// Host plays the match with the first client that connects.
func (s Match) Host(l net.Listener) (*Played, error) {
	l.(*net.TCPListener).SetDeadline(time.Now().Add(Patience))
	conn, err := l.Accept()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(Patience))
	in := bufio.NewReader(conn)
	login, err := ReadLogin(in)
	if err != nil {
		return nil, err
	}
	p := &Played{Login: login}
	if _, err := conn.Write(netorcai.AppendLoginAck(nil)); err != nil {
		return nil, err
	}

	game := hexabomb.New(s.Map)
	if s.Draft {
		game = hexabomb.Compile(s.Map).NewDraftGame()
	}
	setup := engine.Setup{Players: s.Map.Seats(), Turns: s.Turns}
	if s.Special {
		setup.Specials = 1
	}
	if _, err := game.Start(setup); err != nil {
		return nil, err
	}
	starts, err := netorcai.AppendGameStarts(nil, netorcai.GameStarts{
		NbPlayers: setup.Players, NbSpecialPlayers: setup.Specials, NbTurnsMax: s.Turns,
		State: game.AppendState(nil),
	})
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(starts); err != nil {
		return nil, err
	}
	if err := s.turnsOf(game, conn, in, p); err != nil {
		return nil, err
	}
	state := game.AppendState(nil)
	p.Counts = map[string]int64{}
	for _, c := range game.AppendTally(nil, 0) {
		p.Counts[c.Name] = c.Value
	}
	return p, endMatch(conn, in, state)
}

// ReadLogin reads the LOGIN of a client.
func ReadLogin(in *bufio.Reader) (netorcai.Login, error) {
	content, err := netorcai.ReadFrame(in, nil, netorcai.FirstLimit)
	if err != nil {
		return netorcai.Login{}, err
	}
	return netorcai.ParseLogin(content)
}

// turnsOf plays all turns and asks the client, player 0, between them.
func (s Match) turnsOf(game *hexabomb.Game, conn net.Conn, in *bufio.Reader, p *Played) error {
	var inputs []engine.Input
	for turn := 0; ; turn++ {
		result := game.Step(inputs)
		p.Refused = append(p.Refused, result.Refused...)
		if turn == s.Turns-1 {
			return nil
		}
		frame, err := netorcai.AppendTurn(nil, turn, game.AppendState(nil), nil)
		if err != nil {
			return err
		}
		if _, err := conn.Write(frame); err != nil {
			return err
		}
		content, err := netorcai.ReadFrame(in, nil, netorcai.Limit)
		if err != nil {
			return fmt.Errorf("turn %d: %w", turn, err)
		}
		ack, err := netorcai.ParseTurnAck(content, turn)
		if err != nil {
			return fmt.Errorf("turn %d: %w", turn, err)
		}
		p.Answers = append(p.Answers, string(ack.Actions))
		inputs = []engine.Input{{Player: 0, Turn: turn, Actions: ack.Actions}}
	}
}

// endMatch ends the match like a server and waits until the client closes the connection.
func endMatch(conn net.Conn, in *bufio.Reader, state []byte) error {
	frame, err := netorcai.AppendGameEnds(nil, -1, state)
	if err != nil {
		return err
	}
	if _, err := conn.Write(netorcai.AppendKick(frame, netorcai.KickFinished)); err != nil {
		return err
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		return err
	}
	rest, err := io.Copy(io.Discard, in)
	if err == nil && rest > 0 {
		err = fmt.Errorf("%d bytes after GAME_ENDS", rest)
	}
	return err
}
