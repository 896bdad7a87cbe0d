//go:build browser

package pagetest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/docs/examples/claim"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/web"
)

// A game of which the program has an entry and the page has nothing is shown live and from its
// recording: the game of docs/add-a-game.md.
func TestGameOfAnEntry(t *testing.T) {
	t.Parallel()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	game := claim.Entry()
	instance := games.Instance{Map: game.Name, Setup: []byte(`{"cells":24}`), Players: 2}
	instance.New = func() engine.Game {
		g, err := game.Replay(claim.Rules, instance.Setup)
		if err != nil {
			t.Error(err)
		}
		return g
	}
	dir := t.TempDir()
	h, err := host.Open(host.Options{
		NoPort: true,
		Recordings: &host.Recordings{
			Dir: dir, Durable: recording.AtEnd, Complain: func(err error) { t.Error(err) },
		},
		Page: &host.Page{
			Options: web.Options{
				Address: "127.0.0.1:0", Recordings: web.NewFolder(dir, game.Replay), Version: "test",
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Shutdown(context.Background()) })
	const turns = 8
	gate := make(chan struct{})
	room, err := h.Start(context.Background(), host.Spec{
		Name: game.Name, Game: instance,
		Settings: match.Settings{Players: 2, Turns: turns}, Pace: match.PaceSpec{}.Pace,
		Seats: []seat.Spec{
			{Kind: seat.Builtin, Builtin: "claimer", Label: "ann"},
			{Kind: seat.Builtin, Builtin: "claimer", Label: "bob"},
		},
		Bots: seating.Options{
			Fill: &seating.Once{Begin: gate}, Options: direct.Options{Builtin: game.NewBuiltin},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, h.Page().URL(), prefers("dark"))
	await(b, "the lobby", shows(lobby, "2 seats free"), true)
	close(gate)
	name := room.Wait().Recording
	await(b, "the last turn", boardTurn, turns)
	await(b, "the players", shows(players, "ann", "bob"), true)
	await(b, "the state", shows(state, "AT TURN 7", "owners"), true)
	b.shoot("game of an entry")

	replay := open(t, h.Page().URL()+"?recording="+filepath.Base(name), prefers("dark"))
	await(replay, "the players", shows(players, "ann", "bob"), true)
	replay.press(kb.End)
	await(replay, "the last turn", boardTurn, turns)
	await(replay, "the state", shows(state, "AT TURN 7", "owners"), true)
}
