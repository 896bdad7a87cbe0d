package host_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// BenchmarkMatch plays b.N turns at the fast pace over loopback TCP. The clients answer
// at once and never parse the state. Clients and server share the machine.
func BenchmarkMatch(b *testing.B) {
	for _, visus := range []int{0, 16} {
		b.Run(fmt.Sprintf("players=4/visus=%d", visus), func(b *testing.B) {
			board, err := maps.Load(maps.Default)
			if err != nil {
				b.Fatal(err)
			}
			h := open(b, host.Spec{
				Settings: match.Settings{Turns: b.N + 2, Players: 4, Visus: visus},
				Game:     game(hexabomb.New(board)),
			})
			var clients sync.WaitGroup
			for i := range 4 + visus {
				role := "player"
				if i >= 4 {
					role = "visualization"
				}
				c := h.login(fmt.Sprint("bot", i), role)
				clients.Go(func() { answerFast(b, c, role == "player", uint64(i)) })
			}
			b.ReportAllocs()
			b.ResetTimer()
			h.start()
			clients.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
			if e := h.end(); e.Err != nil {
				b.Fatal(e.Err)
			}
		})
	}
}

// answerFast answers every TURN with one of a few sets of moves until the game ends.
func answerFast(b *testing.B, c *servertest.Client, plays bool, seed uint64) {
	r := bufio.NewReaderSize(c.Conn, 64<<10)
	sets := make([]string, 16)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range sets {
		sets[i] = "[]"
		if plays {
			sets[i] = servertest.Antics(rng, 6)
		}
	}
	var head [4]byte
	var ack []byte
	turn := 0
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			b.Error(err)
			return
		}
		n := int(binary.LittleEndian.Uint32(head[:]))
		kind, err := r.Peek(min(n, 60))
		if err != nil {
			b.Error(err)
			return
		}
		asked, _ := fmt.Sscanf(string(kind), `{"message_type":"TURN","turn_number":%d`, &turn)
		if _, err := r.Discard(n); err != nil {
			b.Error(err)
			return
		}
		if asked == 1 {
			ack = append(ack[:0], 0, 0, 0, 0)
			ack = fmt.Appendf(ack, `{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`, turn,
				sets[turn%len(sets)])
			binary.LittleEndian.PutUint32(ack, uint32(len(ack)-4))
			if _, err := c.Write(ack); err != nil {
				b.Error(err)
				return
			}
		} else if string(kind[:27]) == `{"message_type":"GAME_ENDS"` {
			return
		}
	}
}
