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
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// client answers every TURN at once and never looks at the state, so that what
// is timed is the server.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	answers []string // arrays of actions, used one after another
	ack     []byte
	head    [96]byte

	turns    int
	bytes    int64       // of all TURNs and the end
	first    time.Time   // TURN
	last     time.Time   // message, the end of the game
	arrivals []time.Time // of TURNs, if there is room
}

const (
	answerSets  = 16
	headerBytes = 4
)

// login connects and logs in. A player's characters have the ids that they have
// when all players have as many.
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
			err = fmt.Errorf("instead of a LOGIN_ACK came %s", head)
		}
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("log in as %s: %w", nickname, err)
	}
	return c, nil
}

// next reads one message and returns how it begins, valid until the next call.
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
	n := copy(c.head[:], head) // what is peeked at moves when more is read
	if _, err = c.in.Discard(size); err != nil {
		return nil, err
	}
	c.last = time.Now()
	c.bytes += int64(size)
	return c.head[headerBytes:n], nil
}

// act chooses what a player does: characters walk, drop bombs and come back. The
// ids are those of a match in which every player has so many characters.
func (c *client) act(player, characters int) {
	rng := rand.New(rand.NewPCG(uint64(player), 0))
	c.answers = nil
	for range answerSets {
		var orders []string
		for i := range characters {
			id := player*characters + i
			switch k := rng.IntN(10); {
			case k < 8:
				orders = append(orders, fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%c%c"}`, id, "xyz"[rng.IntN(3)], "+-"[rng.IntN(2)]))
			case k == 8:
				orders = append(orders, fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, id, 2+rng.IntN(3), 2+rng.IntN(3)))
			default:
				orders = append(orders, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, id))
			}
		}
		c.answers = append(c.answers, "["+strings.Join(orders, ",")+"]")
	}
}

// What messages begin with.
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
				c.act(player, characters)
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

// number reads the integer that text begins with.
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

// rate is how many TURNs came in a second.
func (c *client) rate() float64 { return float64(c.turns) / c.last.Sub(c.first).Seconds() }
