package hextictactoe

import (
	"context"
	"errors"
	"fmt"
	"os"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/games/hextictactoe/analysis"
	"github.com/hexarena/hexarena/server/recording"
)

// maxNotation bounds a file in the notation, in bytes.
const maxNotation = 1 << 20

// judgedGame reads the moves of a recording, or of the first game of a file in the notation.
func judgedGame(ctx context.Context, path string) (*analysis.Game, error) {
	var g *analysis.Game
	err := recording.Read(path, func(r *recording.Reader) (err error) {
		if g, err = recordedGame(ctx, r); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return err
	})
	if err == nil || !errors.Is(err, recording.ErrForeign) {
		return g, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxNotation {
		return nil, fmt.Errorf("%s: it is not a recording, and larger than 1 MiB", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := parseNotation(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: it is not a recording, and as notation: %w", path, err)
	}
	return list[0].game, nil
}

// recordedGame plays a recording again.
func recordedGame(ctx context.Context, r *recording.Reader) (*analysis.Game, error) {
	h := r.Header()
	if h.Rules != rules.Rules {
		return nil, fmt.Errorf("its rules are %q; only games of %s can be judged", h.Rules, rules.Rules)
	}
	o, err := rules.ParseOptions(h.Map)
	if err != nil {
		return nil, err
	}
	p, err := recording.NewReplay(r, replay)
	if err != nil {
		return nil, err
	}
	played := &transcript{}
	for _, err := range p.Turns() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, err
		}
		if err := played.Add(p.State()); err != nil {
			return nil, err
		}
	}
	return gameOf(o, &played.record)
}

// gameOf returns the game whose moves were written down.
func gameOf(o rules.Options, r *htttx.Record) (*analysis.Game, error) {
	var moves [][]htttx.Cell
	for _, m := range r.Moves {
		moves = append(moves, m.Pieces)
	}
	return analysis.NewGame(o, moves)
}
