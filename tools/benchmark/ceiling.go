package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// ceilingCommand is the argument that makes this program a server without a game, in a
// separate process as hexarena is.
const ceilingCommand = "ceiling"

// ceiling is a server that sends the same TURN again and again: to the players whenever
// all of them have answered, and to each visualization when it is ready for the next. Its
// rate is the limit that loopback TCP and the scheduler set.
type ceiling struct {
	players, visus, turns int
	turn                  []byte // the frame

	answered chan error // an element for each answer of a player, not nil if reading failed
	audience []*spectator
	readers  sync.WaitGroup
}

// runCeiling listens on a free port, prints its address and plays a match. The arguments
// are the numbers of players, visualizations and TURNs, and the bytes of a TURN.
func runCeiling(args []string, _ io.Reader, out io.Writer) error {
	var c ceiling
	var size int
	text := strings.Join(args, " ")
	if _, err := fmt.Sscan(text, &c.players, &c.visus, &c.turns, &size); err != nil {
		return err
	}
	var err error
	if c.turn, err = appendConstantTurn(nil, size); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	fmt.Fprintln(out, l.Addr())
	return c.serve(l)
}

func (c *ceiling) serve(l net.Listener) error {
	c.answered = make(chan error, c.players)
	var players, all []net.Conn
	defer func() {
		for _, conn := range all {
			conn.Close()
		}
		c.readers.Wait()
	}()
	for len(all) < c.players+c.visus {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		all = append(all, conn)
		in := bufio.NewReader(conn)
		hello, err := netorcai.ReadFrame(in, nil, netorcai.FirstLimit)
		if err != nil {
			return err
		}
		if _, err := conn.Write(netorcai.AppendLoginAck(nil)); err != nil {
			return err
		}
		if bytes.Contains(hello, []byte(`"visualization"`)) {
			s := &spectator{conn: conn, turn: c.turn}
			c.audience = append(c.audience, s)
			c.readers.Go(func() { _ = read(in, s.answer) })
		} else {
			players = append(players, conn)
			c.readers.Go(func() {
				c.answered <- read(in, func() error { c.answered <- nil; return nil })
			})
		}
	}
	return c.play(players, all)
}

// read reads answers, and calls answered after each, until the client disconnects.
func read(in *bufio.Reader, answered func() error) (err error) {
	for answer := []byte(nil); err == nil; err = answered() {
		if answer, err = netorcai.ReadFrame(in, answer, netorcai.Limit); err != nil {
			return err
		}
	}
	return err
}

// play plays the match.
func (c *ceiling) play(players, all []net.Conn) error {
	for i, conn := range all {
		starts, err := netorcai.AppendGameStarts(nil, netorcai.GameStarts{
			PlayerID: i - c.visus, NbPlayers: c.players, NbTurnsMax: c.turns + 1, State: []byte(`{}`),
		})
		if err == nil {
			_, err = conn.Write(starts)
		}
		if err != nil {
			return err
		}
	}
	for range c.turns {
		for _, conn := range players {
			if _, err := conn.Write(c.turn); err != nil {
				return err
			}
		}
		for _, s := range c.audience {
			if err := s.offer(); err != nil {
				return err
			}
		}
		for range players {
			if err := <-c.answered; err != nil {
				return err
			}
		}
	}
	ends, err := netorcai.AppendGameEnds(nil, -1, []byte(`{}`))
	if err != nil {
		return err
	}
	for _, conn := range all {
		if _, err := conn.Write(ends); err != nil {
			return err
		}
	}
	c.readers.Wait() // until all clients have disconnected
	return nil
}

// spectator is a visualization. The match does not wait for it: if it has not answered
// the last TURN yet, it gets the next one as soon as it has.
type spectator struct {
	conn net.Conn
	turn []byte

	mu                sync.Mutex // guards all below
	thinking, pending bool
}

// offer sends the spectator a TURN, now or after its answer.
func (s *spectator) offer() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending = s.thinking; !s.pending {
		s.thinking = true
		_, err = s.conn.Write(s.turn)
	}
	return err
}

// answer notes an answer.
func (s *spectator) answer() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.thinking = s.pending; s.thinking {
		s.pending = false
		_, err = s.conn.Write(s.turn)
	}
	return err
}
