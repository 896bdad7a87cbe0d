package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// match is one game between strategies, without a server: states and actions
// go from hand to hand as the JSON that would be on the wire.
type match struct {
	board   *hexabomb.Board
	special string   // the special player's strategy; empty for none
	seats   []string // the ordinary players'
	turns   int
	seed    uint64 // of the strategies and of the order of arrival
}

// result is how a match ended.
type result struct {
	scores  []int64 // of the ordinary players
	over    int     // sudden death: the turn after which no ordinary player was alive, 0 if some still are
	refused int     // actions without effect
}

// play plays the match. Like a server, it simulates the first turn without
// actions, and draws the order in which the answers arrive. Sudden death is cut
// short when nobody is left.
func (m match) play() (result, error) {
	lots := rand.New(rand.NewPCG(m.seed, 1))
	names, setup := m.seats, engine.Setup{Players: len(m.seats), Turns: m.turns, Seed: m.seed}
	if m.special != "" {
		names = append([]string{m.special}, m.seats...)
		setup.Specials = 1
	}
	game := m.board.NewGame()
	if _, err := game.Start(setup); err != nil {
		return result{}, err
	}
	state := game.AppendState(nil)
	players := make([]bots.Strategy, len(names))
	for id, name := range names {
		s, err := bots.New(name, lots.Uint64())
		if err != nil {
			return result{}, err
		}
		info := bots.Info{Player: id, Players: setup.Players, Specials: setup.Specials, Turns: m.turns}
		if err := s.Start(info, state); err != nil {
			return result{}, fmt.Errorf("%s: %w", name, err)
		}
		players[id] = s
	}

	var res result
	inputs := make([]engine.Input, len(players))
	answers := make([][]byte, len(players))
	game.Step(nil)
	for turn := 0; turn < m.turns-1 && res.over == 0; turn++ {
		state = game.AppendState(state[:0])
		for i, id := range lots.Perm(len(players)) {
			answer, err := players[id].Turn(turn, state, answers[id][:0])
			if err != nil {
				return result{}, fmt.Errorf("%s: %w", names[id], err)
			}
			answers[id] = answer
			inputs[i] = engine.Input{Player: engine.PlayerID(id), Turn: turn, Actions: answer}
		}
		res.refused += len(game.Step(inputs).Refused)
		if m.special != "" && !anyoneAlive(game, setup, turn+2) {
			res.over = turn + 2 // one turn came before TURN 0
		}
	}
	res.scores = scores(game, setup)
	return res, nil
}

// scores are those of the ordinary players.
func scores(game engine.Game, setup engine.Setup) []int64 {
	var list []int64
	for p := setup.Specials; p < setup.Specials+setup.Players; p++ {
		list = append(list, game.AppendTally(nil, engine.PlayerID(p))[0].Value)
	}
	return list
}

// anyoneAlive reports whether an ordinary player lived after that turn of a
// sudden death: being alive is what scores there.
func anyoneAlive(game engine.Game, setup engine.Setup, turn int) bool {
	for _, score := range scores(game, setup) {
		if score == int64(turn) {
			return true
		}
	}
	return false
}
