package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// playersCommand is the argument that makes this program the players of a match, in a
// process of its own so that they do not compete with the viewers' goroutines.
const playersCommand = "players"

// The match that is played.
const (
	board      = "archipelago"
	players    = 4
	characters = 7 // of each player
)

// runPlayers plays a match as all of its players, on the server whose address is the
// argument. It prints the number of each TURN when it arrives and, when the match is over,
// a JSON list with the list of each player's arrival times in milliseconds.
func runPlayers(args []string, _ io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("give the address of a server")
	}
	ctx := context.Background()
	began := time.Now()
	ended := make(chan error, players)
	arrivals := make([][]float64, players)
	for i := range players {
		c, err := netorcai.Dial(ctx, args[0], netorcai.Login{Nickname: fmt.Sprint("p", i), Role: netorcai.RolePlayer})
		if err != nil {
			return err
		}
		defer c.Close()
		p := &player{began: began}
		if i == 0 {
			p.out = out
		}
		go func() {
			err := c.Play(ctx, p)
			arrivals[i] = p.arrivals
			ended <- err
		}()
	}
	for range players {
		if err := <-ended; err != nil {
			return err
		}
	}
	return json.NewEncoder(out).Encode(arrivals)
}

// player gives random orders without reading the state. It implements netorcai.Bot.
type player struct {
	out      io.Writer // for the numbers of the TURNs; nil for none
	began    time.Time
	id       int
	rng      *rand.Rand
	arrivals []float64
}

func (p *player) Start(s netorcai.GameStarts) error {
	p.id = s.PlayerID
	p.rng = rand.New(rand.NewPCG(uint64(s.PlayerID), 0))
	p.arrivals = make([]float64, 0, s.NbTurnsMax)
	return nil
}

func (p *player) Turn(t netorcai.Turn) ([]byte, error) {
	p.arrivals = append(p.arrivals, harness.Milliseconds(time.Since(p.began)))
	if p.out != nil {
		fmt.Fprintln(p.out, t.Number)
	}
	return []byte(harness.RandomActions(p.rng, p.id, characters)), nil
}

func (p *player) End(netorcai.GameEnds) {}
