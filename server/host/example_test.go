package host_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// Two bots log in once and play two matches, each of which is described to the host.
func Example() {
	ctx := context.Background()
	h, err := host.Open(host.Options{Bind: "127.0.0.1"}) // any free port
	if err != nil {
		fmt.Println(err)
		return
	}
	var bots sync.WaitGroup
	for _, name := range []string{"ann", "bob"} {
		bots.Go(func() {
			c, err := netorcai.Dial(ctx, h.Addr().String(), netorcai.Login{Nickname: name, Role: netorcai.RolePlayer, Stay: true})
			if err != nil {
				fmt.Println(err)
				return
			}
			defer c.Close()
			_ = c.PlayAll(ctx, func(netorcai.GameStarts) (netorcai.Bot, error) { return idleBot{}, nil })
		})
	}
	for number := 1; number <= 2; number++ {
		room, err := h.Start(ctx, host.Spec{
			Game:     games.Instance{New: func() engine.Game { return hexabomb.New(hexagon(2, 2)) }},
			Seats:    []seat.Spec{{Kind: seat.Wait, Name: "ann"}, {Kind: seat.Wait, Name: "bob"}},
			Settings: match.Settings{Players: 2, Turns: 5}, Autostart: true, InOrder: true,
			Pace:   match.PaceSpec{}.Pace,
			Labels: map[string]string{"series": "example", "match": fmt.Sprint(number)},
		})
		if err != nil {
			fmt.Println(err)
			break
		}
		result := room.Wait()
		fmt.Printf("match %d: %d turns, %s against %s\n", number, result.Steps,
			result.Players[0].Nickname, result.Players[1].Nickname)
	}
	h.Shutdown(ctx)
	bots.Wait()
	// Output:
	// match 1: 5 turns, ann against bob
	// match 2: 5 turns, ann against bob
}
