package bots

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
)

func TestNew(t *testing.T) {
	for _, d := range Describe() {
		if _, err := New(d.Name, 1); err != nil {
			t.Errorf("New(%q) = %v", d.Name, err)
		}
		if d.Summary == "" || strings.Contains(d.Summary, "\n") ||
			d.Seat != Ordinary && d.Seat != Special {
			t.Errorf("Describe() has %+v", d)
		}
	}
	if _, err := New("threat", 1); err == nil {
		t.Error("New takes a name of another game")
	}
}

// order is an action as it must appear on the wire.
type order struct {
	ID        int32  `json:"id"`
	Movement  string `json:"movement"`
	Direction string `json:"direction,omitempty"`
	Range     int32  `json:"bomb_range,omitempty"`
	Delay     int32  `json:"bomb_delay,omitempty"`
	Q         *int   `json:"revive_q,omitempty"`
	R         *int   `json:"revive_r,omitempty"`
}

// checkAnswer checks a player's answer against the rules for messages.
func checkAnswer(t *testing.T, info Info, state *hexabomb.State, answer []byte) {
	t.Helper()
	var orders []order
	dec := json.NewDecoder(bytes.NewReader(answer))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&orders); err != nil || dec.More() {
		t.Fatalf("player %d answers %s: %v", info.Player, answer, err)
	}
	limit := int32(maxBomb)
	if info.Special() {
		limit = maxSpecialBomb
	}
	seen := map[int32]bool{}
	for _, o := range orders {
		i := slices.IndexFunc(state.Characters, func(c hexabomb.Character) bool { return c.ID == o.ID })
		if i < 0 || int(state.Characters[i].Color.Player()) != info.Player {
			t.Errorf("player %d gives %+v to a character that is not its own", info.Player, o)
		}
		if seen[o.ID] {
			t.Errorf("player %d gives character %d two orders", info.Player, o.ID)
		}
		seen[o.ID] = true
		named := func(d hexgrid.Dir) bool { return d.String() == o.Direction }
		switch isDir := slices.ContainsFunc(hexgrid.Dirs[:], named); {
		case o.Movement == "move" && isDir &&
			o == order{ID: o.ID, Movement: "move", Direction: o.Direction}:
		case o.Movement == "revive" && o == order{ID: o.ID, Movement: "revive", Q: o.Q, R: o.R}:
			draft := state.Characters[i].BombCount == nil
			if (o.Q != nil) != draft || (o.R != nil) != draft {
				t.Errorf("player %d gives %s by the rules of another game", info.Player, answer)
			}
		case o.Movement == "bomb" && o.Direction == "" && 2 <= o.Range && o.Range <= limit &&
			2 <= o.Delay && o.Delay <= limit:
		default:
			t.Errorf("player %d gives %+v, which is not in the rules", info.Player, o)
		}
	}
}

// rosters are matches that put every strategy on every kind of seat.
var rosters = [][]string{
	{"random", "painter"},
	{"hunter", "random"},
	{"special hunter", "painter", "random"},
	{"special painter", "hunter", "random"},
	{"special random", "hunter", "painter"},
	{"draft hunter", "painter"},
	{"draft painter", "random"},
}

// TestAnswersAreLegal checks that the only reason for which an action of a strategy has no
// effect is that another character was faster.
func TestAnswersAreLegal(t *testing.T) {
	thorough.Long(t)
	for _, names := range rosters {
		t.Run(strings.Join(names, ","), func(t *testing.T) {
			for seed := range uint64(5) {
				g := newSeededGame(t, small, seed, names...)
				for range 80 {
					before := g.now()
					g.step()
					for id, answer := range g.answers {
						info := Info{Player: id, Players: g.setup.Players, Specials: g.setup.Specials}
						checkAnswer(t, info, before, answer)
					}
					for _, r := range g.refused {
						if r.Reason != "blocked" {
							t.Errorf("player %d: action %d of %s is refused: %s", r.Player, r.Action,
								g.answers[r.Player], r.Reason)
						}
					}
				}
			}
		})
	}
}

// TestNothingIsRefusedAlone checks that all actions of a player without opponents succeed.
func TestNothingIsRefusedAlone(t *testing.T) {
	for _, name := range Names() {
		g := newGame(t, small, name)
		for range 100 {
			if g.step(); len(g.refused) > 0 {
				t.Fatalf("%s, turn %d: %s is refused: %v", name, g.turn, g.answers[0], g.refused)
			}
		}
	}
}

func TestOddStates(t *testing.T) {
	const one = `{"cells":[{"q":5,"r":-3,"color":0}],`
	states := map[string]string{
		"no cells":      `{"cells":[],"characters":[],"bombs":[],"explosions":{},"cell_count":{},"score":{}}`,
		"empty":         `{}`,
		"no characters": one + `"characters":[],"bombs":[]}`,
		"one cell": one + `"characters":[{"id":0,"color":1,"q":5,"r":-3,"alive":true,"revive_delay":-1,"bomb_count":2}],
			"bombs":[]}`,
		"one cell with a bomb": one + `"characters":[{"id":0,"color":1,"q":5,"r":-3,"alive":true,"revive_delay":-1,"bomb_count":2}],
			"bombs":[{"color":1,"range":2,"delay":1,"q":5,"r":-3}]}`,
		"all dead": one + `"characters":[{"id":0,"color":1,"q":5,"r":-3,"alive":false,"revive_delay":2,"bomb_count":1},
			{"id":1,"color":2,"q":5,"r":-3,"alive":false,"revive_delay":0,"bomb_count":0}],"bombs":[]}`,
		"one may revive": one + `"characters":[{"id":0,"color":1,"q":5,"r":-3,"alive":false,"revive_delay":0,"bomb_count":1},
			{"id":1,"color":1,"q":5,"r":-3,"alive":false,"revive_delay":0,"bomb_count":0}],"bombs":[]}`,
		"huge values": one + `"characters":[{"id":2147483647,"color":1,"q":5,"r":-3,"alive":true,"revive_delay":-1,"bomb_count":2147483647}],
			"bombs":[{"color":-2147483648,"range":2147483647,"delay":-2147483648,"q":5,"r":-3},{"color":2,"range":-7,"delay":0,"q":5,"r":-3}]}`,
		"crowded": one + `"characters":[{"id":0,"color":1,"q":5,"r":-3,"alive":true},{"id":1,"color":2,"q":5,"r":-3,"alive":true},
			{"id":2,"color":1,"q":5,"r":-3,"alive":true}],"bombs":[]}`,
	}
	infos := []Info{
		{},
		{Players: 1},
		{Player: -1},
		{Specials: 1},
		{Player: 1, Players: 1, Specials: 1},
		{Player: 1 << 40},
	}
	for label, text := range states {
		state, err := hexabomb.ParseState([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range Names() {
			for _, info := range infos {
				s, err := New(name, 1)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Start(info, []byte(text)); err != nil {
					t.Fatalf("%s: %s: Start = %v", label, name, err)
				}
				for turn := range 30 { // random choices differ from turn to turn
					answer, err := s.Turn(turn, []byte(text), nil)
					if err != nil {
						t.Fatalf("%s: %s: Turn = %v", label, name, err)
					}
					checkAnswer(t, info, state, answer)
				}
			}
		}
	}
}

// TestDeterministic checks that a strategy depends only on its seed and on the states.
func TestDeterministic(t *testing.T) {
	for _, names := range rosters {
		play := func() string {
			g := newGame(t, small, names...)
			var all bytes.Buffer
			for range 60 {
				g.step()
				all.Write(g.state)
			}
			return all.String()
		}
		if first, second := play(), play(); first != second {
			t.Errorf("two matches of %v differ", names)
		}
	}
	for _, name := range Names() {
		g := newGame(t, small, "painter", "random")
		s, err := New(name, 3)
		if err != nil {
			t.Fatal(err)
		}
		var first []string
		for round := range 2 {
			if err := s.Start(Info{Player: 1, Players: 2}, g.state); err != nil {
				t.Fatal(err)
			}
			for turn := range 20 {
				answer, err := s.Turn(turn, g.state, nil)
				if err != nil {
					t.Fatal(err)
				}
				if round == 0 {
					first = append(first, string(answer))
				} else if string(answer) != first[turn] {
					t.Errorf("%s, second match, turn %d: %s, want %s", name, turn, answer, first[turn])
				}
			}
		}
	}
}

func TestSeedsMatter(t *testing.T) {
	for _, names := range [][]string{{"random"}, {"painter"}} {
		states := map[string]bool{}
		for seed := range uint64(10) {
			g := newSeededGame(t, small, seed, names...)
			g.play(10)
			states[string(g.state)] = true
		}
		if len(states) < 2 {
			t.Errorf("10 seeds of %v lead to %d state", names, len(states))
		}
	}
}

func TestTurnAppends(t *testing.T) {
	g := newGame(t, small, "painter")
	got, err := g.players[0].Turn(0, g.state, []byte("before"))
	if err != nil || !bytes.HasPrefix(got, []byte("before[{")) {
		t.Errorf("Turn with a prefix = %s, %v", got, err)
	}
}

func TestTurnAllocatesNothing(t *testing.T) {
	m, err := maps.Load(maps.Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		g := newGame(t, m, "special hunter", "random", "painter")
		g.play(8)
		for _, info := range []Info{
			{Player: 0, Players: 2, Specials: 1},
			{Player: 1, Players: 2, Specials: 1},
			{Player: 1, Players: 3},
		} {
			s, err := New(name, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Start(info, g.state); err != nil {
				t.Fatal(err)
			}
			var answer []byte
			turn := func() {
				if answer, err = s.Turn(0, g.state, answer[:0]); err != nil {
					t.Fatal(err)
				}
			}
			for range 50 { // buffers grow
				turn()
			}
			if n := testing.AllocsPerRun(50, turn); n != 0 {
				t.Errorf("a turn of %s as %+v allocates %v times, want 0", name, info, n)
			}
		}
	}
}

func ExampleNew() {
	s, err := New("painter", 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	state := []byte(`{"cells":[{"q":0,"r":0,"color":1},{"q":1,"r":0,"color":0}],
		"characters":[{"id":0,"color":1,"q":0,"r":0,"alive":true,"revive_delay":-1,"bomb_count":1}],"bombs":[]}`)
	if err := s.Start(Info{Player: 0, Players: 1, Turns: 100}, state); err != nil {
		fmt.Println(err)
		return
	}
	actions, err := s.Turn(0, state, nil)
	fmt.Println(string(actions), err)
	// Output: [{"id":0,"movement":"move","direction":"x+"}] <nil>
}

// By the draft rules, painters revive where most cells are left to paint, hunters beside enemies,
// and random where the character died.
func TestDraftRevival(t *testing.T) {
	const cells = `{"cells":[{"q":0,"r":0,"color":1},{"q":1,"r":0,"color":1},{"q":2,"r":0,"color":1},
		{"q":3,"r":0,"color":1},{"q":4,"r":0,"color":1},{"q":5,"r":0,"color":1},{"q":6,"r":0,"color":1},
		{"q":7,"r":0,"color":0},{"q":8,"r":0,"color":0},{"q":9,"r":0,"color":0},{"q":20,"r":0,"color":2},
		{"q":21,"r":0,"color":1}],`
	const state = cells + `"characters":[{"id":0,"color":1,"q":2,"r":0,"alive":false,"revive_delay":0},
		{"id":1,"color":2,"q":20,"r":0,"alive":true,"revive_delay":-1}],"bombs":[],"score":{}}`
	for name, want := range map[string]string{
		"random":  `"revive_q":2,"revive_r":0`,
		"painter": `"revive_q":7,"revive_r":0`,
		"hunter":  `"revive_q":21,"revive_r":0`,
	} {
		s, err := New(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(Info{Player: 0, Players: 2, Turns: 100}, []byte(state)); err != nil {
			t.Fatal(err)
		}
		answer, err := s.Turn(1, []byte(state), nil)
		if err != nil || string(answer) != `[{"id":0,"movement":"revive",`+want+`}]` {
			t.Errorf("%s answers %s, %v; want %s", name, answer, err, want)
		}
	}
}
