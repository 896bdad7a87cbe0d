package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
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
	cmd.AddCommand(newReplayVerify(), newReplayShow(), newReplayExport(), newReplayImport(), newReplayRerun(), newAnalyse())
	return cmd
}

// withoutPath returns err without the path at its beginning.
func withoutPath(err error, path string) error {
	if inner := errors.Unwrap(err); inner != nil && err.Error() == path+": "+inner.Error() {
		return inner
	}
	return err
}

// replayFile plays the recording in a file again and calls see after each turn; io.EOF from
// see ends it. It returns nil at the end of the recording, also if that is truncated. Errors
// name the file.
func replayFile(ctx context.Context, path string, stderr io.Writer, see func(*recording.Replay, *recording.Turn) error) error {
	r, err := recording.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	p, err := recording.NewReplay(r, gameList.Replay)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	said := tui.NewProgress(stderr, path, r.Header().Turns)
	defer said.Done()
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
		said.Turn(t.Step)
	}
	return nil
}
