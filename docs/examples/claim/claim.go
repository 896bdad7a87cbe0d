// Package claim is an example of a game: there is a row of cells, each player claims
// one in each turn, and the player with the most cells wins. docs/add-a-game.md walks
// through it.
//
// An array of actions is like [{"claim":5}]; the first one that is possible counts. The
// state has the player that owns each cell, -1 for none:
//
//	{"owners":[0,-1,1,-1]}
package claim

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Rules is the name and version of the rules. A change that alters the result of a
// recorded match needs a new number.
const Rules = "claim/1"

// Game is one match. It implements engine.Game.
type Game struct {
	owner   []engine.PlayerID // of each cell; nil before the start
	owned   []int             // cells of each player
	free    int               // cells without owner
	refused []engine.Refusal  // of the last step
	size    int
}

// New returns a game with that many cells.
func New(cells int) *Game { return &Game{size: cells} }

// Rules implements engine.Game.
func (g *Game) Rules() string { return Rules }

// Start implements engine.Game. There has to be a cell for each player.
func (g *Game) Start(setup engine.Setup) (engine.Result, error) {
	switch {
	case g.owner != nil:
		return engine.Result{}, errors.New("claim: the game has already started")
	case setup.Specials != 0:
		return engine.Result{}, errors.New("claim: there are no special players in this game")
	case setup.Players < 1 || setup.Players > g.size:
		return engine.Result{}, fmt.Errorf("claim: %d players do not fit on %d cells", setup.Players,
			g.size)
	}
	g.owner, g.owned, g.free = make([]engine.PlayerID, g.size), make([]int, setup.Players), g.size
	for i := range g.owner {
		g.owner[i] = engine.NoPlayer
	}
	return g.result(), nil
}

// Step implements engine.Game. The inputs of the first step are empty, because the
// players have not seen the board yet.
func (g *Game) Step(inputs []engine.Input) engine.Result {
	g.refused = g.refused[:0]
	for i := range inputs {
		if in := &inputs[i]; g.free > 0 && in.Lapse == engine.Answered {
			g.play(i, in)
		}
	}
	return g.result()
}

// play applies the i-th input.
func (g *Game) play(i int, in *engine.Input) {
	if in.Player < 0 || int(in.Player) >= len(g.owned) {
		g.refuse(in, i, -1, "no such player")
		return
	}
	list, err := jsonscan.Parse(in.Actions)
	if err != nil || list.Kind() != jsonscan.Array {
		g.refuse(in, i, -1, "unreadable")
		return
	}
	done := false
	for action, v := range list.Elements() {
		switch cell := cellOf(v); {
		case done:
			g.refuse(in, i, action, "one cell per turn")
		case cell < 0 || cell >= len(g.owner):
			g.refuse(in, i, action, "no such cell")
		case g.owner[cell] != engine.NoPlayer:
			g.refuse(in, i, action, "claimed already")
		default:
			done = true
			g.owner[cell] = in.Player
			g.owned[in.Player]++
			g.free--
		}
	}
}

// cellOf returns the cell that an action claims, -1 if it does not say.
func cellOf(action jsonscan.Value) int {
	cell := -1
	for key, v := range action.Fields() {
		if n, ok := v.Int32(); ok && key.Is("claim") {
			cell = int(n)
		}
	}
	return cell
}

func (g *Game) refuse(in *engine.Input, i, action int, why string) {
	g.refused = append(g.refused,
		engine.Refusal{Player: in.Player, Input: i, Action: action, Reason: why})
}

func (g *Game) result() engine.Result {
	r := engine.Result{Await: engine.Everyone, Winner: g.leader(), Refused: g.refused}
	if g.free == 0 {
		r.Await, r.Over, r.Reason = engine.NoOne, g.owner != nil, "all cells are claimed"
	}
	return r
}

// leader returns the player with more cells than any other.
func (g *Game) leader() engine.PlayerID {
	leader, most := engine.NoPlayer, 0
	for p, n := range g.owned {
		switch {
		case n > most:
			leader, most = engine.PlayerID(p), n
		case n == most:
			leader = engine.NoPlayer
		}
	}
	return leader
}

// AppendState implements engine.Game.
func (g *Game) AppendState(b []byte) []byte {
	b = append(b, `{"owners":[`...)
	for i, p := range g.owner {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(p), 10)
	}
	return append(b, "]}"...)
}

// AppendDelta implements engine.Game. The state is small, so that its changes need no form
// of their own.
func (g *Game) AppendDelta(b []byte) []byte { return g.AppendState(b) }

// AppendTally implements engine.Game.
func (g *Game) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	n := 0
	if p >= 0 && int(p) < len(g.owned) {
		n = g.owned[p]
	}
	return append(dst, engine.Count{Name: "cells", Value: int64(n)})
}
