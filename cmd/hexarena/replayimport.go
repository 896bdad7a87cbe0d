package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/analysis"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/duel"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// maxNotation bounds a file in the notation, in bytes.
const maxNotation = 1 << 20

func newReplayImport() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make recordings of games in the notation of hexagonal tic-tac-toe",
		Long: `Make a recording of each game in a file in the notation, with an empty line between
two games, so that they can be watched, exported and judged like any other. The
moves are played again by the rules; a game that was neither won nor a draw is
broken off where its moves end.`,
		Example: "  hexarena replay import games.txt --record recordings",
		Args:    cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&dir, "record", "recordings", "folder for the recordings")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		games, err := readNotation(args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		said := newProgress(cmd.ErrOrStderr(), args[0], len(games))
		defer said.done()
		for i := range games {
			path, err := games[i].record(cmd.Context(), dir, uint64(i+1))
			if err != nil {
				return fmt.Errorf("%s, game %d: %w", args[0], i+1, err)
			}
			said.turn(i + 1)
			fmt.Fprintln(cmd.OutOrStdout(), "Recorded in", path)
		}
		return nil
	}
	return cmd
}

// notedGame is a game in the notation whose moves obey the rules.
type notedGame struct {
	notation htttx.Record
	game     *analysis.Game
}

// readNotation reads the games of a file, at least one.
func readNotation(path string) (games []notedGame, err error) {
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
	var one strings.Builder
	line, begins := 0, 0
	for next := range strings.Lines(string(text) + "\n\n") {
		line++
		if strings.TrimSpace(next) != "" {
			if one.Len() == 0 {
				begins = line
			}
			one.WriteString(next)
			continue
		}
		if one.Len() == 0 {
			continue
		}
		g, err := parseNoted(one.String(), begins)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
		one.Reset()
	}
	if len(games) == 0 {
		return nil, errors.New("it holds no game")
	}
	return games, nil
}

// parseNoted reads a game that begins on a line of its file.
func parseNoted(text string, begins int) (g notedGame, err error) {
	if g.notation, err = htttx.ParseNotation(text); err != nil {
		if at, ok := errors.AsType[*htttx.NotationError](err); ok {
			return g, &htttx.NotationError{Line: begins + at.Line - 1, Problem: at.Problem}
		}
		return g, err
	}
	var moves [][]htttx.Cell
	for _, m := range g.notation.Moves {
		moves = append(moves, m.Pieces)
	}
	if g.game, err = analysis.NewGame(hextictactoe.Defaults(), moves); err != nil {
		err = fmt.Errorf("the game of line %d: %w", begins, err)
	}
	return g, err
}

// record lets the game be played again and says where its recording is.
func (g *notedGame) record(ctx context.Context, dir string, seed uint64) (path string, err error) {
	rules := g.game.Rules
	if g.notation.Tag(htttx.TagEndReason) == "draw" {
		rules.TurnLimit = len(g.game.Moves)
	}
	ctx, breakOff := context.WithCancelCause(ctx)
	defer breakOff(nil)
	moves := g.game.Moves
	recall := func(ctx context.Context, _ htttx.MoveRequest) htttx.MoveResponse { // the sides take turns: one recalls at a time
		if len(moves) == 0 {
			breakOff(errMovesEnd)
			<-ctx.Done()
			return htttx.MoveResponse{}
		}
		m := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: moves[0]}}
		moves = moves[1:]
		return m
	}
	var seats [2]seat.Spec
	for i, key := range [...]string{htttx.TagPlayerCross, htttx.TagPlayerCircle} {
		seats[i] = seat.Spec{Label: g.notation.Tag(key)}
		if seats[i].Label == "" {
			seats[i].Label = [...]string{"x", "o"}[i]
		}
	}
	pair, err := duel.Start(ctx, seats, duel.Options{
		Patience: duelPatience, Log: zerolog.Nop(), Mind: func(string) (botapi.Mind, error) { return recall, nil },
	})
	if err != nil {
		return "", err
	}
	defer pair.Close()
	setup, err := json.Marshal(rules)
	if err != nil {
		return "", err
	}
	var r *recording.Recorder
	_, err = pair.Play(ctx, duel.Game{Rules: rules, Seed: seed, Watchers: func(game engine.Game) []match.Watcher {
		r = recording.New(recording.Options{
			Dir: dir, Durable: recording.AtEnd, Program: "hexarena " + versionText(),
			Game: game, Map: setup, MapName: gameHextictactoe, Seed: seed, Complain: func(error) {},
			Extra: g.tags(),
		})
		return []match.Watcher{r}
	}})
	if err != nil && !errors.Is(context.Cause(ctx), errMovesEnd) {
		return "", err
	}
	return r.Path(), r.Err()
}

var errMovesEnd = errors.New("the moves end here")

// tags are what the notation says of the game.
func (g *notedGame) tags() map[string]string {
	tags := map[string]string{}
	for _, t := range g.notation.Tags {
		tags["notation_"+t.Key] = t.Value
	}
	return tags
}
