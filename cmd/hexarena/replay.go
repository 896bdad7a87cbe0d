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
file that is truncated, since the program was killed, is read up to there.`,
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
