package hextictactoe

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	"github.com/hexarena/hexarena/bots"
	tictactoe "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/bots/hextictactoe/serve"
	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// addPlayers adds the built-in players to the entry. They repeat the timed answers of a past.
func addPlayers(g *games.Game, past tictactoe.Past) {
	for _, d := range tictactoe.Describe() {
		g.Builtins = append(g.Builtins, games.Builtin{
			Name: d.Name, Summary: d.Summary, New: bots.Clients(d.Name, bots.RepeatTicTacToe(past)),
		})
	}
	g.ServeBot = func(ctx context.Context, l net.Listener, name, version string, seed uint64) error {
		bot, ok := tictactoe.New(name)
		if !ok {
			return fmt.Errorf("%s has no built-in bot called %q", title, name)
		}
		return serve.Run(ctx, l,
			serve.Options{Bot: bot, Name: name, Version: version, Seed: seed, Past: past})
	}
}

// repeat implements games.Game.Repeat.
func repeat(path string) (*games.Game, error) {
	past, err := readPast(path)
	if err != nil {
		return nil, err
	}
	return repeating(past), nil
}

// readPast returns the nodes that the answers of a recorded game have.
func readPast(path string) (tictactoe.Past, error) {
	file, err := recording.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var game *rules.Game
	replay, err := recording.NewReplay(file, func(name string, setup []byte) (engine.Game, error) {
		o, err := rules.ParseOptions(setup)
		game = rules.New(o)
		return game, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	past := tictactoe.Past{}
	pieces := 0
	for t, err := range replay.Turns() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i := range t.Inputs {
			if s, ok := spentOf(t.Inputs[i].Debug); ok {
				past[pieces] = s
			}
		}
		pieces = len(game.Board().Pieces())
	}
	return past, nil
}

// spentOf returns the nodes in what a player showed beside its move; ok is false if it has none.
func spentOf(debug []byte) (s tictactoe.Spent, ok bool) {
	var shown struct {
		Nodes []int `json:"nodes"`
	}
	if json.Unmarshal(debug, &shown) != nil {
		return s, false
	}
	return tictactoe.SpentOf(shown.Nodes)
}
