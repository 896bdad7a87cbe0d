package hive

import (
	"context"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// A panic in a game ends it for all who are there, and no other game.
func TestPanicInAGame(t *testing.T) {
	minds := func(name string, _ hextictactoe.Options, _ uint64) botapi.Mind {
		if name == "late" {
			return func(context.Context, htttx.MoveRequest) htttx.MoveResponse { panic("while it thinks") }
		}
		panic("before it thinks")
	}
	h := host(t, Options{Minds: []string{"early", "late"}, Mind: minds})
	other := h.create(t, `{}`)
	for mind, want := range map[string]string{"early": noGame, "late": `"winner":"x"`} {
		g := h.create(t, `{"player_o":{"type":"built-in","name":"`+mind+`"}}`)
		watcher := h.dial(t, "/spectate/"+g.GameID)
		x := h.dial(t, "/ws?token="+g.TokenCross)
		x.rest() // the other side moves first
		if got := watcher.rest(); !strings.Contains(got, want) {
			t.Errorf("with the mind %s, a spectator saw %s, want %s", mind, got, want)
		}
	}
	x, o := h.dial(t, "/ws?token="+other.TokenCross), h.dial(t, "/ws?token="+other.TokenCircle)
	for _, c := range []*client{x, o} {
		if _, ok := c.next().(htttx.Setup); !ok {
			t.Error("the other game does not begin")
		}
	}
}
