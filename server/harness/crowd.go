package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Crowd is the clients of one match. They answer every TURN at once, without reading the
// state, so that the server is what is timed.
type Crowd struct {
	Players, Visus int
	Characters     int            // of each player
	Arrivals       int            // TURNs whose times of arrival each player keeps
	Turn           func(turn int) // called by the first player for each TURN; may be nil
	Ended          func()         // called when all clients have seen the end; may be nil
}

// Outcome is what a crowd measured in a match.
type Outcome struct {
	Turns     int           // that the first player received
	Rate      float64       // turns per second, as seen by the players
	VisuRate  float64       // TURNs per second, the sum of all visualizations
	TurnBytes int           // mean size of a player's TURN
	Arrivals  [][]time.Time // of TURNs at each player
}

// Play plays one match on a server, which starts it when all clients have logged in.
func (w Crowd) Play(ctx context.Context, addr string) (o Outcome, err error) {
	clients := make([]*client, w.Visus+w.Players)
	errs := make([]error, len(clients))
	var all sync.WaitGroup
	defer all.Wait()
	for i := range clients {
		login := netorcai.Login{Nickname: fmt.Sprint("v", i), Role: netorcai.RoleVisualization}
		if i >= w.Visus {
			login = netorcai.Login{Nickname: fmt.Sprint("p", i), Role: netorcai.RolePlayer}
		}
		c, hangUp, err := newClient(ctx, addr, login)
		if err != nil {
			return o, err
		}
		defer hangUp()
		clients[i] = c
	}
	visus, players := clients[:w.Visus], clients[w.Visus:]
	for _, c := range players {
		c.arrivals = make([]time.Time, 0, w.Arrivals)
	}
	players[0].turn = w.Turn
	for i, c := range clients {
		all.Go(func() { errs[i] = c.play(w.Characters) })
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return o, fmt.Errorf("client %d: %w", i, err)
		}
	}
	if w.Ended != nil {
		w.Ended()
	}
	o.Turns = players[0].turns
	for _, c := range players {
		o.Rate += c.rate() / float64(len(players))
		o.TurnBytes += int(c.bytes) / (c.turns + 1) / len(players)
		o.Arrivals = append(o.Arrivals, c.arrivals)
	}
	for _, c := range visus {
		o.VisuRate += c.rate()
	}
	return o, nil
}

// client is one client of a crowd.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	answers [][]byte // arrays of actions, used one after another; empty for a visualization
	ack     []byte
	head    [96]byte
	turn    func(int) // may be nil

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

// newClient connects and logs in. hangUp disconnects the client, as the end of ctx does.
func newClient(ctx context.Context, addr string, login netorcai.Login) (c *client, hangUp func(), err error) {
	conn, hangUp, err := Dial(ctx, new(net.Dialer), addr)
	if err != nil {
		return nil, nil, err
	}
	c = &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	hello, err := netorcai.AppendLogin(nil, login)
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
		hangUp()
		return nil, nil, fmt.Errorf("log in as %s: %w", login.Nickname, err)
	}
	return c, hangUp, nil
}

// next reads one message and returns its beginning, valid until the next call.
func (c *client) next() ([]byte, error) {
	head, err := c.in.Peek(headerBytes)
	if err != nil {
		return nil, err
	}
	size := headerBytes + int(binary.LittleEndian.Uint32(head))
	if head, err = c.in.Peek(min(size, len(c.head))); err != nil {
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

// play plays until the game ends. All players have the same number of characters.
func (c *client) play(characters int) error {
	for {
		head, err := c.next()
		if err != nil {
			return err
		}
		if text, ok := bytes.CutPrefix(head, []byte(`{"message_type":"TURN","turn_number":`)); ok {
			if err := c.answer(number(text)); err != nil {
				return err
			}
		} else if text, ok := bytes.CutPrefix(head, []byte(`{"message_type":"GAME_STARTS","player_id":`)); ok {
			c.bytes = 0
			player := number(text)
			rng := rand.New(rand.NewPCG(uint64(player), 0))
			for len(c.answers) < answerSets && player >= 0 {
				c.answers = append(c.answers, []byte(RandomActions(rng, player, characters)))
			}
		} else if bytes.HasPrefix(head, []byte(`{"message_type":"GAME_ENDS"`)) {
			return nil
		} else {
			return fmt.Errorf("unexpected message %s", head)
		}
	}
}

// answer notes a TURN and answers it.
func (c *client) answer(turn int) (err error) {
	if c.turns == 0 {
		c.first = c.last
	}
	c.turns++
	if len(c.arrivals) < cap(c.arrivals) {
		c.arrivals = append(c.arrivals, c.last)
	}
	if c.turn != nil {
		c.turn(turn)
	}
	var actions []byte
	if len(c.answers) > 0 {
		actions = c.answers[c.turns%len(c.answers)]
	}
	if c.ack, err = netorcai.AppendTurnAck(c.ack[:0], turn, actions, nil); err == nil {
		_, err = c.conn.Write(c.ack)
	}
	return err
}

// number returns the integer at the beginning of text, which a comma ends.
func number(text []byte) int {
	digits, _, _ := bytes.Cut(text, []byte(","))
	n, _ := strconv.Atoi(string(digits))
	return n
}

// rate returns the TURNs per second.
func (c *client) rate() float64 { return float64(c.turns) / c.last.Sub(c.first).Seconds() }
