package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Client is a logged-in client that does not read states, so that it costs little beside
// the server that it plays on.
type Client struct {
	Player int       // its id, known in Play; negative for a visualization
	Turns  int       // that it received
	Bytes  int64     // of these and the end
	First  time.Time // when the first of them arrived
	Last   time.Time // when the last message arrived

	conn net.Conn
	in   *bufio.Reader
	ack  []byte
	head [256]byte
}

// ErrKicked is the error of a client that the server kicked, or whose login it refused.
// Errors that wrap it have the reason.
var ErrKicked = errors.New("kicked")

const headerBytes = 4

// Login logs in over a connection, which the caller closes.
func Login(conn net.Conn, login netorcai.Login) (*Client, error) {
	c := &Client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	if err := SendLogin(conn, login); err != nil {
		return nil, err
	}
	head, err := c.next()
	if err == nil && !bytes.HasPrefix(head, []byte(`{"message_type":"LOGIN_ACK"`)) {
		err = unexpected(head)
	}
	if err != nil {
		return nil, fmt.Errorf("log in as %s: %w", login.Nickname, err)
	}
	return c, nil
}

// SendLogin sends a LOGIN.
func SendLogin(conn net.Conn, login netorcai.Login) error {
	hello, err := netorcai.AppendLogin(nil, login)
	if err == nil {
		_, err = conn.Write(hello)
	}
	return err
}

// Play plays a match to its end, or to the first error of answer, which it calls for each
// TURN to get a JSON array of actions; nil stands for an empty one.
func (c *Client) Play(answer func(turn int) (actions []byte, err error)) error {
	for {
		head, err := c.next()
		if err != nil {
			return err
		}
		if text, ok := bytes.CutPrefix(head, []byte(`{"message_type":"TURN","turn_number":`)); ok {
			if c.Turns++; c.Turns == 1 {
				c.First = c.Last
			}
			turn := number(text)
			actions, err := answer(turn)
			if err == nil {
				c.ack, err = netorcai.AppendTurnAck(c.ack[:0], turn, actions, nil)
			}
			if err == nil {
				_, err = c.conn.Write(c.ack)
			}
			if err != nil {
				return err
			}
		} else if text, ok := bytes.CutPrefix(
			head, []byte(`{"message_type":"GAME_STARTS","player_id":`),
		); ok {
			c.Player, c.Bytes = number(text), 0
		} else if bytes.HasPrefix(head, []byte(`{"message_type":"GAME_ENDS"`)) {
			return nil
		} else {
			return unexpected(head)
		}
	}
}

// unexpected returns the error of a message that does not belong here.
func unexpected(head []byte) error {
	if bytes.HasPrefix(head, []byte(`{"message_type":"KICK"`)) {
		return fmt.Errorf("%w: %s", ErrKicked, head)
	}
	return fmt.Errorf("unexpected message %s", head)
}

// next reads one message and returns its beginning, valid until the next call.
func (c *Client) next() ([]byte, error) {
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
	c.Last = time.Now()
	c.Bytes += int64(size)
	return c.head[headerBytes:n], nil
}

// number returns the integer at the beginning of text, which a comma ends.
func number(text []byte) int {
	digits, _, _ := bytes.Cut(text, []byte(","))
	n, _ := strconv.Atoi(string(digits))
	return n
}

// rate returns the TURNs per second.
func (c *Client) rate() float64 { return float64(c.Turns) / c.Last.Sub(c.First).Seconds() }

// RandomActions returns one action for each character of a player, as JSON: most walk,
// some drop a bomb or revive. All players have the same number of characters.
func RandomActions(rng *rand.Rand, player, characters int) string {
	actions := make([]string, characters)
	for i := range actions {
		id := player*characters + i
		switch k := rng.IntN(10); {
		case k < 8:
			actions[i] = fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%c%c"}`, id,
				"xyz"[rng.IntN(3)], "+-"[rng.IntN(2)])
		case k == 8:
			actions[i] = fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, id,
				2+rng.IntN(3), 2+rng.IntN(3))
		default:
			actions[i] = fmt.Sprintf(`{"id":%d,"movement":"revive"}`, id)
		}
	}
	return "[" + strings.Join(actions, ",") + "]"
}

// Dial opens a TCP connection, which is closed when ctx is done or hangUp is called.
func Dial(
	ctx context.Context, dialer *net.Dialer, address string,
) (conn *net.TCPConn, hangUp func(), err error) {
	c, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	return c.(*net.TCPConn), func() {
		stop()
		_ = c.Close()
	}, nil
}

// Pause waits for d, or until ctx is done.
func Pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// fresh opens a connection for each request, so that a server at rest has none.
var fresh = http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}

// Get returns the body that an HTTP server answers, on a separate connection. Any
// status but 200 is an error.
func Get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := fresh.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %.200s", url, resp.Status, body)
	}
	return body, err
}
