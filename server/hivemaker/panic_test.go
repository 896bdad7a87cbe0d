package hivemaker

import (
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// panickingBot is a built-in bot that panics while it thinks.
type panickingBot struct{}

func (panickingBot) Start(netorcai.GameStarts) error    { return nil }
func (panickingBot) Turn(netorcai.Turn) ([]byte, error) { panic("while it thinks") }
func (panickingBot) End(netorcai.GameEnds)              {}

// A panic in a game ends it for all its players and spectators, and affects no
// other game.
func TestPanicInAGame(t *testing.T) {
	builtin := func(name string, _ uint64) (netorcai.Bot, error) {
		if name == "late" {
			return panickingBot{}, nil
		}
		panic("before it thinks")
	}
	h := open(t, Options{Builtins: []string{"early", "late"}, Builtin: builtin})
	other := h.create(t, `{}`)
	for bot, want := range map[string]string{"early": gameAborted, "late": `"winner":"x"`} {
		g := h.create(t, `{"player_o":{"type":"built-in","name":"`+bot+`"}}`)
		watcher := h.dial(t, "/spectate/"+g.GameID)
		x := h.dial(t, "/ws?token="+g.TokenCross)
		x.readRest() // the other side moves first
		if got := watcher.readRest(); !strings.Contains(got, want) {
			t.Errorf("with the bot %s, a spectator saw %s, want %s", bot, got, want)
		}
	}
	x, o := h.dial(t, "/ws?token="+other.TokenCross), h.dial(t, "/ws?token="+other.TokenCircle)
	for _, c := range []*client{x, o} {
		if _, ok := c.next().(htttx.Setup); !ok {
			t.Error("the other game does not begin")
		}
	}
}
