package claim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
)

func TestClaim(t *testing.T) {
	enginetest.Run(t, func() engine.Game { return New(24) }, enginetest.Options{
		Setup:   engine.Setup{Players: 3, Turns: 50},
		Refused: []engine.Setup{{}, {Players: 25}, {Players: 2, Specials: 1}},
		Act: func(rnd *rand.Rand, _ []byte, _ engine.PlayerID) []byte {
			return fmt.Appendf(nil, `[{"claim":%d}]`, rnd.IntN(26)-1)
		},
	})
}

// The first of two players that claim a cell gets it.
func TestFirstClaimCounts(t *testing.T) {
	g := New(4)
	if _, err := g.Start(engine.Setup{Players: 2}); err != nil {
		t.Fatal(err)
	}
	g.Step(nil) // no player has seen the board
	r := g.Step([]engine.Input{
		{Player: 1, Actions: []byte(`[{"claim":2}]`)},
		{Player: 0, Actions: []byte(`[{"claim":2},{"claim":3},{"claim":0}]`)},
	})
	if got, want := string(g.AppendState(nil)), `{"owners":[-1,-1,1,0]}`; got != want {
		t.Errorf("state %s, want %s", got, want)
	}
	if len(r.Refused) != 2 || r.Refused[0].Reason != "claimed already" ||
		r.Refused[1].Reason != "one cell per turn" {
		t.Errorf("refused %+v", r.Refused)
	}
	if r.Winner != engine.NoPlayer || r.Over {
		t.Errorf("result %+v, want a game that goes on without a leader", r)
	}
}

// A state looks the same in a picture, on a terminal and as text.
func TestLooks(t *testing.T) {
	state := []byte(`{"owners":[-1,1,0,1]}`)
	m := &games.Match{Setup: []byte(`{"cells":4}`), Names: []string{"ann", "bob"}, Turns: 5}
	if got, err := text(m, state); err != nil || !strings.HasPrefix(got, ".BAB\n") {
		t.Errorf("text returns %q, %v", got, err)
	}
	d, err := draw(m, state, picture.Options{Size: 200})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Follow(&picture.Moment{State: state}); err != nil {
		t.Fatal(err)
	}
	picture.NewImage(d).Draw()
	terminal, err := newTerminal(m)
	if err != nil {
		t.Fatal(err)
	}
	s, err := terminal.Screen(state)
	if err != nil || len(terminal.Cells()) != 4 || s.Tile(1, games.TileOptions{}).Text != "B" ||
		s.Standings()[1].Cells != 2 {
		t.Errorf("Screen returns %+v, %v", s, err)
	}
}
