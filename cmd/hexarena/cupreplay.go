package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cupcli"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/launch"
)

func newCupReplay() *cobra.Command {
	o := cupcli.ReplayOptions{Scope: cupScope}
	cmd := &cobra.Command{
		Use:   "replay K [DIR]",
		Short: "Play a match of a cup again, also with other bots",
		Long: `Play match K of a cup again, from the cup's folder: with the bots that it has copies of, on
the same map, with the same seeds and settings. Matches have numbers from 0, as in matches.csv, in
the names of recordings and in what cup show prints of errors.

It prints the result and reports whether that is the match in the cup's log: with the same scores,
ranks, refused actions, forfeits and digest of all states. Bots that draw all random numbers from
BOT_SEED play the same match, unless a turn is too short for them. In a game that counts the time of
its players, a match that was recorded (cup --keep all) has the times of then: built-in bots repeat
answers that depended on time, and an answer that was late is late again.

--replace lets another bot play in the place of one, which --replace BOT=SEAT names as the cup
does. A SEAT is what hexarena cup takes. The match is recorded in a file in the folder of --record,
for hexarena replay; the cup's folder is not changed.

Without DIR it takes the cup in the folder cups that was played last.

Exit codes: 0 the match was played, the same or not; 2 wrong flags, or no such match or bot;
1 anything else, such as a bot that never logged in.`,
		Example: `  hexarena cup replay 12
  hexarena cup replay 12 cups/sprt-1a2b3c4d --replace my_bot.py@HEAD=my_bot.py`,
		Args: cobra.RangeArgs(1, 2),
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Replace, "replace", nil,
		"BOT=SEAT: what plays in place of a bot; may be given for several")
	f.StringVar(&o.Record, "record", "recordings", "the folder for the recording; '' for none")
	f.BoolVar(&o.JSON, "json", false, "print both results as JSON")
	addProgress(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		k, err := strconv.Atoi(args[0])
		if err != nil || k < 0 {
			return usageErrorf("%q is not the number of a match, such as 0 or 12", args[0])
		}
		c, err := openCup(args[1:])
		if err != nil {
			return err
		}
		if event.IsEvent(c.Dir) {
			return usageErrorf("%s is the folder of an event, whose matches are recorded: "+
				"hexarena replay play FILE --from 0 plays one again", c.Dir)
		}
		o.Cup, o.K, o.Again = c, k, launch.Quote(given(cmd, args))
		o.Program = programOf(cmd)
		return cupcli.Replay(cmd.Context(), o)
	}
	return cmd
}
