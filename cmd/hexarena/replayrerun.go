package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// rerunScope holds the settings of replay rerun.
var rerunScope = config.Scope{Command: config.Rerun}

// maxDifferences limits the differences that are printed: more than anyone reads.
const maxDifferences = 100

func newReplayRerun() *cobra.Command {
	o := rerun.Options{Games: gameList.Replay}
	player := -1
	most := 10
	cmd := &cobra.Command{
		Use:   "rerun FILE --player ID -- COMMAND",
		Short: "Show a bot the turns of a recording and compare its answers",
		Long: `Start a bot, show it each board that player ID of a recorded match was shown, and
report where its answers differ from the recorded ones and how long they took. The
bot finds its server as in hexarena play. Its answers do not change what it is shown
next.

The exit code is 0 if all answers are the same, otherwise 1. Bots that use random
numbers must seed them with BOT_SEED to give the same answers. BOT_REPEAT names the recording to
bots that are not isolated: hexarena bot repeats answers that depended on time.`,
		Example: "  hexarena replay rerun recordings/20261120-114119-lagoon-7.hexarena --player 2 -- " +
			"my_bot.py",
		Args: cobra.MinimumNArgs(1),

		ValidArgsFunction: completeRecordings,
	}
	f := cmd.Flags()
	f.StringVar(&o.Log, "log", "", "file for what the bot prints")
	f.IntVar(&most, "differences", most,
		fmt.Sprintf("how many differences to print, 0 to %d", maxDifferences))
	out := addOutput(cmd)
	addProgress(cmd)
	defineSettings(cmd, rerunScope)
	addPlayer(f, &player, -1, "the id of the player, from 0")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v, err := rerunScope.Load(f, os.Environ())
		switch {
		case err != nil:
			return usage(err)
		case player < 0:
			return usageErrorf("missing --player: want the id of a player; hexarena replay show lists them")
		case len(args) < 2:
			return usageErrorf(
				"no command: name the bot after --, as in: hexarena replay rerun FILE --player 0 -- my_bot.py")
		case most < 0 || most > maxDifferences:
			return usageErrorf("--differences: %d is not in 0…%d", most, maxDifferences)
		}
		started, err := cli.Launch(v)
		if err != nil {
			return usage(err)
		}
		o.Env, o.StartTimeout, o.TurnTimeout = started.Env, started.Timeout, v.Duration("turn-timeout")
		argument := args[1]
		if len(args) > 2 {
			argument = launch.Quote(args[1:])
		}
		seats, err := cli.Seats(cmd.Context(), []string{argument}, cli.Scripts(v, rerunSeats))
		if err != nil {
			return err
		}
		o.Path, o.Seat, o.Argv, o.Stdio = args[0], player, seats[0].Argv, seats[0].Stdio
		if o.Isolate, err = cli.Isolation(cmd.Context(), v, cli.Bots(seats, false)); err != nil {
			return usage(err)
		}
		said := tui.NewProgress(cmd.ErrOrStderr(), o.Path)
		o.Progress = said.Step
		r, err := rerun.Run(cmd.Context(), o)
		said.Done()
		if failed := (*rerun.BotError)(nil); errors.As(err, &failed) {
			printBotError(cmd.ErrOrStderr(), failed)
		}
		if err != nil {
			return err
		}
		return tellRerun(out, r, most)
	}
	return cmd
}

// rerunSeats are the seats that rerun can start.
var rerunSeats = seat.Known{
	Game: "a recording",
	Builtin: func(string, uint64) (netorcai.Bot, error) {
		return nil, errors.New("a built-in bot is asked by its command: hexarena bot NAME")
	},
	Page: true,
	Refuse: func(s *seat.Spec) error {
		if s.Kind != seat.Process {
			return errors.New("a bot that is shown a recording is a file or a command, with stdio: before " +
				"it if it speaks on its standard input and output")
		}
		return nil
	},
}

func printBotError(w io.Writer, e *rerun.BotError) {
	for i, line := range e.Tail {
		if i == 0 {
			fmt.Fprintln(w, "the bot's last lines:")
		}
		fmt.Fprintf(w, "    %s\n", line)
	}
}

func tellRerun(out *output, r *rerun.Report, most int) error {
	var b strings.Builder
	for i, d := range r.Differences {
		if i == most {
			break
		}
		fmt.Fprintf(&b, "TURN %d:\n  recorded %s\n  answered %s\n", d.Turn, tui.Plain(d.RecordedActs),
			tui.Plain(d.AnsweredActs))
	}
	if left := len(r.Differences) - min(most, len(r.Differences)); left > 0 && most > 0 {
		fmt.Fprintf(&b, "… and %d more\n", left)
	}
	fmt.Fprintf(&b, "%d answers, %d of %d differ from the recorded ones; %s in all",
		r.Answers, len(r.Differences), r.Compared, result.Duration(r.Elapsed))
	if r.Answers > 0 {
		fmt.Fprintf(&b, ", an answer takes %s (p50), %s (p99), %s (max)",
			result.Duration(
				time.Duration(r.Time.P50),
			), result.Duration(time.Duration(r.Time.P99)), result.Duration(time.Duration(r.Time.Max)))
	}
	b.WriteByte('\n')
	if err := out.print(r, "%s", b.String()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if len(r.Differences) > 0 {
		return exitError{exitFailure}
	}
	return nil
}
