//go:build linux

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
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// oddities are the ways in which an odd client misbehaves; each of its visits is one of them.
var oddities = []func(*visitor, context.Context) error{
	(*visitor).flood, (*visitor).junk, (*visitor).halfOpen, (*visitor).reset,
	(*visitor).leave, (*visitor).version, (*visitor).giant, (*visitor).slow,
}

// odd plays until the attack begins. From then on it misbehaves.
func (v *visitor) odd(ctx context.Context) error {
	if v.attacking() {
		return oddities[rand.IntN(len(oddities))](v, ctx)
	}
	return v.answerWhile(v.conn, netorcai.RolePlayer, func(int) bool { return !v.attacking() })
}

// answerWhile logs in and answers each TURN without actions while goOn reports true.
func (v *visitor) answerWhile(conn net.Conn, role netorcai.Role, goOn func(turns int) bool) error {
	c, err := harness.Login(conn, netorcai.Login{Nickname: v.name(), Role: role})
	if err != nil {
		return err
	}
	return c.Play(func(int) ([]byte, error) {
		if !goOn(c.Turns) {
			return nil, errEnough
		}
		return nil, nil
	})
}

// errEnough is the error of a client that has answered enough TURNs.
var errEnough = errors.New("enough turns")

// name returns the nickname of an odd client.
func (v *visitor) name() string { return fmt.Sprint("odd", v.number) }

// enter logs in as a player.
func (v *visitor) enter() error {
	return harness.SendLogin(v.conn, netorcai.Login{Nickname: v.name(), Role: netorcai.RolePlayer})
}

// enterUntil logs in and reads messages until one has the type.
func (v *visitor) enterUntil(kind string) error {
	if err := v.enter(); err != nil {
		return err
	}
	for {
		content, err := netorcai.ReadFrame(v.conn, nil, netorcai.Limit)
		if err != nil || bytes.HasPrefix(content, []byte(`{"message_type":"`+kind+`"`)) {
			return err
		}
	}
}

// drain reads until the server closes the connection.
func (v *visitor) drain() error {
	_, err := io.Copy(io.Discard, v.conn)
	return errors.Join(errRefused, err)
}

// frame returns any content with a message's header.
func frame(content string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)
}

// answer returns a TURN_ACK with any actions.
func answer(turn int, actions string) []byte {
	return frame(fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`+"\n",
		turn, actions))
}

// flood answers before it is asked, or many times, and does not read.
func (v *visitor) flood(context.Context) error {
	enter := v.enter
	if rand.IntN(4) > 0 {
		enter = func() error { return v.enterUntil("TURN") }
	}
	if err := enter(); err != nil {
		return err
	}
	// Many in one write: otherwise the flood would cost this program more than the server.
	many := bytes.Repeat(answer(rand.IntN(2), "[]"), 500)
	for range 40 {
		if err := v.send(many); err != nil {
			return err
		}
	}
	return nil
}

// junk sends random bytes, messages without meaning, or another protocol's requests.
func (v *visitor) junk(context.Context) error {
	text := make([]byte, 1+rand.IntN(5000))
	for i := range text {
		text[i] = byte(rand.Uint32())
	}
	switch rand.IntN(6) {
	case 0:
		text = frame(`{"message_type":"LOGIN","nickname":` + strings.Repeat("[", 900))
	case 1:
		text = frame(string(text[:min(len(text), 1000)]))
	case 2:
		text = append([]byte("GET /api/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"), text...)
	case 3:
		text = append([]byte("GET /netorcai HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"+
			"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"), text...)
	}
	if err := v.send(text); err != nil {
		return err
	}
	return v.drain()
}

// halfOpenTime is the time that a half-open connection stays: longer than the server waits for it.
const halfOpenTime = 12 * time.Second

// halfOpen stops in the middle of an answer, as a machine does that is switched off.
func (v *visitor) halfOpen(ctx context.Context) error {
	if err := v.enterUntil("TURN"); err != nil {
		return err
	}
	half := answer(0, "[]")
	if err := v.send(half[:1+rand.IntN(len(half)-1)]); err != nil {
		return err
	}
	harness.Pause(ctx, time.Duration(rand.Int64N(int64(halfOpenTime))))
	return nil
}

// reset resets the connection after its LOGIN or in a match.
func (v *visitor) reset(context.Context) error {
	_ = v.conn.SetLinger(0)
	switch rand.IntN(3) {
	case 0:
		return v.enterUntil("TURN")
	case 1:
		return v.enterUntil("GAME_STARTS")
	}
	return v.enter()
}

// leave answers a few TURNs and disconnects.
func (v *visitor) leave(context.Context) error {
	most := 1 + rand.IntN(2*oddTurns)
	return v.answerWhile(v.conn, netorcai.RolePlayer, func(turns int) bool { return turns <= most })
}

// version logs in with another version of the metaprotocol, or an invalid one.
func (v *visitor) version(context.Context) error {
	versions := []string{"1.0.0", "3.0.0", "2", "-1.0.0", "two", strings.Repeat("9", 300)}
	err := harness.SendLogin(v.conn, netorcai.Login{
		Nickname: v.name(), Role: netorcai.RolePlayer, Version: versions[rand.IntN(len(versions))],
	})
	if err != nil {
		return err
	}
	return v.drain()
}

// giant sends messages above the size limit, or just below it.
func (v *visitor) giant(context.Context) error {
	if err := v.enterUntil("TURN"); err != nil {
		return err
	}
	message := binary.LittleEndian.AppendUint32(nil, rand.Uint32()) // announces a random size
	if i := rand.IntN(1 + len(giants)); i < len(giants) {
		message = giants[i]
	}
	if err := v.send(message); err != nil {
		return err
	}
	return v.drain()
}

// giants are made once, since they should cost the server's time and not this program's.
var giants = [...][]byte{
	answer(0, "["+strings.Repeat(" ", 2<<20)+"]"),                        // above the limit
	answer(0, strings.Repeat("[", 300_000)+strings.Repeat("]", 300_000)), // too deep
	answer(0, "["+strings.Repeat("0,", 500_000)+"0]"),                    // without meaning
	answer(0, `[{"id":"`+strings.Repeat("x", 1_000_000)+`"}]`),
}

// slowConn is a connection that is read slowly.
type slowConn struct {
	net.Conn
	ctx context.Context
}

func (s *slowConn) Read(p []byte) (int, error) {
	harness.Pause(s.ctx, time.Duration(rand.Int64N(int64(readEvery))))
	return s.Conn.Read(p[:min(len(p), 4<<10)])
}

// slow reads slowly and answers late, as a player or a visualization.
func (v *visitor) slow(ctx context.Context) error {
	role := netorcai.RolePlayer
	if rand.IntN(2) == 0 {
		role = netorcai.RoleVisualization
	}
	return v.answerWhile(&slowConn{v.conn, ctx}, role, func(int) bool {
		harness.Pause(ctx, time.Duration(rand.Int64N(int64(3*turnTimeout/2))))
		return true
	})
}
