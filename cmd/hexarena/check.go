package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/check"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/seat"
)

// checkScope holds the settings of check.
var checkScope = config.Scope{Command: config.Check, Games: gameList.Settings()}

// usualPort is where bots look for a server that do not ask where it is.
const usualPort = 4242

func newCheck() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "check SEAT",
		Aliases: []string{"doctor"},
		Short:   "Find out what a bot does wrong",
		Long: `Play the other side for a bot, and say in plain words what it does wrong, which line of the protocol
says so, and what to do.

SEAT is a file, a command line in quotes, stdio:COMMAND or an address, as in hexarena play. The bot
is started once for each case. First it plays a match turn by turn; then come the cases that a
protocol permits and bots seldom meet: messages in pieces or several at once, unknown fields,
TURNs that are left out, large states, a match that ends at once, a KICK, long waits, other player
ids, another match over the same connection, the same seed twice, and a match with built-in bots.

An error costs turns, actions or matches. A piece of advice is something that servers tolerate. A
bot that wants a time limit to decide how far it searches is not reproducible, which is an error
here: have it count positions while it is checked.

The exit code is 0 without errors, 1 if something is wrong, and 2 for wrong flags or seats.`,
		Example: `  hexarena check my_bot.py
  hexarena check "./my_bot --port {port}" --map pebble
  hexarena check stdio:./my_bot --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := checkScope.Load(cmd.Flags(), os.Environ())
			if err != nil {
				return usage(err)
			}
			ctx, done := cli.Context(cmd.Context())
			defer done(nil)
			o, err := checkOptions(ctx, v, args)
			if err != nil {
				return usage(err)
			}
			said := tui.NewProgress(cmd.ErrOrStderr(), tui.Plain(args[0])).Of("case")
			o.Progress = said.Step
			o.Note = func(what string) {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", tui.Plain(args[0]),
					tui.Plain(what))
			}
			report, err := check.Run(ctx, o)
			said.Done()
			if err != nil {
				return err
			}
			if err := report.Write(cmd.OutOrStdout(), asJSON, tui.Plain); err != nil {
				return err
			}
			if report.Count(check.Error) > 0 {
				return exitError{exitFailure}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as one JSON object")
	addProgress(cmd)
	defineSettings(cmd, checkScope)
	return cmd
}

// checkOptions returns what is checked. The error holds all mistakes.
func checkOptions(
	ctx context.Context, v config.Values, args []string,
) (o check.Options, err error) {
	o = check.Options{
		Game: gameList.Find(v.Text("game")), Turns: v.Int("turns"), Seed: v.Config().Seed.Or(1),
		TurnTimeout: v.Duration("turn-timeout"), UsualPort: usualPort,
	}
	started, err := cli.Launch(v)
	o.StartTimeout, o.Env = started.Timeout, started.Env
	wrong := []error{err}
	if o.Instance, err = o.Game.New(v); err != nil {
		wrong = append(wrong, err)
	}
	if err == nil && o.Instance.New == nil {
		wrong = append(
			wrong,
			fmt.Errorf("--game %s: its rules are not in hexarena, so that its cases cannot be played; let "+
				"the bot play whole matches: hexarena play --strict --game %[1]s --logic LOGIC BOT BOT",
				o.Game.Name),
		)
	}
	seats, err := cli.Seats(ctx, args, cli.Scripts(v, checkedSeats(o.Game)))
	o.Seat = seats[0]
	wrong = append(wrong, err)
	return o, errors.Join(wrong...)
}

// checkedSeats are the seats that can be checked.
func checkedSeats(g *games.Game) seat.Known {
	return seat.Known{
		Game: g.Name, HTTTX: g.BotAPI, Page: true,
		Builtin: func(string, uint64) (netorcai.Bot, error) {
			return nil, errors.New(
				`a built-in bot is checked as a command: "hexarena bot NAME --port {port} --seed {seed}"`)
		},
		Refuse: func(s *seat.Spec) error {
			switch s.Kind {
			case seat.Process, seat.Address:
				return nil
			}
			return errors.New("check starts the bot itself, once for each case: name a file or a command")
		},
	}
}
