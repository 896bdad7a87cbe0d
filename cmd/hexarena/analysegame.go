package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/analysis"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/recording"
)

// judgedGame reads the moves of a recording, or of a file in the notation.
func judgedGame(ctx context.Context, path string, stderr io.Writer) (*analysis.Game, error) {
	g, err := recordedGame(ctx, path, stderr)
	if !errors.Is(err, recording.ErrForeign) {
		return g, err
	}
	games, err := readNotation(path)
	if err != nil {
		return nil, fmt.Errorf("%s: it is no recording, and as notation: %w", path, err)
	}
	return games[0].game, nil
}

func recordedGame(ctx context.Context, path string, stderr io.Writer) (*analysis.Game, error) {
	var rules hextictactoe.Options
	var moves [][]htttx.Cell
	err := replayFile(ctx, path, stderr, func(p *recording.Replay, t *recording.Turn) (err error) {
		if t.Step == 0 {
			h := p.Reader().Header()
			if h.Rules != hextictactoe.Rules {
				return fmt.Errorf("its rules are %q; only games of %s can be judged", h.Rules, hextictactoe.Rules)
			}
			if rules, err = hextictactoe.ParseOptions(h.Map); err != nil {
				return err
			}
		}
		now, err := botapi.ReadPosition(p.State())
		if err == nil && now.Moves > len(moves) {
			moves = append(moves, now.LastMove().Pieces)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	g, err := analysis.NewGame(rules, moves)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
