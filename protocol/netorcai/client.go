package netorcai

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// KickError is the end of a connection by the server, for a reason that it
// gives.
type KickError struct{ Reason string }

func (e *KickError) Error() string { return "kicked: " + e.Reason }

// Client is one logged in player, special player or visualization. One
// goroutine at a time may use it, except for Close, which any may call at any
// moment and which ends the others' calls.
//
// Start, then Next and Answer by turns, play a match; Play does it all for a
// [Bot]. What Start and Next return points into a buffer that the next call of
// Next overwrites. After an error, the end of a context included, the
// connection may have stopped in the middle of a message: all that is left to
// do is Close.
type Client struct {
	conn    net.Conn
	in      *bufio.Reader
	content []byte // of the last frame
	out     []byte // the last frame sent
	debug   []byte // to be sent with the next answer; empty: none
}

// Dial connects to a server at addr, as host:port, and logs in. The error
// wraps a [*KickError] when the server refuses.
func Dial(ctx context.Context, addr string, login Login) (*Client, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	return NewClient(ctx, conn, login)
}

// NewClient logs in over a connection to a server. The client owns conn from
// here on, which is closed if the login fails.
func NewClient(ctx context.Context, conn net.Conn, login Login) (*Client, error) {
	c := &Client{conn: conn, in: bufio.NewReaderSize(conn, 32<<10)}
	err := c.within(ctx, func() error { return c.login(login) })
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	return c, nil
}

// Start waits for the start of the match, which may be long in coming.
func (c *Client) Start(ctx context.Context) (starts GameStarts, err error) {
	err = c.within(ctx, func() error { starts, err = c.start(); return err })
	return starts, err
}

// Next waits for the next TURN, which has to be answered before there is
// another, or for the end of the match, after which there is nothing to wait
// for. Exactly one of its results is not nil.
func (c *Client) Next(ctx context.Context) (turn *Turn, ends *GameEnds, err error) {
	err = c.within(ctx, func() error { turn, ends, err = c.next(); return err })
	if err != nil {
		return nil, nil, err
	}
	return turn, ends, nil
}

// Answer answers the TURN with the given number. The actions are a JSON array,
// nil for an empty one; they are sent as they are.
func (c *Client) Answer(ctx context.Context, turn int, actions []byte) error {
	return c.within(ctx, func() error { return c.answer(turn, actions) })
}

// Show has the next answer take d along, which whoever watches then sees. What
// is longer than [DebugLimit] when it is sent is ignored by the server.
func (c *Client) Show(d Debug) { c.debug = appendDebug(c.debug[:0], &d) }

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

// within runs a call that reads or writes and cuts it short when ctx ends.
func (c *Client) within(ctx context.Context, call func() error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	cut := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(cut)
		c.conn.SetDeadline(longPast)
	})
	err := call()
	if stop() {
		return err
	}
	<-cut
	if err == nil {
		return c.conn.SetDeadline(time.Time{}) // done just before ctx was
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return context.Cause(ctx)
	}
	return err
}

func (c *Client) login(login Login) error {
	out, err := AppendLogin(c.out[:0], login)
	if err != nil {
		return err
	}
	if err := c.write(out); err != nil {
		return err
	}
	if err := c.read(); err != nil {
		return err
	}
	version, err := ParseLoginAck(c.content)
	if err != nil {
		return c.kickOr(err)
	}
	if n, ok := majorOf(version); !ok || n != major {
		return fmt.Errorf("the server speaks version %q of the metaprotocol, not %s", clip(version, maxQuoted), Version)
	}
	return nil
}

func (c *Client) start() (GameStarts, error) {
	if err := c.read(); err != nil {
		return GameStarts{}, err
	}
	starts, err := ParseGameStarts(c.content)
	return starts, c.kickOr(err)
}

// next tries a TURN first, so that most messages are looked at once.
func (c *Client) next() (*Turn, *GameEnds, error) {
	if err := c.read(); err != nil {
		return nil, nil, err
	}
	turn, err := ParseTurn(c.content)
	if err == nil {
		return &turn, nil, nil
	}
	if other := (*TypeError)(nil); errors.As(err, &other) && other.Got == typeGameEnds {
		ends, err := ParseGameEnds(c.content)
		return nil, &ends, err
	}
	return nil, nil, c.kickOr(err)
}

func (c *Client) answer(turn int, actions []byte) error {
	out, err := AppendTurnAck(c.out[:0], turn, actions, c.debug)
	c.debug = c.debug[:0]
	if err != nil {
		return err
	}
	return c.write(out)
}

// kickOr is err, unless the message that led to it is a KICK.
func (c *Client) kickOr(err error) error {
	if other := (*TypeError)(nil); errors.As(err, &other) && other.Got == typeKick {
		reason, err := ParseKick(c.content)
		if err != nil {
			return err
		}
		return &KickError{Reason: reason}
	}
	return err
}

func (c *Client) read() error {
	content, err := ReadFrame(c.in, c.content, Limit)
	if err != nil {
		return err
	}
	c.content = content
	return nil
}

func (c *Client) write(frame []byte) error {
	c.out = frame
	if _, err := c.conn.Write(frame); err != nil {
		return fmt.Errorf("send to the server: %w", err)
	}
	return nil
}

// longPast is a deadline that ends all waiting.
var longPast = time.Unix(1, 0)

// farewell is how long Play waits, after GAME_ENDS, for the server to hang up.
const farewell = time.Second

// finish reads what follows GAME_ENDS, a KICK as a rule, until the server hangs
// up: closing earlier would reset the connection under the server's last words.
func (c *Client) finish() {
	// Not by setting a deadline ahead, which could undo that of within.
	timer := time.AfterFunc(farewell, func() { c.conn.SetReadDeadline(longPast) })
	defer timer.Stop()
	io.Copy(io.Discard, io.LimitReader(c.in, Limit))
}
