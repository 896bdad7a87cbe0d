package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// think is how long an honest bot takes for a turn at the most.
const think = 20 * time.Millisecond

// honest plays a match as a bot of a participant does: it answers each TURN, and reads to the
// end.
func honest(host string, q quality) func(*actor) {
	return func(a *actor) {
		c, err := a.connect(host, q)
		if err != nil {
			return
		}
		defer c.conn.Close()
		if c.send(`{"message_type":"LOGIN","nickname":%q,"role":"player","metaprotocol_version":"2.0.0"}`, a.name) != nil {
			return
		}
		for {
			m, err := c.receive()
			if err != nil {
				return
			}
			if m.Type == "TURN" {
				a.sleep(between(a.rng, 0, think))
				if c.send(`{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`, m.Turn, moves(a.rng)) != nil {
					return
				}
				a.answered()
			}
		}
	}
}

var directions = [...]string{"x+", "y+", "z+", "x-", "y-", "z-"}

// moves returns actions for a few characters, which may exist or not.
func moves(rng *rand.Rand) string {
	var list []string
	for id := range 1 + rng.IntN(2) {
		switch rng.IntN(6) {
		case 0:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, id, 2+rng.IntN(3), 2+rng.IntN(3)))
		case 1:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, id))
		default:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"move","direction":%q}`, id, directions[rng.IntN(len(directions))]))
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}
