package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// match is one game between strategies without a server. States and actions are passed as
// JSON, as on the wire.
type match struct {
	board   *hexabomb.Board
	special string   // the special player's strategy; empty for none
	seats   []string // the ordinary players' strategies
	turns   int
	seed    uint64 // for the strategies and the order of arrival
}

// result is the result of a match.
type result struct {
	scores  []int64 // scores of the ordinary players
	over    int     // in sudden death, the turn after which no ordinary player was alive; 0 if some survived
	refused int     // actions without effect
}

// play plays the match. Like a server, it plays the first turn without actions and
// chooses the order in which answers arrive at random. Sudden death ends early once no
// ordinary player is alive.
func (m match) play() (result, error) {
	random := rand.New(rand.NewPCG(m.seed, 1))
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
		s, err := bots.New(name, random.Uint64())
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
		for i, id := range random.Perm(len(players)) {
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

// scores returns the scores of the ordinary players.
func scores(game engine.Game, setup engine.Setup) []int64 {
	var list []int64
	for p := setup.Specials; p < setup.Specials+setup.Players; p++ {
		list = append(list, game.AppendTally(nil, engine.PlayerID(p))[0].Value)
	}
	return list
}

// anyoneAlive reports whether an ordinary player was alive after that turn of sudden
// death, in which living players score.
func anyoneAlive(game engine.Game, setup engine.Setup, turn int) bool {
	for _, score := range scores(game, setup) {
		if score == int64(turn) {
			return true
		}
	}
	return false
}
