package env_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/env"
	"github.com/hexarena/hexarena/server/match"
)

// A million steps of random matches side by side show at each step what the rules give for the same
// answers in JSON, in the order of a server with the same seed.
func TestMillionSteps(t *testing.T) {
	const envs = 32
	for _, tt := range cases {
		t.Run(tt.line, func(t *testing.T) {
			tt.setup.Turns = 60
			w := world(t, tt.line+" --turns 60", tt.setup)
			if w.Instance.Turns > 0 { // the game's own number of moves
				tt.setup.Turns, w.Setup.Turns = w.Instance.Turns, w.Instance.Turns
			}
			s := share(t, w, envs)
			rnd := rand.New(rand.NewPCG(3, 4))
			list := make([]*twin, envs)
			seed := uint64(0)
			for steps := 0; steps < thorough.Size(4_000, 250_000); steps += envs {
				reset, seeds := make([]byte, envs), []byte(nil)
				var actions []byte
				for i := range list {
					if list[i] == nil || list[i].over {
						reset[i], seed = 1, seed+1
						list[i] = newTwin(t, w, s, i, seed)
					}
					seeds = binary.NativeEndian.AppendUint64(seeds, seed)
					actions = append(actions, list[i].draw(rnd, reset[i] != 0)...)
				}
				s.set("reset", reset)
				s.set("seed", seeds)
				s.set("actions", actions)
				if wrong := s.command("s"); wrong != "" {
					t.Fatal(wrong)
				}
				s.read()
				for _, x := range list {
					x.compare()
				}
			}
		})
	}
}

// twin plays a match of a program that shares arrays by the rules alone.
type twin struct {
	t      *testing.T
	s      *shared
	setup  engine.Setup
	game   engine.Game
	result engine.Result
	steps  int
	over   bool
	order  *match.Shuffler

	view  games.EnvView
	shown engine.Game // what view takes
	parts map[string][]byte
	ids   []int  // of the characters, by slot; -1: an empty slot
	first string // piece of a move whose second is to come
	env   int
}

func newTwin(t *testing.T, w *env.World, s *shared, i int, seed uint64) *twin {
	x := &twin{
		t: t, s: s, env: i, setup: w.Setup, game: w.Instance.New(), parts: map[string][]byte{},
		order: match.NewShuffler(w.Setup.Players + w.Setup.Specials),
	}
	x.setup.Seed = seed
	var err error
	if x.result, err = x.game.Start(x.setup); err != nil {
		t.Fatal(err)
	}
	x.step(nil)
	described, err := w.Game.Env(x.game)
	if err != nil {
		t.Fatal(err)
	}
	var parts [][]byte
	for _, a := range described.Arrays {
		x.parts[a.Name] = make([]byte, s.at[a.Name][1])
		parts = append(parts, x.parts[a.Name])
	}
	x.view, x.shown = described.New(parts), x.game
	if described.Play != nil {
		x.shown = described.Play(x.game)
	}
	if state, err := hexabomb.ParseState(x.game.AppendState(nil)); err == nil {
		x.ids = make([]int, s.at["actions"][1])
		next := make([]int, x.setup.Players+x.setup.Specials)
		for i := range x.ids {
			x.ids[i] = -1
		}
		for _, c := range state.Characters {
			p := int(c.Color.Player())
			x.ids[p*len(x.ids)/len(next)+next[p]] = int(c.ID)
			next[p]++
		}
	}
	x.view.Show(x.shown)
	return x
}

func (x *twin) step(inputs []engine.Input) {
	x.result = x.game.Step(inputs)
	x.steps++
	x.over = x.result.Over || x.steps >= x.setup.Turns
}

// draw plays random answers, unless the match begins, and returns them for the arrays.
func (x *twin) draw(rnd *rand.Rand, begins bool) []byte {
	codes := make([]byte, x.s.at["actions"][1])
	if begins {
		return codes
	}
	lists := make([][]byte, x.setup.Players+x.setup.Specials)
	whole := true
	if g, ok := x.game.(*hextictactoe.Game); ok {
		whole = x.piece(rnd, g.Board(), codes, lists)
	} else {
		x.characters(rnd, codes, lists)
	}
	if !whole {
		return codes
	}
	inputs := make([]engine.Input, len(lists))
	for p, rank := range x.order.Rank(x.setup.Seed, x.steps) {
		inputs[rank] = engine.Input{
			Player: engine.PlayerID(p), Turn: x.steps - 1,
			Actions: fmt.Appendf(nil, "[%s]", lists[p]),
		}
	}
	if _, ok := x.game.(*hexabomb.Game); ok { // an answer is a step
		read, want := make([]byte, len(codes)), bytes.Clone(codes)
		for slot, code := range codes {
			if x.parts["mask"][slot*hexabomb.Codes+int(code)] == 0 {
				want[slot] = 0
			}
		}
		for i := range inputs {
			x.view.Codes(read, &inputs[i])
		}
		if !bytes.Equal(read, want) {
			x.t.Fatalf("the answers %s have the codes %v, want %v", lists, read, want)
		}
	}
	x.step(inputs)
	x.view.Show(x.shown)
	return codes
}

// piece draws a piece, and reports whether the move is complete. Cells next to pieces are likelier,
// so that some matches are won.
func (x *twin) piece(rnd *rand.Rand, b *hextictactoe.Board, codes []byte, lists [][]byte) bool {
	side := x.game.(*hextictactoe.Game).ToMove()
	legal := int(games.Elements[int32](x.s.of("legal", x.env))[0])
	n := min(rnd.IntN(legal), rnd.IntN(legal), rnd.IntN(legal))
	cells := games.Elements[int32](x.s.of("cells", x.env))
	games.Elements[uint16](codes)[side.Player()] = uint16(n)
	c := hexgrid.Coord{Q: int(cells[2*n]), R: int(cells[2*n+1])}
	text := fmt.Sprintf(`{"q":%d,"r":%d}`, c.Q, c.R)
	if x.first == "" && len(b.AppendRows(nil, hextictactoe.Piece{Coord: c, Side: side}, 6)) == 0 {
		x.first = text
		return false
	}
	if x.first != "" {
		text = x.first + "," + text
	}
	x.first, lists[side.Player()] = "", []byte(`{"pieces":[`+text+`]}`)
	return true
}

// characters draws codes, most of which may have an effect.
func (x *twin) characters(rnd *rand.Rand, codes []byte, lists [][]byte) {
	mask := x.parts["mask"]
	fields := games.Elements[int32](x.parts["characters"])
	for slot, id := range x.ids {
		code := rnd.IntN(hexabomb.Codes)
		for id >= 0 && mask[slot*hexabomb.Codes+code] == 0 && rnd.IntN(20) > 0 {
			code = rnd.IntN(hexabomb.Codes)
		}
		if id < 0 || code == 0 {
			continue
		}
		codes[slot] = byte(code)
		action := fmt.Sprintf(`{"id":%d,"movement":"revive","revive_q":%d,"revive_r":%d}`, id,
			fields[slot*hexabomb.CharacterFields], fields[slot*hexabomb.CharacterFields+1])
		switch {
		case code < 7:
			action = fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%v"}`, id, hexgrid.Dirs[code-1])
		case code < 16:
			action = fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, id,
				2+(code-7)/3, 2+(code-7)%3)
		}
		p := slot * len(lists) / len(x.ids)
		if lists[p] != nil {
			action = "," + action
		}
		lists[p] = append(lists[p], action...)
	}
}

// compare checks the arrays of the match, which in the middle of a move show what the rules do not.
func (x *twin) compare() {
	x.t.Helper()
	if x.first != "" {
		return
	}
	for name, want := range x.parts {
		if got := x.s.of(name, x.env); !bytes.Equal(got, want) {
			x.t.Fatalf("seed %d, after %d steps: %s is %v, want %v", x.setup.Seed, x.steps, name, got, want)
		}
	}
	if over := x.s.of("over", x.env)[0]; (over > 0) != x.over || (over == 1) != x.result.Over {
		x.t.Fatalf("seed %d, after %d steps: over is %d, want %v by the rules, %v", x.setup.Seed, x.steps,
			over, x.result.Over, x.over)
	}
	scores := games.Elements[int64](x.s.of("score", x.env))
	for p, score := range scores {
		if want := x.game.AppendTally(nil, engine.PlayerID(p))[0].Value; score != want {
			x.t.Fatalf("seed %d, after %d steps: the score of %d is %d, want %d", x.setup.Seed, x.steps, p,
				score, want)
		}
	}
}
