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

// KickError reports that the server closed the connection, and the reason that it gave.
type KickError struct{ Reason string }

func (e *KickError) Error() string { return "kicked: " + e.Reason }

// Client is a logged-in player, special player or visualization. It must be used by one
// goroutine at a time, except that Close may be called at any time and ends the calls of
// others.
//
// A match is played by Start, then Next and Answer in turn; Play does all of it for a
// [Bot]. The results of Start and Next point into a buffer that the next call of Next
// overwrites. After an error, including the end of a context, the connection may be in the
// middle of a message, so Close is the only valid call.
type Client struct {
	conn    net.Conn
	in      *bufio.Reader
	content []byte // of the last frame read
	out     []byte // the last frame sent
	debug   []byte // to send with the next answer; may be empty
}

// Dial connects to a server at addr, a host:port, and logs in. The error wraps a
// [*KickError] if the server refuses the login.
func Dial(ctx context.Context, addr string, login Login) (*Client, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	return NewClient(ctx, conn, login)
}

// NewClient logs in over a connection to a server. The client owns conn and closes it if
// the login fails.
func NewClient(ctx context.Context, conn net.Conn, login Login) (*Client, error) {
	c := &Client{conn: conn, in: bufio.NewReaderSize(conn, 32<<10)}
	err := c.within(ctx, func() error { return c.login(login) })
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	return c, nil
}

// Start waits for the start of the match, which may take long.
func (c *Client) Start(ctx context.Context) (starts GameStarts, err error) {
	err = c.within(ctx, func() error { starts, err = c.start(); return err })
	return starts, err
}

// Next waits for the next TURN, which must be answered before the following one is sent, or
// for the end of the match, after which nothing follows. Exactly one of turn and ends is
// not nil unless there is an error.
func (c *Client) Next(ctx context.Context) (turn *Turn, ends *GameEnds, err error) {
	err = c.within(ctx, func() error { turn, ends, err = c.next(); return err })
	if err != nil {
		return nil, nil, err
	}
	return turn, ends, nil
}

// Answer answers the TURN with that number. The actions are a JSON array, nil for an empty
// one; they are sent unchanged.
func (c *Client) Answer(ctx context.Context, turn int, actions []byte) error {
	return c.within(ctx, func() error { return c.answer(turn, actions) })
}

// Show sends d with the next answer, for spectators. Servers ignore it if it is longer than
// [DebugLimit] once encoded.
func (c *Client) Show(d Debug) { c.debug = AppendDebug(c.debug[:0], &d) }

// Close closes the connection.
func (c *Client) Close() error { return c.conn.Close() }

// within runs a call that reads or writes and aborts it when ctx ends.
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
		return c.conn.SetDeadline(time.Time{}) // call returned just before ctx ended
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
	if n, ok := majorOf(version); (!ok || n != major) && !login.AnyServer {
		return fmt.Errorf("the server's metaprotocol version is %q, not %s", clip(version, maxQuoted),
			Version)
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

// next tries a TURN first, so that most messages are parsed once.
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

// kickOr returns err, or the KICK if the message that caused err was one.
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

// longPast is a deadline in the past, which aborts all waiting.
var longPast = time.Unix(1, 0)

// closeWait is the time that Play waits, after GAME_ENDS, for the server to close the connection.
const closeWait = time.Second

// finish reads what follows GAME_ENDS, usually a KICK, until the server closes the
// connection: closing it earlier would reset it while the server is still sending.
func (c *Client) finish() {
	// A deadline in the future could overwrite the one set by within.
	timer := time.AfterFunc(closeWait, func() { c.conn.SetReadDeadline(longPast) })
	defer timer.Stop()
	io.Copy(io.Discard, io.LimitReader(c.in, Limit))
}
