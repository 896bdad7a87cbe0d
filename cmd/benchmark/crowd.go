package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// crowd is the clients of a match.
type crowd struct {
	players, visus int
	characters     int    // of each player
	arrivals       int    // TURNs whose arrival times the first player keeps
	ended          func() // called when all clients have seen the end; may be nil
}

// outcome is what a crowd measured in a match.
type outcome struct {
	rate      float64 // turns per second, as seen by the players
	cpu       float64 // processor time of the server per turn in µs, its start included
	visuRate  float64 // TURNs per second, the sum of all visualizations
	turnBytes int     // mean size of a player's TURN
	first     *client // of the players
}

// play plays one match on a server, which starts it when all clients have logged in.
func (w crowd) play(ctx context.Context, addr string) (outcome, error) {
	var clients []*client
	defer func() {
		for _, c := range clients {
			c.conn.Close()
		}
	}()
	for i := range w.visus + w.players {
		role, name := netorcai.RoleVisualization, "v"
		if i >= w.visus {
			role, name = netorcai.RolePlayer, "p"
		}
		c, err := login(ctx, addr, role, fmt.Sprint(name, i))
		if err != nil {
			return outcome{}, err
		}
		clients = append(clients, c)
	}
	players := clients[w.visus:]
	players[0].arrivals = make([]time.Time, 0, w.arrivals)
	defer context.AfterFunc(ctx, func() {
		for _, c := range clients {
			c.conn.Close()
		}
	})()
	errs := make([]error, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() { errs[i] = c.play(w.characters) })
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return outcome{}, fmt.Errorf("client %d: %w", i, err)
		}
	}
	if w.ended != nil {
		w.ended()
	}
	return w.outcome(clients[:w.visus], players), nil
}

func (w crowd) outcome(visus, players []*client) outcome {
	o := outcome{first: players[0]}
	for _, c := range players {
		o.rate += c.rate() / float64(len(players))
		o.turnBytes += int(c.bytes) / (c.turns + 1) / len(players)
	}
	for _, c := range visus {
		o.visuRate += c.rate()
	}
	return o
}
