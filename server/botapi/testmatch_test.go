package botapi

import (
	"context"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/match"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// testMatch is a match between two peers.
type testMatch struct {
	options   hextictactoe.Options
	limit     time.Duration // for a move
	heartbeat time.Duration
	silence   time.Duration
	watchers  []match.Watcher
	log       zerolog.Logger // of the seats
}

// bots dials two bots and runs a match between them; the first plays x.
func (c testMatch) bots(t *testing.T, addresses ...string) match.Ending {
	t.Helper()
	d := NewDialer(false, zerolog.New(zerolog.NewTestWriter(t)))
	defer d.Close()
	var peers []*Peer
	for _, a := range addresses {
		p, err := d.Dial(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		peers = append(peers, p)
	}
	return c.play(t, peers...)
}

func (c testMatch) play(t *testing.T, peers ...*Peer) match.Ending {
	t.Helper()
	if c.options.WinDistance == 0 {
		setup := c.options.Setup
		c.options = hextictactoe.Defaults()
		c.options.TurnLimit, c.options.Setup = 6, setup
	}
	if c.limit == 0 {
		c.limit = 20 * time.Second
	}
	if c.heartbeat == 0 {
		c.heartbeat = time.Minute
	}
	m := match.New(match.Options{
		Settings:  match.Settings{Turns: 1000, Players: 2},
		Autostart: true, InOrder: true,
		Pace:     match.PaceSpec{Limit: c.limit}.Pace,
		Referee:  match.Local(hextictactoe.New(c.options)),
		Watchers: c.watchers,
		Log:      zerolog.Nop(),
	})
	ended := make(chan match.Ending, 1)
	go func() { ended <- m.Run(t.Context()) }()
	var seats []*Seat
	for _, p := range peers {
		s := NewSeat(p,
			Options{Heartbeat: c.heartbeat, Silence: c.silence, Patience: c.limit, Log: c.log})
		if _, err := m.Join(s, s.Candidate()); err != nil {
			t.Fatal(err)
		}
		seats = append(seats, s)
	}
	served := make(chan struct{})
	for _, s := range seats {
		go func() {
			s.Serve(context.Background())
			served <- struct{}{}
		}()
	}
	var e match.Ending
	for range 1 + len(peers) {
		select {
		case e = <-ended:
			ended = nil
		case <-served:
		case <-time.After(30 * time.Second):
			t.Fatal("the match or a seat hangs")
		}
	}
	return e
}
