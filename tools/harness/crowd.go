package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Crowd is the clients of one match. They answer every TURN at once, without reading the
// state, so that the server is what is timed.
type Crowd struct {
	Players, Visus int
	Characters     int            // of each player
	Arrivals       int            // TURNs whose times of arrival each player keeps
	Turn           func(turn int) // called by the first player for each TURN; may be nil
	Ended          func()         // called when all clients have seen the end; may be nil
}

// Outcome is what a crowd measured in a match.
type Outcome struct {
	Turns     int           // that the first player received
	Rate      float64       // turns per second, as seen by the players
	VisuRate  float64       // TURNs per second, the sum of all visualizations
	TurnBytes int           // mean size of a player's TURN
	Arrivals  [][]time.Time // of TURNs at each player
}

// Play plays one match on a server, which starts it when all clients have logged in.
func (w Crowd) Play(ctx context.Context, addr string) (o Outcome, err error) {
	clients := make([]*Client, w.Visus+w.Players)
	errs := make([]error, len(clients))
	for i := range clients {
		login := netorcai.Login{Nickname: fmt.Sprint("v", i), Role: netorcai.RoleVisualization}
		if i >= w.Visus {
			login = netorcai.Login{Nickname: fmt.Sprint("p", i), Role: netorcai.RolePlayer}
		}
		conn, hangUp, err := Dial(ctx, new(net.Dialer), addr)
		if err != nil {
			return o, err
		}
		defer hangUp()
		if clients[i], err = Login(conn, login); err != nil {
			return o, err
		}
	}
	o.Arrivals = make([][]time.Time, w.Players)
	var all sync.WaitGroup
	for i, c := range clients {
		answer := func(int) ([]byte, error) { return nil, nil }
		if p := i - w.Visus; p >= 0 {
			answer = w.player(c, p == 0, &o.Arrivals[p])
		}
		all.Go(func() { errs[i] = c.Play(answer) })
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return o, fmt.Errorf("client %d: %w", i, err)
		}
	}
	if w.Ended != nil {
		w.Ended()
	}
	visus, players := clients[:w.Visus], clients[w.Visus:]
	o.Turns = players[0].Turns
	for _, c := range players {
		o.Rate += c.rate() / float64(w.Players)
		o.TurnBytes += int(c.Bytes) / (c.Turns + 1) / w.Players
	}
	for _, c := range visus {
		o.VisuRate += c.rate()
	}
	return o, nil
}

// answerSets is the number of answers that a player prepares and repeats.
const answerSets = 16

// player returns the answers of a player, which notes the times of arrival.
func (w *Crowd) player(
	c *Client, first bool, arrivals *[]time.Time,
) func(turn int) ([]byte, error) {
	var answers [][]byte
	*arrivals = make([]time.Time, 0, w.Arrivals)
	return func(turn int) ([]byte, error) {
		if len(answers) == 0 {
			rng := rand.New(rand.NewPCG(uint64(c.Player), 0))
			for range answerSets {
				answers = append(answers, []byte(RandomActions(rng, c.Player, w.Characters)))
			}
		}
		if len(*arrivals) < w.Arrivals {
			*arrivals = append(*arrivals, c.Last)
		}
		if first && w.Turn != nil {
			w.Turn(turn)
		}
		return answers[c.Turns%answerSets], nil
	}
}
