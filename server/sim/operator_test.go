package sim

import (
	"context"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// operate runs a server for one match, and ends it.
func operate(p *plan) func(*actor) {
	return func(a *actor) {
		h, err := host.Open(host.Options{Listener: a.net.listen(), Random: a.entropy("ids"), Log: zerolog.New(a.history)})
		if err != nil {
			a.violate("the server does not open: %v", err)
			return
		}
		room, err := h.Start(context.Background(), host.Spec{
			Game:     p.game(),
			Settings: match.Settings{Players: p.players, Turns: p.turns}, Autostart: true,
			Pace: func(match.Settings) match.Pace { return match.Fast(0, 0) }, Seed: a.rng.Uint64(),
		})
		if err != nil {
			a.violate("the match does not open: %v", err)
			return
		}
		result := room.Wait()
		a.note("the match ended after %d turns: %v", result.Steps, result.Err)
		h.Shutdown(context.Background())
		a.note("the server has ended")
	}
}
