package hexabomb

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb/model"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// TestModel plays random games on random maps and compares every state, delta, tally,
// refusal and winner with the model's.
func TestModel(t *testing.T) {
	games := thorough.Size(150, 400)
	if testing.Short() {
		games = 40
	}
	for seed := range games {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		m := randomMap(rnd)
		specials := rnd.IntN(2)
		players := rnd.IntN(m.Seats() + 1)
		d := newDuel(t, &current, m, players, specials)
		for range 60 {
			if d.step(randomInputs(rnd, d.fast, players+specials)); t.Failed() {
				t.Fatalf("the game of seed %d failed", seed)
			}
		}
	}
}

// TestDraftModel does the same with the draft rules.
func TestDraftModel(t *testing.T) {
	games := thorough.Size(150, 10_000)
	if testing.Short() {
		games = 40
	}
	for seed := range games {
		rnd := rand.New(rand.NewPCG(uint64(seed), 2))
		m := randomMap(rnd)
		players := rnd.IntN(m.Seats() + 1)
		d := newDuel(t, &draft, m, players, 0)
		for range 60 {
			if d.step(randomInputs(rnd, d.fast, players)); t.Failed() {
				t.Fatalf("the game of seed %d failed", seed)
			}
		}
	}
}

// TestManyPlayers does the same with colours of two digits.
func TestManyPlayers(t *testing.T) {
	m := hexagon(4)
	for i := range 11 {
		m.Starts = append(m.Starts, []hexgrid.Coord{m.Cells[5*i]})
	}
	rnd := rand.New(rand.NewPCG(11, 11))
	d := newDuel(t, &current, m, 11, 0)
	for range 100 {
		d.step(randomInputs(rnd, d.fast, 11))
	}
}

// A character that several bombs reach is killed by the closest ones: by two as far away as each
// other, and not by a third, which does not reach as far.
func TestBombers(t *testing.T) {
	m := hexagon(3)
	for _, c := range []hexgrid.Coord{{}, {Q: 3}, {Q: -3}, {R: 3}} {
		m.Starts = append(m.Starts, []hexgrid.Coord{c})
	}
	d := newDuel(t, &current, m, 4, 0)
	var inputs []engine.Input
	for id, reach := range map[int]int{1: 3, 2: 3, 3: 2} {
		inputs = append(inputs, engine.Input{
			Player: engine.PlayerID(id),
			Actions: fmt.Appendf(nil, `[{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":2}]`, id,
				reach),
		})
	}
	var bombers []engine.PlayerID
	for n := 0; n < 4 && len(bombers) == 0; n++ {
		d.step(inputs)
		bombers, inputs = d.fast.AppendBombers(nil, 0), nil
	}
	if want := []engine.PlayerID{1, 2}; !slices.Equal(bombers, want) {
		t.Errorf("the bombs of %v have killed, want %v", bombers, want)
	}
}

// duel plays the same game with the model and with Game.
type duel struct {
	t       *testing.T
	fast    *Game
	slow    *model.Model
	players int
	rebuilt *State // the state as reconstructed from the deltas
}

func newDuel(t *testing.T, e *edition, m *Map, players, specials int) *duel {
	t.Helper()
	d := &duel{t: t, fast: Compile(m).newGame(e), players: players + specials}
	d.slow = model.New(model.Board(*m), players, specials)
	if e == &draft {
		d.slow = model.NewDraft(model.Board(*m), players)
	}
	result, err := d.fast.Start(engine.Setup{Players: players, Specials: specials, Turns: 100})
	if err != nil {
		t.Fatal(err)
	}
	d.compare(result, d.slow.Winner())
	return d
}

func (d *duel) step(inputs []engine.Input) {
	d.t.Helper()
	winner := d.slow.Step(inputs)
	d.compare(d.fast.Step(inputs), winner)
	if d.t.Failed() {
		for _, in := range inputs {
			d.t.Logf("input of %d (%v): %s", in.Player, in.Lapse, in.Actions)
		}
		d.t.FailNow()
	}
}

func (d *duel) compare(result engine.Result, winner engine.PlayerID) {
	d.t.Helper()
	if result.Winner != winner || result.Await != engine.Everyone || result.Over {
		d.t.Errorf("turn %d: result = %+v, want the winner %d", d.slow.Turn(), result, winner)
	}
	if !slices.Equal(result.Refused, d.slow.Refused()) {
		d.t.Errorf("turn %d: refused = %v, want %v", d.slow.Turn(), result.Refused, d.slow.Refused())
	}
	got := d.fast.AppendState(nil)
	want := marshal(d.t, d.slow.State())
	if !bytes.Equal(d.comparable(got), d.comparable(want)) {
		d.t.Errorf("turn %d: state = %s, want %s", d.slow.Turn(), got, want)
	}
	d.rebuilt = applyDelta(d.t, d.rebuilt, d.fast.AppendDelta(nil))
	if rebuilt := marshal(d.t, d.rebuilt); !bytes.Equal(rebuilt, want) {
		d.t.Errorf("turn %d: deltas add up to %s, want %s", d.slow.Turn(), rebuilt, want)
	}
	for p := range engine.PlayerID(d.players) {
		want := d.slow.Tally(p)
		if got := d.fast.AppendTally(nil, p); !slices.Equal(got, want) {
			d.t.Errorf("turn %d: tally of %d = %v, want %v", d.slow.Turn(), p, got, want)
		}
		bombers := d.slow.Bombers(p)
		if got := d.fast.AppendBombers(nil, p); !slices.Equal(got, bombers) {
			d.t.Errorf("turn %d: bombers of %d = %v, want %v", d.slow.Turn(), p, got, bombers)
		}
	}
}

// comparable returns a state in a form that both write in the same way: as it is while
// colours have one digit, otherwise encoded again by encoding/json.
func (d *duel) comparable(state []byte) []byte {
	if d.players < 10 {
		return state
	}
	s := new(State)
	decode(d.t, state, s)
	return marshal(d.t, s)
}

// applyDelta applies a delta to s and checks that it holds only changes.
func applyDelta(t *testing.T, s *State, text []byte) *State {
	t.Helper()
	delta := new(State)
	decode(t, text, delta)
	if s == nil {
		return delta
	}
	for _, c := range delta.Cells {
		i := slices.IndexFunc(s.Cells, func(old Cell) bool { return old.Coord == c.Coord })
		if i < 0 || s.Cells[i] == c {
			t.Errorf("the delta changes %v needlessly", c)
			continue
		}
		s.Cells[i] = c
	}
	for _, c := range delta.Characters {
		if reflect.DeepEqual(s.Characters[c.ID], c) {
			t.Errorf("the delta changes %v needlessly", c)
		}
		s.Characters[c.ID] = c
	}
	s.Bombs, s.Explosions, s.CellCount, s.Score = delta.Bombs, delta.Explosions, delta.CellCount, delta.Score
	return s
}

// hexagon returns the board of all cells within radius of the origin.
func hexagon(radius int) *Map {
	m := new(Map)
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			if c := (hexgrid.Coord{Q: q, R: r}); hexgrid.Distance(c, hexgrid.Coord{}) <= radius {
				m.Cells = append(m.Cells, c)
			}
		}
	}
	return m
}

// randomMap returns a small board, mostly with holes, with one or two special characters.
func randomMap(rnd *rand.Rand) *Map {
	m := hexagon(1 + rnd.IntN(4))
	seats, each, specials := 1+rnd.IntN(3), 1+rnd.IntN(2), 1+rnd.IntN(2)
	if len(m.Cells) == 7 {
		seats, each, specials = 2, 1, 1
	}
	places := rnd.Perm(len(m.Cells))
	take := func() hexgrid.Coord {
		at := places[0]
		places = places[1:]
		return m.Cells[at]
	}
	for range seats {
		var list []hexgrid.Coord
		for range each {
			list = append(list, take())
		}
		m.Starts = append(m.Starts, list)
	}
	for range specials {
		m.Specials = append(m.Specials, take())
	}
	holes := map[hexgrid.Coord]bool{}
	for range rnd.IntN(len(places) + 1) {
		holes[take()] = true
	}
	m.Cells = slices.DeleteFunc(m.Cells, func(c hexgrid.Coord) bool { return holes[c] })
	return m
}

// junk lists invalid actions, and valid ones in unusual notation; %[1]d is a character.
var junk = []string{
	`null`, `7`, `"move"`, `[]`, `{}`, `{"id":%[1]d}`, `{"movement":"revive"}`,
	`{"id":%[1]d,"movement":"fly"}`,
	`{"id":%[1]d,"movement":"move"}`, `{"id":%[1]d,"movement":"move","direction":"q+"}`,
	`{"id":%[1]d,"movement":"move","direction":7}`, `{"id":%[1]d,"movement":"bomb","bomb_range":3}`,
	`{"id":%[1]d,"movement":"bomb","bomb_range":3,"bomb_delay":2.5}`,
	`{"id":"%[1]d","movement":"revive"}`,
	`{"id":99,"movement":"revive"}`, `{"id":-1,"movement":"revive"}`,
	`{"id":1e300,"movement":"revive"}`,
	`{"id":2147483648,"movement":"revive"}`, `{"ID":%[1]d,"movement":"revive"}`,
	`{"id":%[1]d.0,"movement":"move","direction":"x+"}`,
	`{"id":%[1]de0,"movement":"m\u006fve","direction":"y-"}`,
	`{"\u0069d":%[1]d,"movement":"move","direction":"z\u002b"}`,
	`{"id":99,"id":%[1]d,"movement":"fly","movement":"bomb","bomb_delay":2e0,"bomb_range":2.0}`,
	`{"id":%[1]d,"movement":"move","direction":"x-","direction":null}`,
	`{"id":%[1]d,"movement":"revive","revive_q":0}`,
	`{"id":%[1]d,"movement":"revive","revive_q":0,"revive_r":0.0}`,
	`{"revive_r": 1,"revive_q":-1, "movement":"revive","id":%[1]d}`,
	`{"id":%[1]d,"movement":"revive","revive_q":-0,"revive_r":"0"}`,
	`{"id":%[1]d,"movement":"revive","revive_q":0e0,"revive_r":0}`,
	`{"id":%[1]d,"movement":"revive","revive_q":2147483648,"revive_r":0}`,
	`{"id":%[1]d,"movement":"revive","revive_q":7,"revive_q":0,"revive_r":0,"bomb_range":2,"r":1}`,
	` { "direction" : "y+" , "movement" : "move" , "id" : %[1]d , "why":{"a":[1,{}]} } `,
}

// randomInputs returns inputs in which most players move most of their characters,
// sometimes in two entries, along with all kinds of invalid input.
func randomInputs(rnd *rand.Rand, g *Game, players int) (inputs []engine.Input) {
	for range rnd.IntN(players + 2) {
		p := engine.PlayerID(rnd.IntN(players+2) - 1)
		in := engine.Input{Player: p, Turn: rnd.IntN(3), Actions: randomActions(rnd, g, p)}
		switch rnd.IntN(30) {
		case 0:
			in.Lapse = engine.TimedOut
		case 1:
			in.Actions = in.Actions[:rnd.IntN(len(in.Actions))]
		case 2:
			in.Actions = []byte(`{"id":0,"movement":"revive"}`)
		}
		inputs = append(inputs, in)
	}
	return inputs
}

func randomActions(rnd *rand.Rand, g *Game, p engine.PlayerID) []byte {
	var list []string
	for id := range g.chars {
		if g.chars[id].player != p && rnd.IntN(20) > 0 {
			continue
		}
		switch n := rnd.IntN(20); {
		case n < 11:
			list = append(list,
				fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%v"}`, id, hexgrid.Dirs[rnd.IntN(6)]))
		case n < 15:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`,
				id, 1+rnd.IntN(5), 1+rnd.IntN(4)))
		case n < 16:
			list = append(list, fmt.Sprintf(`{"bomb_delay":%d, "bomb_range":%d, "movement":"bomb", "id":%d}`,
				2+rnd.IntN(100), 2+rnd.IntN(100), id))
		case n < 17:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, id))
		case n < 18:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive","revive_q":%d,"revive_r":%d}`,
				id, rnd.IntN(9)-4, rnd.IntN(9)-4))
		default:
			list = append(list, strings.ReplaceAll(junk[rnd.IntN(len(junk))], "%[1]d", fmt.Sprint(id)))
		}
	}
	rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return []byte("[" + strings.Join(list, ",") + "]")
}
