//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
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
		b = fmt.Appendf(b, `{"id":%d,"movement":"move","direction":"%c%c"},`, rng.IntN(1<<30),
			"xyz"[rng.IntN(3)], "+-"[rng.IntN(2)])
	}
	b[len(b)-1] = ']'
	return b
}

// append appends the payload with its random text rotated.
func (p *payload) append(b []byte) []byte {
	cut := 0
	if n := len(p.random); n > 0 {
		cut = rand.IntN(n)
	}
	for _, part := range [][]byte{p.head, p.random[cut:], p.random[:cut], p.tail} {
		b = append(b, part...)
	}
	return b
}

// play plays one match as a hostile player, which answers without actions until the attack
// begins.
func (v *visitor) play(ctx context.Context) error {
	name := fmt.Sprint("hostile", v.number)
	c, err := harness.Login(v.conn, netorcai.Login{Nickname: name, Role: netorcai.RolePlayer})
	if err != nil {
		return err
	}
	build := payloads[v.Payload]
	if build != nil && v.payload.head == nil {
		v.payload = build(v.Size)
	}
	var actions []byte
	return c.Play(func(int) ([]byte, error) {
		switch {
		case !v.attacking():
			return nil, nil
		case build == nil:
			<-ctx.Done()
			return nil, ctx.Err()
		}
		v.requests.Add(1)
		v.sent.Add(int64(v.Size))
		actions = v.payload.append(actions[:0])
		return actions, nil
	})
}
