package netorcai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

var (
	errDiary  = errors.New("the bot gives up")
	errEnough = errors.New("enough")
)

const (
	loginAck   = `{"message_type":"LOGIN_ACK","metaprotocol_version":"2.0.0"}`
	gameStarts = `{"message_type":"GAME_STARTS","player_id":0,"nb_players":1,"nb_special_players":0,"nb_turns_max":9,` +
		`"milliseconds_before_first_turn":0,"milliseconds_between_turns":0,"initial_game_state":{"step":0},"players_info":[]}`
	firstTurn = `{"message_type":"TURN","turn_number":0,"game_state":{"step":1},"players_info":[]}`
	gameEnds  = `{"message_type":"GAME_ENDS","winner_player_id":0,"game_state":{"step":2}}`
)

// sendTo reads the LOGIN, sends the contents and waits until the client closes the
// connection. It closes sent, if not nil, after the last content.
func sendTo(sent chan<- struct{}, contents ...string) func(net.Conn) error {
	return func(conn net.Conn) error {
		in := bufio.NewReader(conn)
		if _, err := ReadFrame(in, nil, FirstLimit); err != nil {
			return err
		}
		for _, content := range contents {
			if _, err := conn.Write(frameOf(content + "\n")); err != nil {
				return err
			}
		}
		if sent != nil {
			close(sent)
		}
		io.Copy(io.Discard, in)
		return nil
	}
}

func dial(t *testing.T, talk func(net.Conn) error) *Client {
	t.Helper()
	addr, wait := serve(t, talk)
	c, err := Dial(testContext(t), addr, Login{Nickname: "ada", Role: RolePlayer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		if err := wait(); err != nil {
			t.Errorf("the server: %v", err)
		}
	})
	return c
}

// TestContextEndsCalls checks that the end of a context aborts every call that waits.
func TestContextEndsCalls(t *testing.T) {
	tests := []struct {
		name string
		sent []string
		call func(ctx context.Context, c *Client) error
	}{
		{"Start", nil, func(ctx context.Context, c *Client) error { _, err := c.Start(ctx); return err }},
		{"Next", []string{gameStarts}, func(ctx context.Context, c *Client) error {
			c.Start(ctx)
			_, _, err := c.Next(ctx)
			return err
		}},
		{"Play before the start", nil, func(ctx context.Context, c *Client) error {
			return c.Play(ctx,
				&diary{})
		}},
		{"Play", []string{gameStarts, firstTurn}, func(ctx context.Context, c *Client) error {
			return c.Play(ctx, &diary{failAt: -2})
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sent := make(chan struct{})
			c := dial(t, sendTo(sent, append([]string{loginAck}, test.sent...)...))
			ctx, cancel := context.WithCancelCause(testContext(t))
			result := make(chan error, 1)
			go func() { result <- test.call(ctx, c) }()
			<-sent
			cancel(errEnough)
			if err := <-result; !errors.Is(err, errEnough) {
				t.Errorf("%s returns %v, want %v", test.name, err, errEnough)
			}
			if _, err := c.Start(ctx); !errors.Is(err, errEnough) {
				t.Errorf("Start with an ended context = %v, want %v", err, errEnough)
			}
		})
	}
}

// TestContextEndsWrite cancels a call that waits for a server which does not read.
func TestContextEndsWrite(t *testing.T) {
	thorough.Long(t)
	sent, over := make(chan struct{}), make(chan struct{})
	c := dial(t, func(conn net.Conn) error {
		if _, err := ReadFrame(bufio.NewReader(conn), nil, FirstLimit); err != nil {
			return err
		}
		_, err := conn.Write(frameOf(loginAck))
		close(sent)
		<-over
		return err
	})
	t.Cleanup(func() { close(over) })
	ctx, cancel := context.WithCancelCause(testContext(t))
	result := make(chan error, 1)
	go func() {
		huge := []byte(`["` + strings.Repeat("x", Limit-100) + `"]`)
		for {
			if err := c.Answer(ctx, 0, huge); err != nil {
				result <- err
				return
			}
		}
	}()
	<-sent
	cancel(errEnough)
	if err := <-result; !errors.Is(err, errEnough) {
		t.Errorf("Answer = %v, want %v", err, errEnough)
	}
}

func TestContextEndsLogin(t *testing.T) {
	ctx, cancel := context.WithCancelCause(testContext(t))
	addr, wait := serve(t, func(conn net.Conn) error {
		in := bufio.NewReader(conn)
		_, err := ReadFrame(in, nil, FirstLimit)
		cancel(errEnough)
		io.Copy(io.Discard, in)
		return err
	})
	if _, err := Dial(ctx, addr, Login{Nickname: "ada", Role: RolePlayer}); !errors.Is(err, errEnough) {
		t.Errorf("Dial = %v, want %v", err, errEnough)
	}
	if err := wait(); err != nil {
		t.Errorf("the server: %v", err)
	}
}

func TestContextEndsFrame(t *testing.T) {
	ctx, cancel := context.WithCancelCause(testContext(t))
	c := dial(t, func(conn net.Conn) error {
		in := bufio.NewReader(conn)
		if _, err := ReadFrame(in, nil, FirstLimit); err != nil {
			return err
		}
		_, err := conn.Write(append(frameOf(loginAck), frameOf(gameStarts)[:50]...))
		cancel(errEnough)
		io.Copy(io.Discard, in)
		return err
	})
	if _, err := c.Start(ctx); !errors.Is(err, errEnough) {
		t.Errorf("Start = %v, want %v", err, errEnough)
	}
}

func TestCloseEndsCalls(t *testing.T) {
	sent := make(chan struct{})
	c := dial(t, sendTo(sent, loginAck))
	result := make(chan error, 1)
	go func() { _, err := c.Start(testContext(t)); result <- err }()
	<-sent
	c.Close()
	if err := <-result; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Start = %v, want %v", err, net.ErrClosed)
	}
}

func TestDialWithoutServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, err = Dial(testContext(t), l.Addr().String(), Login{Nickname: "ada", Role: RolePlayer})
	if op := (*net.OpError)(nil); !errors.As(err, &op) ||
		!strings.HasPrefix(err.Error(), "connect to the server: ") {
		t.Errorf("Dial = %v, want an error of the connection", err)
	}
}

func TestKickErrorType(t *testing.T) {
	addr, wait := serve(t, sendTo(nil, `{"message_type":"KICK","kick_reason":"`+KickStarted+`"}`))
	_, err := Dial(testContext(t), addr, Login{Nickname: "ada", Role: RolePlayer})
	if kick := (*KickError)(nil); !errors.As(err, &kick) || kick.Reason != KickStarted {
		t.Errorf("Dial = %v, want a KickError with %q", err, KickStarted)
	}
	if err := wait(); err != nil {
		t.Errorf("the server: %v", err)
	}
}

func TestBotErrors(t *testing.T) {
	for failAt, want := range map[int]string{
		-1: "start: the bot gives up", 0: "turn 0: the bot gives up",
	} {
		c := dial(t, sendTo(nil, loginAck, gameStarts, firstTurn))
		err := c.Play(testContext(t), &diary{failAt: failAt})
		if !errors.Is(err, errDiary) || err.Error() != want {
			t.Errorf("Play of a bot that fails at %d = %v, want %s", failAt, err, want)
		}
	}
}

// TestStartNextAnswer plays a match without Play.
func TestStartNextAnswer(t *testing.T) {
	thorough.Long(t)
	ctx := testContext(t)
	c := dial(t, sendTo(nil, loginAck, gameStarts, firstTurn, gameEnds))
	starts, err := c.Start(ctx)
	if err != nil || string(starts.State) != `{"step":0}` {
		t.Fatalf("Start = %v, %v", starts, err)
	}
	turn, ends, err := c.Next(ctx)
	if err != nil || ends != nil || turn.Number != 0 || string(turn.State) != `{"step":1}` {
		t.Fatalf("Next = %v, %v, %v, want turn 0", turn, ends, err)
	}
	if err := c.Answer(ctx, 0, []byte(strings.Repeat("x", Limit))); !errors.Is(err, ErrTooBig) {
		t.Errorf("Answer with 16 MiB = %v, want %v", err, ErrTooBig)
	}
	if err := c.Answer(ctx, 0, nil); err != nil {
		t.Fatal(err)
	}
	turn, ends, err = c.Next(ctx)
	if err != nil || turn != nil || ends.WinnerPlayerID != 0 || string(ends.State) != `{"step":2}` {
		t.Fatalf("Next = %v, %v, %v, want the end", turn, ends, err)
	}
}

// TestLateCancel ends a context after a call is done but before it returns: the call
// succeeds, and the next one is not aborted.
func TestLateCancel(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	c := &Client{conn: near, in: bufio.NewReader(near)}
	defer c.Close()
	ctx, cancel := context.WithCancel(testContext(t))
	if err := c.within(ctx, func() error { cancel(); return nil }); err != nil {
		t.Fatalf("within = %v, want nil", err)
	}
	go far.Write(frameOf(gameStarts))
	if _, err := c.Start(testContext(t)); err != nil {
		t.Errorf("Start = %v, want nil", err)
	}
}

// TestPlayEndsWithoutClose checks that Play returns although the server stays silent
// after GAME_ENDS.
func TestPlayEndsWithoutClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		go func() {
			for _, content := range []string{loginAck, gameStarts, gameEnds} {
				if content == loginAck {
					ReadFrame(far, nil, FirstLimit)
				}
				far.Write(frameOf(content))
			}
		}()
		c, err := NewClient(t.Context(), near, Login{Nickname: "ada", Role: RolePlayer})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		begin := time.Now()
		if err := c.Play(t.Context(), &diary{}); err != nil {
			t.Errorf("Play = %v, want nil", err)
		}
		if took := time.Since(begin); took != closeWait {
			t.Errorf("Play waits %v for the server to close the connection, want %v", took, closeWait)
		}
	})
}

// TestTurnsAllocateLittle limits the allocations of a turn.
func TestTurnsAllocateLittle(t *testing.T) {
	turn := frameOf(firstTurn + "\n")
	wire := &loop{content: turn}
	c := &Client{conn: wire, in: bufio.NewReader(wire)}
	n := testing.AllocsPerRun(100, func() {
		turn, _, err := c.next()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.answer(turn.Number, nil); err != nil {
			t.Fatal(err)
		}
	})
	if n > 1 { // the Turn
		t.Errorf("a turn allocates %v times, want 1", n)
	}
}

// loop is a connection that delivers the same message again and again.
type loop struct {
	net.Conn
	content []byte
	rest    bytes.Reader
}

func (l *loop) Read(p []byte) (int, error) {
	if l.rest.Len() == 0 {
		l.rest.Reset(l.content)
	}
	return l.rest.Read(p)
}

func (l *loop) Write(p []byte) (int, error) { return len(p), nil }
