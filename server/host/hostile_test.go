package host_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// attacks lists attacks of clients. They ignore every error, because the server may close
// the connection at any time.
var attacks = []struct {
	name string
	do   func(c *net.TCPConn, rng *rand.Rand)
}{
	{"garbage", func(c *net.TCPConn, rng *rand.Rand) {
		junk := make([]byte, 1+rng.IntN(5000))
		for i := range junk {
			junk[i] = byte(rng.Uint32())
		}
		c.Write(junk)
	}},
	{"half a header", func(c *net.TCPConn, _ *rand.Rand) { c.Write([]byte{9, 0}) }},
	{"half a message", func(c *net.TCPConn, _ *rand.Rand) { c.Write([]byte{90, 0, 0, 0, '{', '"'}) }},
	{"slow bytes", func(c *net.TCPConn, rng *rand.Rand) {
		login := servertest.Frame(
			`{"message_type":"LOGIN","nickname":"x","role":"visualization","metaprotocol_version":"2.0.0"}`)
		for _, b := range login[:rng.IntN(len(login))] {
			c.Write([]byte{b})
			runtime.Gosched()
		}
	}},
	{"a huge length", func(c *net.TCPConn, rng *rand.Rand) {
		c.Write(binary.LittleEndian.AppendUint32(nil, 1<<20+rng.Uint32N(1<<31)))
	}},
	{"a flood", func(c *net.TCPConn, rng *rand.Rand) {
		one := servertest.Frame("{}\n")
		for range 10000 {
			if _, err := c.Write(one); err != nil {
				return
			}
		}
	}},
	{"logins", func(c *net.TCPConn, _ *rand.Rand) {
		one := servertest.Frame(
			`{"message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":"2.0.0"}`)
		for range 100 {
			if _, err := c.Write(one); err != nil {
				return
			}
		}
	}},
	{"a visualization that talks too much", func(c *net.TCPConn, _ *rand.Rand) {
		c.Write(
			servertest.Frame(
				`{"message_type":"LOGIN","nickname":"x","role":"visualization","metaprotocol_version":"2.0.0"}`,
			),
		)
		for range 1000 {
			if _, err := c.Write(servertest.Frame(`{"message_type":"TURN_ACK","turn_number":0,"actions":[]}`)); err != nil {
				return
			}
		}
	}},
	{"a visualization that never reads", func(c *net.TCPConn, _ *rand.Rand) {
		c.Write(
			servertest.Frame(
				`{"message_type":"LOGIN","nickname":"x","role":"visualization","metaprotocol_version":"2.0.0"}`,
			),
		)
	}},
	{"a web browser", func(c *net.TCPConn, _ *rand.Rand) {
		c.Write(
			[]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	}},
	{"silence", func(*net.TCPConn, *rand.Rand) {}},
	{"an abrupt reset", func(c *net.TCPConn, _ *rand.Rand) {
		c.SetLinger(0)
		c.Write([]byte{9})
		c.Close()
	}},
}

// Two hundred attackers do not affect four players, and all their resources are released.
func TestHostileConnections(t *testing.T) {
	thorough.Long(t)
	const turns, strangers = 150, 200
	descriptors := openFiles(t)
	board := hexagon(4, 4)
	n := &inputLog{}
	h := open(t, host.Spec{
		Settings: match.Settings{Turns: turns, Players: 4, Visus: 50},
		Game:     game(hexabomb.New(board)),
		Watchers: []match.Watcher{n},
	})
	var clients, crowd sync.WaitGroup
	var stories [4]*clientLog
	arrived := make(chan struct{}) // closed when all attackers have finished
	for i := range stories {
		c := h.login(fmt.Sprint("bot", i), "player")
		rng := rand.New(rand.NewPCG(3, uint64(i)))
		clients.Go(func() {
			stories[i] = follow(t, c, func(turn int) string {
				if turn == turns/2 {
					<-arrived // keeps the match from ending before they connect
				}
				return servertest.Antics(rng, 6)
			})
		})
	}
	h.start()
	left := make(chan struct{})
	for i := range strangers {
		crowd.Go(func() {
			conn, err := net.DialTimeout("tcp", h.addr, 30*time.Second)
			if err != nil {
				t.Errorf("attacker %d: %v", i, err)
				return
			}
			defer conn.Close()
			attacks[i%len(attacks)].do(conn.(*net.TCPConn), rand.New(rand.NewPCG(5, uint64(i))))
			if i%3 == 0 {
				return // released at once
			}
			<-left
		})
	}
	time.AfterFunc(200*time.Millisecond, func() { close(arrived) })
	clients.Wait()
	close(left)
	crowd.Wait()
	if e := h.end(); e.Err != nil || e.Steps != turns {
		t.Fatalf("match ended with %+v", e)
	}
	states, _ := replay(t, hexabomb.New(board), n)
	for i, s := range stories {
		if len(s.turns) != turns-1 {
			t.Fatalf("client %d got %d TURNs, want %d", i, len(s.turns), turns-1)
		}
		for _, m := range s.turns {
			if string(m.State) != states[m.Turn+1] {
				t.Fatalf("client %d, TURN %d differs from the rules", i, m.Turn)
			}
		}
	}
	for _, in := range n.inputs[1:] {
		if len(in) != 4 {
			t.Fatalf("a turn has %d inputs, want 4", len(in))
		}
	}
	if got := openFiles(t); descriptors >= 0 && got > descriptors+len(stories) {
		// The players' ends are closed at the end of the test.
		t.Errorf("%d descriptors are open, %d were before", got, descriptors)
	}
}

// openFiles returns the number of this process's descriptors, or -1 if it is unknown on
// this system.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(list)
}
