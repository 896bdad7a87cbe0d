package serve

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
)

// TestMatch plays by seats of the server that dial the bots; threat wins.
func TestMatch(t *testing.T) {
	thorough.Long(t)
	playMatch(t, serveBot(t, named(t, thorough.Size("threat:easy", "threat"))))
}

// playMatch checks that the bot at an address, playing o, wins against nearest.
func playMatch(t *testing.T, strong string) {
	t.Helper()
	d := botapi.NewDialer(false, zerolog.Nop())
	defer d.Close()
	game := hextictactoe.New(hextictactoe.Defaults())
	m := match.New(match.Options{
		Settings: match.Settings{Turns: 200, Players: 2}, Autostart: true, InOrder: true,
		Pace:    match.PaceSpec{Budget: &match.Budget{Time: 10 * time.Second}}.Pace,
		Referee: match.Local(game), Log: zerolog.Nop(),
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*waitLimit)
	defer cancel()
	ended := make(chan match.Ending, 1)
	go func() { ended <- m.Run(ctx) }()
	var seats sync.WaitGroup
	for _, address := range []string{serveBot(t, named(t, "nearest")), strong} {
		p, err := d.Dial(ctx, address)
		if err != nil {
			t.Fatal(err)
		}
		s := botapi.NewSeat(p,
			botapi.Options{Heartbeat: time.Second, Patience: time.Minute, Log: zerolog.Nop()})
		if _, err := m.Join(s, s.Candidate()); err != nil {
			t.Fatal(err)
		}
		seats.Go(func() { s.Serve(ctx) })
	}
	e := <-ended
	seats.Wait()
	if e.Err != nil || e.Winner != hextictactoe.O.Player() || !strings.HasPrefix(e.Reason, "win") {
		t.Errorf("ending = %+v, want o to win\n%s", e, game.AppendState(nil))
	}
}
