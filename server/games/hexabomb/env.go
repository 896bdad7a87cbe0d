package hexabomb

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/games"
)

// env returns the states of a game as arrays.
func env(game engine.Game) (*games.Env, error) {
	var state hexabomb.State
	if err := json.Unmarshal(game.AppendState(nil), &state); err != nil {
		return nil, err
	}
	players, each := len(state.Score), game.(*hexabomb.Game).Slots()
	if len(state.Characters) > math.MaxUint8 || players >= math.MaxUint8 {
		return nil, fmt.Errorf("%d characters of %d players are more than a byte can name; choose a "+
			"smaller map or fewer players", len(state.Characters), players)
	}
	cells := make([]hexgrid.Coord, len(state.Cells))
	for i, c := range state.Cells {
		cells[i] = c.Coord
	}
	return &games.Env{
		Actions: games.EnvArray{Type: "u1", Shape: []int{players, each}},
		Arrays: []games.EnvArray{
			{Name: "cells", Type: "u1", Shape: []int{len(cells), hexabomb.CellBytes}},
			{Name: "characters", Type: "i4", Shape: []int{players, each, hexabomb.CharacterFields}},
			{Name: "mask", Type: "i1", Shape: []int{players, each, hexabomb.Codes}},
			{Name: "counts", Type: "i4", Shape: []int{players}},
		},
		About: map[string]any{"cells": cells, "codes": hexabomb.Codes},
		New: func(parts [][]byte) games.EnvView {
			return &envView{each: each, prepared: make([]any, players), view: hexabomb.View{
				Each: each, Cells: parts[0], Characters: games.Elements[int32](parts[1]),
				Mask: games.Elements[int8](parts[2]), Count: games.Elements[int32](parts[3]),
			}}
		},
	}, nil
}

// envView is a match in arrays; it implements [games.EnvView].
type envView struct {
	view     hexabomb.View
	game     *hexabomb.Game
	each     int
	prepared []any // by player
}

func (v *envView) Show(game engine.Game) {
	v.game = game.(*hexabomb.Game)
	v.game.Show(&v.view)
}

func (v *envView) Inputs(dst []engine.Input, actions []byte) []engine.Input {
	for p := range v.prepared {
		id := engine.PlayerID(p)
		v.prepared[p] = v.view.PrepareCodes(v.prepared[p], id, actions[p*v.each:(p+1)*v.each])
		dst = append(dst, engine.Input{Player: id, Prepared: v.prepared[p]})
	}
	return dst
}

// Codes implements games.EnvView.
func (v *envView) Codes(actions []byte, in *engine.Input) { v.view.Codes(actions, in) }

func (v *envView) Alive(p engine.PlayerID) bool { return v.game.Alive(p) }
