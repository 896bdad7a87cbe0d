//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// players are hostile players. Until the attack begins they answer without actions.
type players struct {
	Count   int
	Payload string // a name in payloads; empty: they neither read nor answer
	Size    int    // bytes of the actions of an answer
}

// payloads are arrays of actions of about the given size.
var payloads = map[string]func(size int) []byte{
	"nested":  nested,
	"objects": func(size int) []byte { return list(size, "{}") },
	"text":    text,
	"orders":  orders,
}

// list is an array of the same element again and again.
func list(size int, element string) []byte {
	b := make([]byte, 0, size+len(element))
	b = append(b, '[')
	for len(b)+len(element)+len("]") < size || len(b) == 1 {
		b = append(append(b, element...), ',')
	}
	b[len(b)-1] = ']'
	return b
}

// levels are as many as are taken of an array of actions.
const levels = 500

// nested is arrays in arrays, as deep as is allowed.
func nested(size int) []byte {
	deep := make([]byte, 2*min(levels, size/2))
	for i := range deep {
		deep[i] = "[]"[2*i/len(deep)]
	}
	return list(size, string(deep))
}

// letters are those of random text.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// text is one random string: nothing makes it shorter.
func text(size int) []byte {
	b := make([]byte, 0, size+64)
	b = append(b, `["`...)
	for rng := rand.New(rand.NewPCG(1, 2)); len(b) < size; {
		b = append(b, letters[rng.IntN(len(letters))])
	}
	return append(b, `"]`...)
}

// orders is what players send, for more characters than there are.
func orders(size int) []byte {
	b := []byte{'['}
	for rng := rand.New(rand.NewPCG(3, 4)); len(b) < size-80; {
		b = fmt.Appendf(b, `{"id":%d,"movement":"move","direction":"%c%c"},`, rng.IntN(1<<30), "xyz"[rng.IntN(3)], "+-"[rng.IntN(2)])
	}
	b[len(b)-1] = ']'
	return b
}

// addressSize is how many players come from one address: less than a server takes.
const addressSize = 60

// returnTime is how long a hostile player stays away when it was thrown out.
const returnTime = 200 * time.Millisecond

// live has hostile player i play match after match.
func (a *attackers) live(ctx context.Context, i int) {
	from := fmt.Sprintf("127.0.1.%d", 1+i/addressSize)
	var payload []byte
	if build := payloads[a.Players.Payload]; build != nil {
		payload = build(a.Players.Size)
	}
	for ctx.Err() == nil {
		err := a.visit(ctx, from, "hostile"+strconv.Itoa(i), payload)
		rest := between
		if kick := (*netorcai.KickError)(nil); errors.As(err, &kick) && a.attacks() {
			a.refused.Add(1)
			rest = returnTime
		}
		pause(ctx, rest)
	}
}

// attacks reports whether the attack has begun.
func (a *attackers) attacks() bool {
	select {
	case <-a.begun:
		return true
	default:
		return false
	}
}

// visit plays one match.
func (a *attackers) visit(ctx context.Context, from, name string, payload []byte) error {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := d.DialContext(ctx, "tcp", a.Addr)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	c, err := netorcai.NewClient(ctx, conn, netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Start(ctx); err != nil {
		return err
	}
	for {
		turn, _, err := c.Next(ctx)
		if err != nil || turn == nil {
			return err
		}
		if !a.attacks() {
			if err := c.Answer(ctx, turn.Number, nil); err != nil {
				return err
			}
			continue
		}
		if payload == nil {
			<-ctx.Done()
			return nil
		}
		if err := a.answer(conn, turn.Number, payload); err != nil {
			return err
		}
	}
}

// answer answers a TURN with a payload, which is not copied. Text begins elsewhere
// each time, so that answers are not alike.
func (a *attackers) answer(conn net.Conn, turn int, payload []byte) error {
	head := fmt.Appendf(nil, `0000{"message_type":"TURN_ACK","turn_number":%d,"actions":`, turn)
	parts := net.Buffers{head, payload, []byte("}\n")}
	if a.Players.Payload == "text" {
		cut := 2 + rand.IntN(len(payload)-4)
		parts = net.Buffers{head, payload[:2], payload[cut : len(payload)-2], payload[2:cut], []byte(`"]}` + "\n")}
	}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	binary.LittleEndian.PutUint32(head, uint32(size-4))
	a.requests.Add(1)
	n, err := parts.WriteTo(conn)
	a.sent.Add(n)
	return err
}
