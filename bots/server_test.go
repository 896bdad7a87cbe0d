package bots

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

// played holds a server's view of a match with one client.
type played struct {
	nickname string
	role     netorcai.Role
	answers  []string         // by turn
	refused  []engine.Refusal // of all turns
	counts   map[string]int64 // the client's tally
}

// scripted is a server for one match with one client on a board where the other players
// stand still.
type scripted struct {
	m       *hexabomb.Map
	special bool
	turns   int
}

// waitLimit is the longest time that the server waits for the client.
const waitLimit = 20 * time.Second

// host plays the match with the first client that connects.
func (s scripted) host(l net.Listener) (*played, error) {
	l.(*net.TCPListener).SetDeadline(time.Now().Add(waitLimit))
	conn, err := l.Accept()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(waitLimit))
	in := bufio.NewReader(conn)
	login, err := readLogin(in)
	if err != nil {
		return nil, err
	}
	p := &played{nickname: login.Nickname, role: login.Role}
	if _, err := conn.Write(netorcai.AppendLoginAck(nil)); err != nil {
		return nil, err
	}

	game := hexabomb.New(s.m)
	setup := engine.Setup{Players: s.m.Seats(), Turns: s.turns}
	if s.special {
		setup.Specials = 1
	}
	if _, err := game.Start(setup); err != nil {
		return nil, err
	}
	starts, err := netorcai.AppendGameStarts(nil, netorcai.GameStarts{
		NbPlayers: setup.Players, NbSpecialPlayers: setup.Specials, NbTurnsMax: s.turns, State: game.AppendState(nil),
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
	p.counts = map[string]int64{}
	for _, c := range game.AppendTally(nil, 0) {
		p.counts[c.Name] = c.Value
	}
	return p, endMatch(conn, in, state)
}

func readLogin(in *bufio.Reader) (netorcai.Login, error) {
	content, err := netorcai.ReadFrame(in, nil, netorcai.FirstLimit)
	if err != nil {
		return netorcai.Login{}, err
	}
	return netorcai.ParseLogin(content)
}

// turnsOf plays all turns and asks the client, player 0, between them.
func (s scripted) turnsOf(game *hexabomb.Game, conn net.Conn, in *bufio.Reader, p *played) error {
	var inputs []engine.Input
	for turn := 0; ; turn++ {
		result := game.Step(inputs)
		p.refused = append(p.refused, result.Refused...)
		if turn == s.turns-1 {
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
		p.answers = append(p.answers, string(ack.Actions))
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
