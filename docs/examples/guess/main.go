// Command guess is an example of a game, written as a game logic for netorcai
// servers: each player names a number from 0 to 100, and the player closest to two
// thirds of the average gets a point. It has everything that a game of your own
// needs.
//
//	hexarena serve --game external --players 3 --visualizations 0 --autostart
//	go run ./docs/examples/guess
//
// An answer is an array with one number, such as [33]. The state is like
//
//	{"target":22.5,"guesses":{"0":33,"1":50},"score":{"0":1,"1":0,"2":0}}
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:4242", "server to run the game for")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "guess:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr string) error {
	c, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: "guess", Role: netorcai.RoleGameLogic})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Referee(ctx, &game{})
}

// game is the state as players see it.
type game struct {
	Target  float64         `json:"target"`
	Guesses map[int]float64 `json:"guesses"` // of the last turn, by player ID
	Score   map[int]int     `json:"score"`
}

// Init implements netorcai.GameLogic.
func (g *game) Init(m netorcai.DoInit) (netorcai.DoInitAck, error) {
	g.Score = map[int]int{}
	for id := range m.NbPlayers + m.NbSpecialPlayers {
		g.Score[id] = 0
	}
	state, err := json.Marshal(g)
	return netorcai.DoInitAck{State: state}, err
}

// Turn implements netorcai.GameLogic. Invalid answers do not count; players that
// are equally close all get the point.
func (g *game) Turn(players []netorcai.PlayerActions) (netorcai.DoTurnAck, error) {
	g.Guesses = map[int]float64{}
	sum := 0.0
	for _, p := range players {
		var guess []float64
		if json.Unmarshal(p.Actions, &guess) == nil && len(guess) == 1 && guess[0] >= 0 &&
			guess[0] <= 100 {
			g.Guesses[p.PlayerID] = guess[0]
			sum += guess[0]
		}
	}
	if len(g.Guesses) > 0 {
		g.Target = sum / float64(len(g.Guesses)) * 2 / 3
		closest := math.Inf(1)
		for _, guess := range g.Guesses {
			closest = min(closest, math.Abs(guess-g.Target))
		}
		for id, guess := range g.Guesses {
			if math.Abs(guess-g.Target) == closest {
				g.Score[id]++
			}
		}
	}
	state, err := json.Marshal(g)
	return netorcai.DoTurnAck{WinnerPlayerID: g.leader(), State: state}, err
}

// leader returns the player with the strictly highest score, or -1.
func (g *game) leader() int {
	leader, best := -1, -1
	for id, score := range g.Score {
		switch {
		case score > best:
			leader, best = id, score
		case score == best:
			leader = -1
		}
	}
	return leader
}
