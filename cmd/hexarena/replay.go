package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/recording"
)

func newReplay() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Verify, show and export recordings, and let a bot play one again",
		Long: `Verify, show and export recordings of matches, and let a bot play one again.

Every match that hexarena plays is recorded in a file in the folder recordings. A
file that was cut, since the program was killed, is read up to there.`,
	}
	cmd.AddCommand(newReplayVerify(), newReplayShow(), newReplayExport(), newReplayImport(), newReplayRerun())
	return cmd
}

// replayGame is a recording.Games: the games whose recordings this program
// can replay.
func replayGame(rules string, board []byte) (engine.Game, error) {
	switch rules {
	case hexabomb.Rules:
	case hextictactoe.Rules:
		o, err := hextictactoe.ParseOptions(board)
		return hextictactoe.New(o), err
	default:
		return nil, fmt.Errorf("%w; it has %s and %s", recording.ErrRules, hexabomb.Rules, hextictactoe.Rules)
	}
	m, err := hexabomb.ParseMap(board)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	return hexabomb.New(m), nil
}

func newReplayVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Play recordings again and say whether every state is identical",
		Long: `Play recordings again and say whether every state is identical. The exit code is
1 if one differs or is damaged; a file that was cut is as good as it is long.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ok := true
			for _, path := range args {
				text, err := verifyFile(cmd.Context(), path, cmd.ErrOrStderr())
				switch {
				case cmd.Context().Err() != nil:
					return errInterrupted
				case err != nil:
					ok = false
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", path, plain(text+err.Error()))
				default:
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", path, text)
				}
			}
			if !ok {
				return exitError{exitFailure}
			}
			return nil
		},
	}
}

// verifyFile says in words what came of it, or what to say before the error.
func verifyFile(ctx context.Context, path string, stderr io.Writer) (string, error) {
	r, err := recording.Open(path)
	if errors.Is(err, recording.ErrEmpty) {
		return "0 turns, identical; the file was cut before the match began", nil
	}
	if err != nil {
		return "", withoutPath(err, path)
	}
	defer r.Close()
	said := newProgress(stderr, path, r.Header().Turns)
	defer said.done()
	v, err := recording.Verify(ctx, r, replayGame, said.turn)
	var (
		differs *recording.Difference
		damage  *recording.DamageError
	)
	switch {
	case errors.As(err, &differs):
		return "differs: ", err
	case errors.As(err, &damage):
		return fmt.Sprintf("identical up to turn %d, then ", v.Turns), fmt.Errorf("%w; take another copy of the file, if there is one", err)
	case err != nil:
		return "", err
	case r.Header().Rules == recording.External && v.Cut:
		return fmt.Sprintf("%d of %d turns, intact; the file was cut there; the rules were elsewhere: nothing to play again", v.Turns, r.Header().Turns), nil
	case r.Header().Rules == recording.External:
		return fmt.Sprintf("%d turns, intact; the rules were elsewhere: nothing to play again", v.Turns), nil
	case v.Cut:
		return fmt.Sprintf("%d of %d turns, identical; the file was cut there", v.Turns, r.Header().Turns), nil
	}
	return fmt.Sprintf("%d turns, identical", v.Turns), nil
}

// withoutPath is an error whose path has been said already.
func withoutPath(err error, path string) error {
	if inner := errors.Unwrap(err); inner != nil && err.Error() == path+": "+inner.Error() {
		return inner
	}
	return err
}

// replayFile plays the recording in a file again and hands each turn to see,
// which may end it with io.EOF. It is nil at the end of the recording, cut or
// not; the error names the file.
func replayFile(ctx context.Context, path string, stderr io.Writer, see func(*recording.Replay, *recording.Turn) error) error {
	r, err := recording.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	p, err := recording.NewReplay(r, replayGame)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	said := newProgress(stderr, path, r.Header().Turns)
	defer said.done()
	for t, err := range p.Turns() {
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err == nil {
			err = see(p, t)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		said.turn(t.Step)
	}
	return nil
}
