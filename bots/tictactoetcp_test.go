//go:build thorough

package bots

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// TestTicTacToeOverTCP plays hexagonal tic-tac-toe between two bots over TCP with the
// server's clock.
func TestTicTacToeOverTCP(t *testing.T) {
	t.Parallel()
	const turns = 60
	o := rules.Defaults()
	o.TurnLimit = turns - 1 // the first turn of a match is not a move
	o.Clock = rules.Clock{Kind: rules.Incremental, Base: 20_000, Increment: 100}
	game := rules.New(o)
	s, err := host.Open(host.Options{
		Bind: "127.0.0.1", LoginTimeout: botstest.Patience, Log: zerolog.Nop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*botstest.Patience)
	defer cancel()
	room, err := s.Start(ctx, host.Spec{
		Game:     games.Instance{New: func() engine.Game { return game }},
		Settings: match.Settings{Turns: turns, Players: 2}, Autostart: true,
		Pace: match.PaceSpec{
			Budget: &match.Budget{Time: 20 * time.Second, Lasting: true, Increment: 100 * time.Millisecond},
		}.Pace,
	})
	if err != nil {
		t.Fatal(err)
	}
	var bots sync.WaitGroup
	for _, name := range []string{"threat", "random"} {
		bots.Go(func() {
			strategy, err := NewTicTacToe(name, 1)
			if err == nil {
				err = playAt(ctx, s.Addr().String(), name, netorcai.RolePlayer, strategy)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	ending := room.Wait()
	s.Shutdown(ctx)
	bots.Wait()
	if ending.Err != nil || ending.Winner == engine.NoPlayer ||
		ending.Seats[ending.Winner].Nickname != "threat" {
		t.Errorf("ending = %+v, %s, want threat to win", ending, game.AppendState(nil))
	}
	if !strings.HasPrefix(ending.Reason, "win") {
		t.Errorf("the reason is %q", ending.Reason)
	}
}
