package duel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errUnknown = errors.New("no such mind")

// righty plays two pieces to the right of all others.
func righty(_ context.Context, m htttx.MoveRequest) htttx.MoveResponse {
	pieces, _ := htttx.ParseBoard(m.Board)
	q := int32(0)
	for _, p := range pieces {
		q = max(q, p.Q)
	}
	return htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: q + 2}, {Q: q + 4}}}}
}

func asleep(ctx context.Context, _ htttx.MoveRequest) htttx.MoveResponse {
	<-ctx.Done()
	return htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: 1}, {Q: 2}}}}
}

func broken(context.Context, htttx.MoveRequest) htttx.MoveResponse { panic("oh") }

func minds(name string) (botapi.Mind, error) {
	m, ok := map[string]botapi.Mind{"righty": righty, "asleep": asleep, "broken": broken}[name]
	if !ok {
		return nil, errUnknown
	}
	return m, nil
}

// instance is the game with these options, and a time for each move.
func instance(rules hextictactoe.Options, perMove time.Duration) games.Instance {
	return games.Instance{
		New:     func() engine.Game { return hextictactoe.New(rules) },
		Budget:  &match.Budget{Time: perMove},
		Opening: rules.Setup != nil,
	}
}

func play(t *testing.T, g Game, seats ...string) (reason string, winner int, err error) {
	t.Helper()
	list, err := seat.Parse(t.Context(), seats, seat.Known{HTTTX: true, Builtin: func(name string) error {
		_, err := minds(name)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), [2]seat.Spec(list), Options{Mind: minds, StartTimeout: 20 * time.Second, Patience: 300 * time.Millisecond, Log: zerolog.Nop()})
	if err != nil {
		return "", 0, err
	}
	defer p.Close()
	if g.Instance.New == nil {
		rules := hextictactoe.Defaults()
		rules.TurnLimit = 4
		g.Instance = instance(rules, 300*time.Millisecond)
	}
	e, err := p.Play(t.Context(), g)
	return e.Reason, int(e.Winner), err
}

func TestPlay(t *testing.T) {
	for _, tt := range []struct {
		x, o    string
		swapped bool
		reason  string
		winner  int
	}{
		{"righty", "righty", false, "draw: turn limit", -1},
		{"righty", "asleep", false, "forfeit: out of time", 0},
		{"righty", "asleep", true, "forfeit: out of time", 1},
		{"broken", "righty", false, "forfeit: left", 1},
	} {
		reason, winner, err := play(t, Game{Swapped: tt.swapped}, tt.x, tt.o)
		if err != nil || reason != tt.reason || winner != tt.winner {
			t.Errorf("%s against %s, swapped %v: %q, %d, %v; want %q, %d", tt.x, tt.o, tt.swapped, reason, winner, err, tt.reason, tt.winner)
		}
	}
}

// A bot that did not say that it can is not asked to play from an opening.
func TestOpeningsNeedFreeSetup(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"stateless":{"versions":{"v1-alpha":{}}}}`)
	}))
	defer srv.Close()
	opening := &hextictactoe.Position{ToMove: hextictactoe.O, Pieces: []hextictactoe.Piece{{Side: hextictactoe.X}}}
	rules := hextictactoe.Defaults()
	rules.TurnLimit, rules.Setup = 4, opening
	g := Game{Instance: instance(rules, 300*time.Millisecond)}
	if reason, _, err := play(t, g, "righty", "righty"); err != nil || reason != "draw: turn limit" {
		t.Errorf("minds with an opening: %q, %v", reason, err)
	}
	socket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".json") {
			fmt.Fprint(w, `{"basic_websocket":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		up := websocket.Upgrader{}
		if c, err := up.Upgrade(w, r, nil); err == nil {
			_, _, _ = c.ReadMessage()
			_ = c.Close()
		}
	}))
	defer socket.Close()
	if _, _, err := play(t, g, "righty", socket.URL); err == nil || !strings.Contains(err.Error(), "does not declare free_setup") {
		t.Errorf("a bot without free_setup with an opening: %v", err)
	}
	if reason, winner, err := play(t, g, "righty", srv.URL); err != nil || winner != 0 {
		t.Errorf("a stateless bot with an opening: %q, %v", reason, err)
	}
}
