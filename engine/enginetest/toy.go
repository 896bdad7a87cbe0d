package enginetest

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// ToyStones is the number of stones at the start of a toy game, ToyMost the number
// that a player may take at once.
const (
	ToyStones = 21
	ToyMost   = 3
)

// NewToy returns the smallest game that uses what hexabomb does not: its two players
// alternate, it ends before its last turn, and a player that lapses forfeits. There
// is a heap of ToyStones stones; the player to move takes one to ToyMost of them, and
// the player who takes the last one wins. Player 0 begins.
//
// An array of actions is like [{"take":2}]. An impossible action is refused and the
// same player is awaited again; of several actions the first possible one counts.
// The state is like
//
//	{"stones":19,"turn_of":1,"taken":{"0":2,"1":0},"winner":-1,"reason":""}
//
// It is written for brevity, not for speed.
func NewToy() engine.Game { return &toy{winner: engine.NoPlayer} }

type toy struct {
	started bool
	stones  int
	mover   engine.PlayerID
	taken   [2]int
	over    bool
	winner  engine.PlayerID
	reason  string
}

func (g *toy) Rules() string { return "toy/1" }

func (g *toy) Start(setup engine.Setup) (engine.Result, error) {
	if g.started {
		return engine.Result{}, errors.New("toy: the game has started already")
	}
	if setup.Players != 2 || setup.Specials != 0 {
		return engine.Result{}, fmt.Errorf("toy: %d players and %d special players; the game needs 2 "+
			"and 0",
			setup.Players, setup.Specials)
	}
	g.started, g.stones = true, ToyStones
	return g.result(), nil
}

func (g *toy) Step(inputs []engine.Input) engine.Result {
	if g.over || !g.started {
		return g.result()
	}
	var refused []engine.Refusal
	mover, moved := g.mover, false
	for i, in := range inputs {
		switch {
		case in.Player != mover:
			refused = append(refused,
				engine.Refusal{Player: in.Player, Input: i, Action: -1, Reason: "not your turn"})
		case in.Lapse != engine.Answered && !moved && !g.over:
			g.end(1-mover, "forfeit")
		case in.Lapse == engine.Answered:
			refused = g.play(refused, i, in, &moved)
		}
	}
	result := g.result()
	result.Refused = refused
	return result
}

// play takes stones for the mover unless it has already done so in this turn.
func (g *toy) play(
	refused []engine.Refusal, input int, in engine.Input, moved *bool,
) []engine.Refusal {
	refuse := func(action int, why string) {
		refused = append(refused,
			engine.Refusal{Player: in.Player, Input: input, Action: action, Reason: why})
	}
	list, err := jsonscan.Parse(in.Actions)
	if err != nil || list.Kind() != jsonscan.Array {
		refuse(-1, "unreadable")
		return refused
	}
	for action, v := range list.Elements() {
		switch n := takeOf(v); {
		case *moved || g.over:
			refuse(action, "one action per turn")
		case n < 1 || n > min(ToyMost, g.stones):
			refuse(action, "cannot take that many")
		default:
			*moved = true
			g.take(n)
		}
	}
	return refused
}

// takeOf returns the number of stones an action asks for, 0 if it has none.
func takeOf(v jsonscan.Value) (n int) {
	for key, v := range v.Fields() {
		if key.Is("take") {
			wide, _ := v.Int32()
			n = int(wide)
		}
	}
	return n
}

func (g *toy) take(n int) {
	g.stones -= n
	g.taken[g.mover] += n
	if g.stones == 0 {
		g.end(g.mover, "last stone taken")
		return
	}
	g.mover = 1 - g.mover
}

func (g *toy) end(winner engine.PlayerID, reason string) {
	g.over, g.winner, g.reason = true, winner, reason
}

func (g *toy) result() engine.Result {
	await := engine.Only(g.mover)
	if g.over || !g.started {
		await = engine.NoOne
	}
	return engine.Result{Await: await, Winner: g.winner, Over: g.over, Reason: g.reason}
}

func (g *toy) AppendState(b []byte) []byte {
	return fmt.Appendf(b, `{"stones":%d,"turn_of":%d,"taken":{"0":%d,"1":%d},"winner":%d,"reason":%s}`,
		g.stones, g.mover, g.taken[0], g.taken[1], g.winner, strconv.Quote(g.reason))
}

// AppendDelta appends the whole state: it is small, and every step changes most of it.
func (g *toy) AppendDelta(b []byte) []byte { return g.AppendState(b) }

func (g *toy) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	var won, taken int64
	if p == 0 || p == 1 {
		taken = int64(g.taken[p])
		if g.over && g.winner == p {
			won = 1
		}
	}
	return append(dst, engine.Count{Name: "won", Value: won},
		engine.Count{Name: "taken", Value: taken})
}
