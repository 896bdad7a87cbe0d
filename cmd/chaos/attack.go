package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// attack sends a LOGIN and calls do, which may send anything.
func (b *bot) attack(ctx context.Context, login netorcai.Login, do func(conn *net.TCPConn) error) error {
	conn, hangUp, err := b.dial(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	hello, err := netorcai.AppendLogin(nil, login)
	if err != nil {
		return err
	}
	if _, err := conn.Write(hello); err != nil {
		return err
	}
	return do(conn)
}

// skipTo reads messages up to the next one of the given type.
func skipTo(conn net.Conn, kind string) error {
	for {
		content, err := netorcai.ReadFrame(conn, nil, netorcai.Limit)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(content[:min(len(content), 60)]), `{"message_type":"`+kind+`"`) {
			return nil
		}
	}
}

// frame returns any content with a message's header.
func frame(content string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)
}

func answer(turn int, actions string) string {
	return fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`+"\n", turn, actions)
}

// flood answers before it is asked, or many times, and does not read.
func (b *bot) flood(ctx context.Context) error {
	return b.attack(ctx, b.login(), func(conn *net.TCPConn) error {
		if b.rng.IntN(4) > 0 {
			if err := skipTo(conn, "TURN"); err != nil {
				return err
			}
		}
		// Many in one write: otherwise the flood would cost this program, which also runs
		// the honest bots, far more than the server.
		many := bytes.Repeat(frame(answer(b.rng.IntN(2), "[]")), 500)
		for range 40 {
			if _, err := conn.Write(many); err != nil {
				return err
			}
		}
		return nil
	})
}

// garbage sends random bytes, messages without meaning, or another protocol's requests.
func (b *bot) garbage(ctx context.Context) error {
	conn, hangUp, err := b.dial(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
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
	_, err = io.Copy(io.Discard, conn)
	return err
}

// halfOpen behaves like a machine that was switched off in the middle of an answer.
func (b *bot) halfOpen(ctx context.Context) error {
	return b.attack(ctx, b.login(), func(conn *net.TCPConn) error {
		_ = conn.SetReadBuffer(4 << 10)
		if b.rng.IntN(2) == 0 {
			if err := skipTo(conn, "TURN"); err != nil {
				return err
			}
		}
		half := frame(answer(0, "[]"))
		if _, err := conn.Write(half[:1+b.rng.IntN(len(half)-1)]); err != nil {
			return err
		}
		b.pause(ctx, 10*b.trial.timeout)
		return nil
	})
}

// reset resets the connection after its LOGIN or in a match.
func (b *bot) reset(ctx context.Context) error {
	return b.attack(ctx, b.login(), func(conn *net.TCPConn) error {
		_ = conn.SetLinger(0)
		switch b.rng.IntN(3) {
		case 0:
			return skipTo(conn, "TURN")
		case 1:
			return skipTo(conn, "GAME_STARTS")
		}
		b.pause(ctx, 100*time.Millisecond)
		return nil
	})
}

// version logs in with another version of the metaprotocol, or an invalid one.
func (b *bot) version(ctx context.Context) error {
	login := b.login()
	login.Version = []string{"1.0.0", "3.0.0", "2", "-1.0.0", "two", strings.Repeat("9", 300)}[b.rng.IntN(6)]
	return b.attack(ctx, login, func(conn *net.TCPConn) error {
		_, err := io.Copy(io.Discard, conn)
		return err
	})
}

// giant sends messages above the size limit, or just below it.
func (b *bot) giant(ctx context.Context) error {
	return b.attack(ctx, b.login(), func(conn *net.TCPConn) error {
		if err := skipTo(conn, "TURN"); err != nil {
			return err
		}
		for {
			if _, err := conn.Write(giantMessage(b.rng)); err != nil {
				return err
			}
			if err := skipTo(conn, "TURN"); err != nil {
				return err
			}
		}
	})
}

func giantMessage(rng *rand.Rand) []byte {
	i := rng.IntN(1 + len(giants))
	if i == len(giants) { // a header that announces a random size
		return binary.LittleEndian.AppendUint32(nil, rng.Uint32())
	}
	return giants[i]
}

// giants are made once, since they should cost the server's time and not this program's.
var giants = [...][]byte{
	frame(answer(0, "["+strings.Repeat(" ", 2<<20)+"]")),                        // above the limit
	frame(answer(0, strings.Repeat("[", 300_000)+strings.Repeat("]", 300_000))), // too deep
	frame(answer(0, "["+strings.Repeat("0,", 500_000)+"0]")),                    // just below the limit, and without meaning
	frame(answer(0, `[{"id":"`+strings.Repeat("x", 1_000_000)+`"}]`)),
}
