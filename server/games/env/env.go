// Package env plays games for programs that learn or look ahead: it has no clock, no network and no
// players, and its owner says what each player does.
//
// A [Session] answers requests in JSON, and [Lines] those of a stream; [Arrays] shares memory
// with its owner, for many matches at once. All run in the goroutine of their caller.
package env

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
)

// World is the game that is played, and the matches that it is played in.
type World struct {
	Game     *games.Game
	Instance games.Instance
	Setup    engine.Setup
}

// NewWorld returns the game that the settings of hexarena env choose from a list. The error holds
// all mistakes.
func NewWorld(list games.List, v config.Values) (*World, error) {
	g := list.Find(v.Text("game"))
	i, err := g.New(v)
	if err == nil && i.New == nil {
		err = fmt.Errorf("--game %s: its rules are not in hexarena; choose a game whose rules are",
			g.Name)
	}
	w := &World{Game: g, Instance: i, Setup: engine.Setup{
		Players: v.Int("players"), Turns: v.Int("turns"),
	}}
	w.Setup.Players = cmp.Or(w.Setup.Players, i.Players)
	w.Setup.Turns = cmp.Or(i.Turns, w.Setup.Turns)
	if v.Bool("sudden-death") {
		w.Setup.Specials = 1
	}
	return w, err
}

// position is a game that has started.
type position struct {
	game   engine.Game
	setup  engine.Setup
	steps  int
	result engine.Result
	counts []engine.Count
}

// start returns a match at its turn 0, the first that players answer.
func (w *World) start(seed uint64) (*position, error) {
	m := &position{game: w.Instance.New(), setup: w.Setup}
	m.setup.Seed = seed
	var err error
	if m.result, err = m.game.Start(m.setup); err != nil {
		return nil, err
	}
	m.step(nil)
	return m, nil
}

func (m *position) step(inputs []engine.Input) {
	m.result = m.game.Step(inputs)
	m.steps++
}

// players returns the number of all players.
func (m *position) players() int { return m.setup.Players + m.setup.Specials }

// turn returns the number of the turn that the players are to answer.
func (m *position) turn() int { return m.steps - 1 }

// over reports whether the match has ended, by the rules or after its last turn.
func (m *position) over() bool { return m.result.Over || m.steps >= m.setup.Turns }

// score returns the figure by which players are ranked.
func (m *position) score(p engine.PlayerID) int64 {
	m.counts = m.game.AppendTally(m.counts[:0], p)
	return m.counts[0].Value
}

// restore returns a match that goes on from a state. The rules may be any of the game's: the state
// shows which.
func (w *World) restore(setup engine.Setup, steps int, state []byte) (*position, error) {
	var first error
	for _, rules := range w.rules() {
		game, err := w.Game.Replay(rules, w.Instance.Setup)
		if err != nil {
			return nil, err
		}
		r, ok := game.(engine.Restorer)
		if !ok {
			return nil, errors.New("the game " + w.Game.Name + " cannot go on from a state; use reset")
		}
		m := &position{game: r, setup: setup, steps: steps}
		if m.result, err = r.Restore(setup, steps, state); err == nil {
			return m, nil
		}
		if first == nil {
			first = fmt.Errorf("%w (the game is %s; --game chooses another)", err, w.Game.Name)
		}
	}
	return nil, first
}

// rules returns the names of the game's rules, those of the instance first.
func (w *World) rules() []string {
	first := w.Instance.New().Rules()
	list := []string{first}
	for _, other := range w.Game.Rules {
		if other != first {
			list = append(list, other)
		}
	}
	return list
}

// copy returns a match in the same position.
func (m *position) copy() (*position, error) {
	r, ok := m.game.(engine.Restorer)
	if !ok {
		return nil, errors.New("this game cannot be saved; play it again from reset")
	}
	c := *m
	c.game, c.counts = r.Copy(), nil
	c.result.Refused = nil
	return &c, nil
}
