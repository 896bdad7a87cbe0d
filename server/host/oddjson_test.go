package host_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// The sender of deeply nested or very wide JSON, or of extreme numbers, is kicked or
// ignored. The match continues.
func TestOddJSON(t *testing.T) {
	thorough.Long(t)
	ack := func(actions string) string {
		return fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":0,"actions":%s}`, actions)
	}
	var keys strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&keys, `"k%d":0,`, i)
	}
	tests := []struct {
		name, content string
		stays         bool
	}{
		{"deep arrays", ack(strings.Repeat("[", 400_000) + strings.Repeat("]", 400_000)), false},
		{"deep and unfinished", ack(strings.Repeat("[", 400_000)), false},
		{"deep objects", ack(
			`[` + strings.Repeat(`{"a":`, 100_000) + "0" + strings.Repeat("}", 100_000) + `]`), false},
		{"a long number", ack(`[` + strings.Repeat("9", 900_000) + `]`), false},
		{"a large number", ack(`[{"id":1e400}]`), false},
		{"a large turn", `{"message_type":"TURN_ACK","turn_number":1e400,"actions":[]}`, false},
		{"many keys", ack(`[{` + keys.String() + `"id":0}]`), true},
		{"many keys outside", `{` + keys.String() + ack("[]")[1:], true},
		{"the same key", `{` + strings.Repeat(`"turn_number":7,`, 10_000) + ack("[]")[1:], true},
	}
	h := openHost(t, options{
		spec: host.Spec{
			Settings: match.Settings{Turns: 4, Players: len(tests) + 2},
			Game:     game(hexabomb.New(hexagon(3, len(tests)+2))),
		},
	})
	good := h.login("good", "player")
	huge := h.login("huge", "player")
	var odd []*servertest.Client
	for i := range tests {
		odd = append(odd, h.login(fmt.Sprint("odd", i), "player"))
	}
	h.start()
	for _, c := range append(odd, good, huge) {
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
	}
	huge.Write(binary.LittleEndian.AppendUint32(nil, 1<<32-1))
	huge.Until("KICK")
	for i, tt := range tests {
		odd[i].Write(servertest.Frame(tt.content + "\n"))
		if !tt.stays {
			odd[i].Until("KICK")
		}
	}
	good.Answer(0, "")
	good.Expect("TURN")
	for i, tt := range tests {
		if !tt.stays {
			continue
		}
		if m, err := odd[i].Receive(); err != nil || m.Type != "TURN" {
			t.Errorf("%s: received %s, %v, want TURN", tt.name, m.Raw, err)
		}
	}
}
