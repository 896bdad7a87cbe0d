//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// payload is an array of actions. Its middle is random text, which is rotated in each
// answer so that no two are equal.
type payload struct{ head, random, tail []byte }

// payloads return payloads of about the given size.
var payloads = map[string]func(size int) payload{
	"nested":  func(size int) payload { return payload{head: nested(size)} },
	"objects": func(size int) payload { return payload{head: list(size, "{}")} },
	"orders":  func(size int) payload { return payload{head: orders(size)} },
	"text":    func(size int) payload { return payload{[]byte(`["`), random(size), []byte(`"]`)} },
	// Some of these actions have an effect, so that a recording must keep the answer.
	"mixed": func(size int) payload {
		return payload{[]byte("[" + walks() + `,"`), random(size - 1000), []byte(`"]`)}
	},
}

// list returns an array that repeats one element.
func list(size int, element string) []byte {
	b := make([]byte, 0, size+len(element))
	b = append(b, '[')
	for len(b)+len(element)+len("]") < size || len(b) == 1 {
		b = append(append(b, element...), ',')
	}
	b[len(b)-1] = ']'
	return b
}

// levels is the deepest nesting that the server accepts in an array of actions.
const levels = 500

// nested returns arrays in arrays, as deep as the server accepts.
func nested(size int) []byte {
	deep := make([]byte, 2*min(levels, size/2))
	for i := range deep {
		deep[i] = "[]"[2*i/len(deep)]
	}
	return list(size, string(deep))
}

// letters are the letters of random text.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// random returns random text, which does not compress well.
func random(size int) []byte {
	b := make([]byte, size)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = letters[rng.IntN(len(letters))]
	}
	return b
}

// walks returns actions for all characters of the default map.
func walks() string {
	var all []string
	for id := range 5 * defaultSeats {
		all = append(all, fmt.Sprintf(`{"id":%d,"movement":"move","direction":"x+"}`, id))
	}
	return strings.Join(all, ",")
}

// orders returns actions as players send them, for more characters than the map has.
func orders(size int) []byte {
	b := []byte{'['}
	for rng := rand.New(rand.NewPCG(3, 4)); len(b) < size-80; {
		b = fmt.Appendf(b, `{"id":%d,"movement":"move","direction":"%c%c"},`, rng.IntN(1<<30), "xyz"[rng.IntN(3)], "+-"[rng.IntN(2)])
	}
	b[len(b)-1] = ']'
	return b
}

// play plays one match as a hostile player, which answers without actions until the attack
// begins.
func (v *visitor) play(ctx context.Context) error {
	if build := payloads[v.Payload]; build != nil && v.payload == nil {
		p := build(v.Size)
		v.payload = &p
	}
	c, err := netorcai.NewClient(ctx, v.conn, netorcai.Login{Nickname: fmt.Sprint("hostile", v.number), Role: netorcai.RolePlayer})
	if err != nil {
		return err
	}
	if _, err := c.Start(ctx); err != nil {
		return err
	}
	for {
		turn, _, err := c.Next(ctx)
		switch {
		case err != nil:
			return err
		case turn == nil:
			return nil
		case !v.attacking():
			err = c.Answer(ctx, turn.Number, nil)
		case v.payload == nil:
			<-ctx.Done()
		default:
			err = v.answer(turn.Number)
		}
		if err != nil {
			return err
		}
	}
}

// answer answers a TURN with the payload without copying it.
func (v *visitor) answer(turn int) error {
	p := v.payload
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
	v.requests.Add(1)
	n, err := parts.WriteTo(v.conn)
	v.sent.Add(n)
	return err
}
