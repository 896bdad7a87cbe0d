package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/seat"
)

// verifyScope holds the settings of replay verify.
var verifyScope = config.Scope{Command: config.Verify}

func newReplayVerify() *cobra.Command {
	var whole bool
	var logic string
	var out *output
	cmd := &cobra.Command{
		Use:   "verify FILE…",
		Short: "Play recordings again and say whether every state is identical",
		Long: `Play recordings again and say whether every state is identical. The exit code is
0 if all are complete and agree, 1 if one differs, is damaged or cannot be read, and 5
if all agree but one is truncated, because the program was killed, the match is not over,
or the file was cut; with --whole it is 1 then as well.

Recordings of external games have their states, which are only played again if --logic
names the game logic: a file, a command line, or stdio: and one of them.

` + verifyMeaning,
		Args: cobra.MinimumNArgs(1),

		ValidArgsFunction: completeRecordings,
		RunE: func(cmd *cobra.Command, args []string) error {
			code, agree := 0, false
			var list []verified
			referee, err := refereeOf(cmd, logic)
			if err != nil {
				return usage(err)
			}
			for _, path := range args {
				text, err := verifyFile(cmd.Context(), path, referee, cmd.ErrOrStderr())
				truncated := errors.Is(err, errTruncated)
				switch {
				case cmd.Context().Err() != nil:
					return cli.ErrInterrupted
				case truncated && !whole && code == 0:
					code = exitTruncated
				case err != nil && (!truncated || whole):
					code = exitFailure
				}
				if err != nil && !truncated {
					text = tui.Plain(text + err.Error())
				} else {
					agree = true
				}
				list = append(list, verified{path, err == nil || truncated, truncated, text})
				out.text("%s: %s\n", path, text)
			}
			if agree {
				out.text("\n%s\n", verifyMeaning)
			}
			if err := out.value(list); err != nil || code == 0 {
				return err
			}
			return exitError{code}
		},
	}
	out = addOutput(cmd)
	addProgress(cmd)
	cmd.Flags().StringVar(&logic, "logic", "", "the game logic of recordings of external games")
	cmd.Flags().BoolVar(&whole, "whole", false, "a truncated recording is a failure")
	defineSettings(cmd, verifyScope)
	return cmd
}

// verified is what is printed of a recording as JSON.
type verified struct {
	File      string `json:"file"`
	Agrees    bool   `json:"agrees"` // as far as it is there
	Truncated bool   `json:"truncated"`
	Result    string `json:"result"` // in words
}

// startedReferee is a game logic that is started for each recording.
type startedReferee struct {
	spec  *seat.Spec
	limit time.Duration // to log in
}

// refereeOf returns the game logic of an argument, nil if that is empty.
func refereeOf(cmd *cobra.Command, argument string) (*startedReferee, error) {
	v, err := verifyScope.Load(cmd.Flags(), os.Environ())
	if err != nil || argument == "" {
		return nil, err
	}
	spec, err := seat.ParseLogic(cmd.Context(), argument, cli.Locator(cmd.Context()))
	if err != nil {
		return nil, fmt.Errorf("--logic: %w", err)
	}
	return &startedReferee{spec, v.Duration("start-timeout")}, nil
}

// verifyMeaning says what a verification proves and what it does not.
const verifyMeaning = `This shows that the rules lead from the recorded answers to the recorded states,
figures and winner. It does not prove who gave these answers, or when: names, addresses,
times, and even the whole match can be forged in a file that agrees.`

// notRecomputed says what the verification of a recording of external rules does not show.
const notRecomputed = "the rules ran in another program, so states were not recomputed: --logic " +
	"names it"

// errTruncated means that a recording is truncated, and that its turns agree.
var errTruncated = errors.New("truncated")

// verifyFile verifies a recording, by a game logic unless that is nil, and returns the result in
// words. The words are the beginning of the message of an error, unless that is errTruncated.
func verifyFile(
	ctx context.Context, path string, logic *startedReferee, stderr io.Writer,
) (string, error) {
	const noTurn = "truncated before the match began: no turn is there"
	r, err := recording.Open(path)
	if errors.Is(err, recording.ErrEmpty) {
		return noTurn, errTruncated
	}
	if err != nil {
		return "", withoutPath(err, path)
	}
	defer r.Close()
	turns := r.Header().Turns
	said := tui.NewProgress(stderr, path)
	defer said.Done()
	progress := func(step int) { said.Step(step, turns) }
	var v recording.Verdict
	if logic != nil {
		v, err = rerun.VerifyLogic(ctx, r, logic.spec, logic.limit, progress)
	} else {
		v, err = recording.Verify(ctx, r, gameList.Replay, progress)
	}
	notPlayed := logic == nil && r.Header().Rules == recording.External
	var (
		differs *recording.Difference
		damage  *recording.DamageError
	)
	switch {
	case errors.As(err, &differs):
		return "differs: ", err
	case errors.As(err, &damage):
		return fmt.Sprintf("identical up to %s, then ",
				match.NameShown(v.Turns)), fmt.Errorf(
				"%w; take another copy of the file, if there is one", err)
	case err != nil:
		return "", err
	case r.Step() < 0:
		return noTurn, errTruncated
	case notPlayed && v.Cut:
		return fmt.Sprintf("truncated: %d of %d turns are there, intact; %s", v.Turns, turns,
			notRecomputed), errTruncated
	case notPlayed:
		return fmt.Sprintf("%d turns, intact; %s", v.Turns, notRecomputed), nil
	case v.Cut:
		return fmt.Sprintf("truncated: %d of %d turns are there; they agree", v.Turns,
			turns), errTruncated
	}
	return fmt.Sprintf("%d turns, identical", v.Turns), nil
}

// withoutPath returns err without the path at its beginning.
func withoutPath(err error, path string) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == path {
		return failed.Err
	}
	if inner := errors.Unwrap(err); inner != nil && err.Error() == path+": "+inner.Error() {
		return inner
	}
	return err
}
