package host_test

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/seat"
)

// Many concurrent matches are played on one port by bots that stay connected, and all
// their memory is released.
func TestManyRooms(t *testing.T) {
	thorough.Long(t)
	const bots, atOnce = 24, 16
	matches := 100
	if thorough.Enabled {
		matches = 1000
	}
	h, err := host.Open(host.Options{Bind: "127.0.0.1", LoginTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	var playing sync.WaitGroup
	for i := range bots {
		playing.Go(func() {
			c, err := netorcai.Dial(ctx, h.Addr().(*net.TCPAddr).String(), netorcai.Login{Nickname: fmt.Sprint("bot", i), Role: netorcai.RolePlayer, Stay: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if err := c.PlayAll(ctx, func(netorcai.GameStarts) (netorcai.Bot, error) { return idleBot{}, nil }); err != nil {
				t.Errorf("bot %d: %v", i, err)
			}
		})
	}
	slots := make(chan struct{}, atOnce)
	var rooms sync.WaitGroup
	var early uint64 // bytes in use after a tenth of all matches
	for n := range matches {
		slots <- struct{}{}
		if n == matches/10 {
			early = memoryInUse()
		}
		rooms.Go(func() {
			defer func() { <-slots }()
			spec := small(4, n+1)
			for k := range 4 {
				spec.Seats = append(spec.Seats,
					seat.Spec{Kind: seat.Wait, Name: fmt.Sprint("bot", (n*3+k*(1+n%3))%bots)})
			}
			r, err := h.Start(ctx, spec)
			if err != nil {
				t.Error(err)
				return
			}
			if r := r.Wait(); r.Err != nil || r.Steps != 3 || len(r.Players) != 4 {
				t.Errorf("match %d: %+v", n, r)
			}
		})
	}
	rooms.Wait()
	const slack = 4 << 20 // kept by the runtime and connection buffers
	if late := memoryInUse(); late > early+slack {
		t.Errorf("%d bytes are in use after %d matches, %d after a tenth of them", late, matches, early)
	}
	h.Shutdown(context.WithoutCancel(ctx))
	playing.Wait()
}

// memoryInUse returns the bytes of objects that are reachable.
func memoryInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
