package engine_test

import (
	"fmt"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// A game of hexabomb on three cells in a row, without a server: player 0 moves to the
// middle, player 1 tries to go where there is no cell.
func Example() {
	m, err := hexabomb.ParseMap([]byte(`{
		"cells": [{"q":0,"r":0}, {"q":1,"r":0}, {"q":2,"r":0}],
		"initial_positions": {"0": [{"q":0,"r":0}], "1": [{"q":2,"r":0}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var game engine.Game = hexabomb.New(m)
	result, err := game.Start(engine.Setup{Players: 2, Turns: 10, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.Rules(), "awaits player 0:", result.Await.Has(0))

	result = game.Step([]engine.Input{
		{Player: 0, Turn: 0, Actions: []byte(`[{"id":0,"movement":"move","direction":"x+"}]`)},
		{Player: 1, Turn: 0, Actions: []byte(`[{"id":1,"movement":"move","direction":"y+"}]`)},
	})
	fmt.Println("leader:", result.Winner)
	for _, r := range result.Refused {
		fmt.Printf("player %d, action %d: %s\n", r.Player, r.Action, r.Reason)
	}
	fmt.Printf("%s\n", game.AppendState(nil))
	fmt.Println(game.AppendTally(nil, 0))
	// Output:
	// hexabomb/1 awaits player 0: true
	// leader: 0
	// player 1, action 0: no such cell
	// {"cells":[{"q":0,"r":0,"color":1},{"q":1,"r":0,"color":1},{"q":2,"r":0,"color":2}],"characters":[{"id":0,"color":1,"q":1,"r":0,"alive":true,"revive_delay":-1,"bomb_count":1},{"id":1,"color":2,"q":2,"r":0,"alive":true,"revive_delay":-1,"bomb_count":1}],"bombs":[],"explosions":{},"cell_count":{"0":2,"1":1},"score":{"0":2,"1":1}}
	// [{score 2} {cells 2} {deaths 0} {bombs 0}]
}
