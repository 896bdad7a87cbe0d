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
)

// playersCommand makes this program the players of a match. It is a process of
// its own, so that they do not wait for the viewers' goroutines.
const playersCommand = "players"

// What is played: a map, its players and the characters that each has.
const (
	board   = "archipelago"
	players = 4
	crew    = 7
)

// runPlayers plays a match at an address as all of its players. It prints the
// numbers of the TURNs as they come and, when the match is over, when each player
// got each of them: a JSON list of lists of milliseconds.
func runPlayers(ctx context.Context, args []string, out, _ io.Writer) error {
	if len(args) != 1 {
		return errors.New("the address of a server is needed")
	}
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

// player walks about, drops bombs and comes back, and never looks at a state. It
// implements netorcai.Bot.
type player struct {
	out      io.Writer // nil: it prints nothing
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
	p.arrivals = append(p.arrivals, milliseconds(time.Since(p.began)))
	if p.out != nil {
		fmt.Fprintln(p.out, t.Number)
	}
	answer := []byte{'['}
	for i := range crew {
		if i > 0 {
			answer = append(answer, ',')
		}
		id := p.id*crew + i
		switch k := p.rng.IntN(10); {
		case k < 8:
			answer = fmt.Appendf(answer, `{"id":%d,"movement":"move","direction":"%c%c"}`, id, "xyz"[p.rng.IntN(3)], "+-"[p.rng.IntN(2)])
		case k == 8:
			answer = fmt.Appendf(answer, `{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, id, 2+p.rng.IntN(3), 2+p.rng.IntN(3))
		default:
			answer = fmt.Appendf(answer, `{"id":%d,"movement":"revive"}`, id)
		}
	}
	return append(answer, ']'), nil
}

func (p *player) End(netorcai.GameEnds) {}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
