package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/analysis"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/recording"
)

// maxNotation bounds a file in the notation.
const maxNotation = 1 << 20

// judgedGame reads the moves of a recording, or of a file in the notation.
func judgedGame(ctx context.Context, path string, stderr io.Writer) (*analysis.Game, error) {
	g, err := recordedGame(ctx, path, stderr)
	if !errors.Is(err, recording.ErrForeign) {
		return g, err
	}
	if g, err = notedGame(path); err != nil {
		return nil, fmt.Errorf("%s: it is no recording, and as notation: %w", path, err)
	}
	return g, nil
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

func notedGame(path string) (*analysis.Game, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxNotation {
		return nil, errors.New("it has more than 1 MiB")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	record, err := htttx.ParseNotation(firstGame(string(text)))
	if err != nil {
		return nil, err
	}
	var moves [][]htttx.Cell
	for _, m := range record.Moves {
		moves = append(moves, m.Pieces)
	}
	return analysis.NewGame(hextictactoe.Defaults(), moves)
}

// firstGame is a text up to the empty line behind its first moves.
func firstGame(text string) string {
	end := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" && strings.TrimSpace(text[:end]) != "" {
			break
		}
		end += len(line)
	}
	return text[:end]
}
