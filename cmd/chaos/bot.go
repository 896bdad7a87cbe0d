package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// kind is a kind of bot. A visit is one connection. Only the error of an honest bot's
// visit counts, since the server may close the other connections at any time.
type kind struct {
	name   string // begins the nicknames of its bots
	what   string
	uncut  bool // its connections are not cut
	enters bool // its connections begin with a LOGIN
	visit  func(*bot, context.Context, *net.TCPConn) error
	visits atomic.Int64
}

var kinds = []*kind{
	{name: "honest", what: "answers every TURN at once", uncut: true, visit: (*bot).honest},
	{name: "slow", what: "reads slowly, and answers late or too late", visit: (*bot).slow},
	{name: "silent", what: "sends nothing, before or after its LOGIN", visit: (*bot).silent},
	{name: "flood", what: "sends unsolicited answers as fast as it can", enters: true, visit: (*bot).flood},
	{name: "garbage", what: "sends bytes that are no message", visit: (*bot).garbage},
	{name: "halfopen", what: "stops in the middle of an answer, and neither reads nor closes the connection", enters: true, visit: (*bot).halfOpen},
	{name: "reset", what: "resets its connection", enters: true, visit: (*bot).reset},
	{name: "back", what: "disconnects and reconnects", visit: (*bot).back},
	{name: "version", what: "speaks another version", visit: (*bot).version},
	{name: "giant", what: "sends giant messages", enters: true, visit: (*bot).giant},
}

// bot is a client of one kind.
type bot struct {
	*kind
	trial *trial
	login netorcai.Login
	addr  string
	rng   *rand.Rand
}

// run makes visits until ctx is done.
func (b *bot) run(ctx context.Context) {
	for ctx.Err() == nil {
		b.visits.Add(1)
		err := b.connect(ctx)
		if b.kind != kinds[0] {
			b.pause(ctx, 200*time.Millisecond)
		} else if err != nil && ctx.Err() == nil {
			b.trial.fail(fmt.Errorf("%s: %w", b.login.Nickname, err))
		}
	}
}

// connect makes one visit.
func (b *bot) connect(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 2*b.trial.matchTime())
	defer stop()
	conn, hangUp, err := harness.Dial(ctx, new(net.Dialer), b.addr)
	if err != nil {
		return err
	}
	defer hangUp()
	if b.enters {
		if err := harness.SendLogin(conn, b.login); err != nil {
			return err
		}
	}
	return b.visit(b, ctx, conn)
}

// pause waits for a random time below limit, or until ctx is done.
func (b *bot) pause(ctx context.Context, limit time.Duration) {
	harness.Pause(ctx, time.Duration(b.rng.Int64N(int64(limit))))
}

// honest plays one match, and reports to the trial when it has a seat and when the match
// is over.
func (b *bot) honest(_ context.Context, conn *net.TCPConn) error {
	c, err := harness.Login(conn, b.login)
	if err != nil {
		return err
	}
	b.trial.seated <- struct{}{}
	next := 0
	err = c.Play(func(turn int) ([]byte, error) {
		if turn != next {
			return nil, fmt.Errorf("received TURN %d", turn)
		}
		next++
		return []byte(harness.RandomActions(b.rng, c.Player, 1)), nil
	})
	if err == nil && next != b.trial.turns-1 { // the first turn is played without players
		err = errors.New("received the end")
	}
	if err != nil {
		return fmt.Errorf("waiting for TURN %d: %w", next, err)
	}
	b.trial.done <- struct{}{}
	return nil
}

// back plays for a random number of turns and disconnects.
func (b *bot) back(_ context.Context, conn *net.TCPConn) error {
	return playTurns(conn, b.login, 1+b.rng.IntN(2*b.trial.turns), func() {})
}

// errEnough is the error of a client that has answered enough TURNs.
var errEnough = errors.New("enough turns")

// playTurns answers the given number of TURNs without actions, after a pause before each.
func playTurns(conn net.Conn, login netorcai.Login, turns int, pause func()) error {
	c, err := harness.Login(conn, login)
	if err != nil {
		return err
	}
	return c.Play(func(int) ([]byte, error) {
		if c.Turns > turns {
			return nil, errEnough
		}
		pause()
		return nil, nil
	})
}

// slowConn is a connection that is read slowly.
type slowConn struct {
	net.Conn
	bot *bot
	ctx context.Context
}

func (s *slowConn) Read(p []byte) (int, error) {
	s.bot.pause(s.ctx, 100*time.Millisecond)
	return s.Conn.Read(p[:min(len(p), 4<<10)])
}

// slow is a player or a visualization that reads slowly.
func (b *bot) slow(ctx context.Context, conn *net.TCPConn) error {
	_ = conn.SetReadBuffer(4 << 10)
	login := b.login
	if b.rng.IntN(2) == 0 {
		login.Role = netorcai.RoleVisualization
	}
	return playTurns(&slowConn{conn, b, ctx}, login, b.trial.turns, func() { b.pause(ctx, 3*b.trial.timeout/2) })
}

// silent waits until the server closes the connection.
func (b *bot) silent(_ context.Context, conn *net.TCPConn) error {
	if b.rng.IntN(2) == 0 {
		if err := harness.SendLogin(conn, b.login); err != nil {
			return err
		}
	}
	return drain(conn)
}

// drain reads until the server closes the connection.
func drain(conn net.Conn) error {
	_, err := io.Copy(io.Discard, conn)
	return err
}

// skipTo reads messages up to the next one of the given type.
func skipTo(conn net.Conn, kind string) error {
	for {
		content, err := netorcai.ReadFrame(conn, nil, netorcai.Limit)
		if err != nil || bytes.HasPrefix(content, []byte(`{"message_type":"`+kind+`"`)) {
			return err
		}
	}
}

// frame returns any content with a message's header.
func frame(content string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)
}

// answer returns a TURN_ACK with any actions.
func answer(turn int, actions string) []byte {
	return frame(fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`+"\n", turn, actions))
}

// flood answers before it is asked, or many times, and does not read.
func (b *bot) flood(_ context.Context, conn *net.TCPConn) error {
	if b.rng.IntN(4) > 0 {
		if err := skipTo(conn, "TURN"); err != nil {
			return err
		}
	}
	// Many in one write: otherwise the flood would cost this program, which also runs
	// the honest bots, far more than the server.
	many := bytes.Repeat(answer(b.rng.IntN(2), "[]"), 500)
	for range 40 {
		if _, err := conn.Write(many); err != nil {
			return err
		}
	}
	return nil
}

// garbage sends random bytes, messages without meaning, or another protocol's requests.
func (b *bot) garbage(_ context.Context, conn *net.TCPConn) error {
	junk := make([]byte, 1+b.rng.IntN(5000))
	for i := range junk {
		junk[i] = byte(b.rng.Uint32())
	}
	switch b.rng.IntN(6) {
	case 0:
		junk = frame(`{"message_type":"LOGIN","nickname":` + strings.Repeat("[", 900))
	case 1:
		junk = frame(string(junk[:min(len(junk), 1000)]))
	case 2:
		junk = append([]byte("GET /api/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"), junk...)
	case 3:
		junk = append([]byte("GET /netorcai HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"), junk...)
	}
	if _, err := conn.Write(junk); err != nil {
		return err
	}
	return drain(conn)
}

// halfOpen behaves like a machine that was switched off in the middle of an answer.
func (b *bot) halfOpen(ctx context.Context, conn *net.TCPConn) error {
	_ = conn.SetReadBuffer(4 << 10)
	if b.rng.IntN(2) == 0 {
		if err := skipTo(conn, "TURN"); err != nil {
			return err
		}
	}
	half := answer(0, "[]")
	if _, err := conn.Write(half[:1+b.rng.IntN(len(half)-1)]); err != nil {
		return err
	}
	b.pause(ctx, 10*b.trial.timeout)
	return nil
}

// reset resets the connection after its LOGIN or in a match.
func (b *bot) reset(ctx context.Context, conn *net.TCPConn) error {
	_ = conn.SetLinger(0)
	switch b.rng.IntN(3) {
	case 0:
		return skipTo(conn, "TURN")
	case 1:
		return skipTo(conn, "GAME_STARTS")
	}
	b.pause(ctx, 100*time.Millisecond)
	return nil
}

// version logs in with another version of the metaprotocol, or an invalid one.
func (b *bot) version(_ context.Context, conn *net.TCPConn) error {
	login := b.login
	login.Version = []string{"1.0.0", "3.0.0", "2", "-1.0.0", "two", strings.Repeat("9", 300)}[b.rng.IntN(6)]
	if err := harness.SendLogin(conn, login); err != nil {
		return err
	}
	return drain(conn)
}

// giant sends messages above the size limit, or just below it.
func (b *bot) giant(_ context.Context, conn *net.TCPConn) error {
	for {
		if err := skipTo(conn, "TURN"); err != nil {
			return err
		}
		message := binary.LittleEndian.AppendUint32(nil, b.rng.Uint32()) // announces a random size
		if i := b.rng.IntN(1 + len(giants)); i < len(giants) {
			message = giants[i]
		}
		if _, err := conn.Write(message); err != nil {
			return err
		}
	}
}

// giants are made once, since they should cost the server's time and not this program's.
var giants = [...][]byte{
	answer(0, "["+strings.Repeat(" ", 2<<20)+"]"),                        // above the limit
	answer(0, strings.Repeat("[", 300_000)+strings.Repeat("]", 300_000)), // too deep
	answer(0, "["+strings.Repeat("0,", 500_000)+"0]"),                    // just below the limit, and without meaning
	answer(0, `[{"id":"`+strings.Repeat("x", 1_000_000)+`"}]`),
}
