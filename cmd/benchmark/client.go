package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// client answers every TURN at once without reading the state, so that the server is what
// is timed.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	answers []string // arrays of actions, used one after another
	ack     []byte
	head    [96]byte

	turns    int
	bytes    int64       // of all TURNs and the end
	first    time.Time   // arrival of the first TURN
	last     time.Time   // arrival of the last message
	arrivals []time.Time // of TURNs, as many as its capacity
}

const (
	answerSets  = 16 // answers that a client repeats
	headerBytes = 4
)

// login connects and logs in.
func login(ctx context.Context, addr string, role netorcai.Role, nickname string) (*client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	hello, err := netorcai.AppendLogin(nil, netorcai.Login{Nickname: nickname, Role: role})
	if err == nil {
		_, err = conn.Write(hello)
	}
	if err == nil {
		var head []byte
		if head, err = c.next(); err == nil && !bytes.Contains(head, []byte(`"LOGIN_ACK"`)) {
			err = fmt.Errorf("got %s, want a LOGIN_ACK", head)
		}
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("log in as %s: %w", nickname, err)
	}
	return c, nil
}

// next reads one message and returns its beginning, valid until the next call.
func (c *client) next() ([]byte, error) {
	head, err := c.in.Peek(headerBytes)
	if err != nil {
		return nil, err
	}
	size := headerBytes + int(binary.LittleEndian.Uint32(head))
	head, err = c.in.Peek(min(size, len(c.head)))
	if err != nil {
		return nil, err
	}
	n := copy(c.head[:], head) // Discard may move the peeked bytes
	if _, err = c.in.Discard(size); err != nil {
		return nil, err
	}
	c.last = time.Now()
	c.bytes += int64(size)
	return c.head[headerBytes:n], nil
}

// prepare makes the player's answers. All players have the same number of characters.
func (c *client) prepare(player, characters int) {
	rng := rand.New(rand.NewPCG(uint64(player), 0))
	c.answers = nil
	for range answerSets {
		c.answers = append(c.answers, harness.RandomActions(rng, player, characters))
	}
}

// The beginnings of messages.
const (
	turnHead   = `{"message_type":"TURN","turn_number":`
	startsHead = `{"message_type":"GAME_STARTS","player_id":`
	endsHead   = `{"message_type":"GAME_ENDS"`
)

// play plays until the game ends.
func (c *client) play(characters int) error {
	for {
		head, err := c.next()
		if err != nil {
			return err
		}
		switch {
		case bytes.HasPrefix(head, []byte(turnHead)):
			if err := c.answer(head[len(turnHead):]); err != nil {
				return err
			}
		case bytes.HasPrefix(head, []byte(startsHead)):
			c.bytes = 0
			if player := number(head[len(startsHead):]); player >= 0 {
				c.prepare(player, characters)
			}
		case bytes.HasPrefix(head, []byte(endsHead)):
			return nil
		default:
			return fmt.Errorf("unexpected message %s", head)
		}
	}
}

// answer answers the TURN whose number text begins with.
func (c *client) answer(text []byte) error {
	if c.turns == 0 {
		c.first = c.last
	}
	c.turns++
	if len(c.arrivals) < cap(c.arrivals) {
		c.arrivals = append(c.arrivals, c.last)
	}
	actions := "[]"
	if len(c.answers) > 0 {
		actions = c.answers[c.turns%len(c.answers)]
	}
	c.ack = append(netorcai.BeginFrame(c.ack[:0]), `{"message_type":"TURN_ACK","turn_number":`...)
	c.ack = strconv.AppendInt(c.ack, int64(number(text)), 10)
	c.ack = append(append(c.ack, `,"actions":`...), actions...)
	ack, err := netorcai.EndFrame(append(c.ack, '}'), 0)
	if err != nil {
		return err
	}
	c.ack = ack
	_, err = c.conn.Write(ack)
	return err
}

// number returns the integer at the beginning of text.
func number(text []byte) (n int) {
	sign := 1
	if len(text) > 0 && text[0] == '-' {
		sign, text = -1, text[1:]
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return sign * n
}

// rate returns the TURNs per second.
func (c *client) rate() float64 { return float64(c.turns) / c.last.Sub(c.first).Seconds() }
