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
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// players are hostile players. Until the attack begins they answer without actions.
type players struct {
	Count   int
	Payload string // a name in payloads; empty: they neither read nor answer
	Size    int    // bytes of the actions of an answer
}

// payload is an array of actions. Its middle is random text, which begins elsewhere in
// each answer, so that no two are alike.
type payload struct{ head, random, tail []byte }

// payloads make payloads of about the given size.
var payloads = map[string]func(size int) payload{
	"nested":  func(size int) payload { return payload{head: nested(size)} },
	"objects": func(size int) payload { return payload{head: list(size, "{}")} },
	"orders":  func(size int) payload { return payload{head: orders(size)} },
	"text":    func(size int) payload { return payload{[]byte(`["`), random(size), []byte(`"]`)} },
	// Some of these orders have an effect, so that a recording has to keep the answer.
	"mixed": func(size int) payload {
		return payload{[]byte("[" + walks() + `,"`), random(size - 1000), []byte(`"]`)}
	},
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

// random is random text: nothing makes it shorter.
func random(size int) []byte {
	b := make([]byte, size)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = letters[rng.IntN(len(letters))]
	}
	return b
}

// walks are orders for all characters of the default map.
func walks() string {
	var all []string
	for id := range 5 * defaultSeats {
		all = append(all, fmt.Sprintf(`{"id":%d,"movement":"move","direction":"x+"}`, id))
	}
	return strings.Join(all, ",")
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
	var p payload // without anything: it is not sent
	if build := payloads[a.Players.Payload]; build != nil {
		p = build(a.Players.Size)
	}
	for ctx.Err() == nil {
		err := a.visit(ctx, from, "hostile"+strconv.Itoa(i), &p)
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
func (a *attackers) visit(ctx context.Context, from, name string, p *payload) error {
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
		if p.head == nil {
			<-ctx.Done()
			return nil
		}
		if err := a.answer(conn, turn.Number, p); err != nil {
			return err
		}
	}
}

// answer answers a TURN with a payload, which is not copied.
func (a *attackers) answer(conn net.Conn, turn int, p *payload) error {
	head := fmt.Appendf(nil, `0000{"message_type":"TURN_ACK","turn_number":%d,"actions":`, turn)
	cut := 0
	if n := len(p.random); n > 0 {
		cut = rand.IntN(n)
	}
	parts := net.Buffers{head, p.head, p.random[cut:], p.random[:cut], p.tail, []byte("}\n")}
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	binary.LittleEndian.PutUint32(head, uint32(size-4))
	a.requests.Add(1)
	n, err := parts.WriteTo(conn)
	a.sent.Add(n)
	return err
}
