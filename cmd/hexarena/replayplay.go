package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/play"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/recording/rerun"
)

func newReplayPlay() *cobra.Command {
	from := -1
	var answers []string
	cmd := &cobra.Command{
		Use:   "play FILE --from TURN [--answer PLAYER=ACTIONS] [SEAT…]",
		Short: "Play on from a turn of a recording, with any bots",
		Long: `Play a recorded match on from one of its turns: what if another bot had played from there?

The SEATs take the players' places in the order of their ids. In the places that are left, built-in
bots of the recorded match play on, and other built-in bots take those of other players. Each bot is
asked all turns before, too, so that it knows what it would know in a match, and its answers to them
are ignored. From TURN on, its answers count. --from 0 plays the whole match again.

With --answer, a player answers TURN by hand, with a JSON array of actions in place of the recorded ones. The others answer
as they did, and the bots' answers count one turn later.

The result is another recording, which replay show, verify and the page read. The match keeps the
board, the seed, the order and the number of turns of the recorded one; other settings are those of
hexarena play. Rules in another program cannot go on from the middle of a match.`,
		Example: `  hexarena replay play recordings/20261120-114119-lagoon-7.hexarena --from 43 my_bot.py painter
  hexarena replay play FILE --from 43 --answer '0=[{"id":2,"movement":"move","direction":"x+"}]' my_bot.py painter`,
		Args: cobra.MinimumNArgs(1),
	}
	defineSettings(cmd, playScope)
	addProgress(cmd)
	f := cmd.Flags()
	for _, name := range play.Recorded {
		if one := f.Lookup(name); one != nil {
			one.Hidden = true
		}
	}
	addTurn(f, &from, "from", export.LastTurn, "the first `turn` that the bots play")
	f.Lookup("from").DefValue = "" // a turn must be given
	f.StringArrayVar(&answers, "answer", nil,
		"what a player answers to TURN --from: PLAYER=ACTIONS, such as '0=[]'; may be given for several")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if from == export.LastTurn {
			return usageErrorf(
				"missing --from: want a turn of the recording; hexarena replay show lists them")
		}
		if err := checkNotRecorded(f); err != nil {
			return err
		}
		byHand, err := answersByHand(answers)
		if err != nil {
			return err
		}
		past, err := rerun.ReadPast(args[0], gameList.Replay, from, byHand)
		if err != nil {
			return err
		}
		if g := gameList.OfRules(past.Header.Rules); g != nil {
			if err := f.Set("game", g.Name); err != nil { // it says which settings there are
				return err
			}
		}
		v, err := playScope.Load(f, os.Environ())
		o := playOptions(cmd, v, err, args[1:])
		o.Past = past
		run, err := play.Prepare(cmd.Context(), o)
		if err != nil {
			return err
		}
		return playCode(run(cmd.Context()))
	}
	cmd.ValidArgsFunction = func(
		cmd *cobra.Command, args []string, word string,
	) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return completeRecordings(cmd, args, word)
		}
		return completeSeats(cmd, args[1:], word)
	}
	return cmd
}

// answersByHand returns the actions by player of values such as "0=[]".
func answersByHand(values []string) (map[int]string, error) {
	answers := map[int]string{}
	for _, value := range values {
		player, actions, _ := strings.Cut(value, "=")
		id, err := strconv.Atoi(player)
		if err != nil || actions == "" {
			return nil, usageErrorf(`--answer: %q is not PLAYER=ACTIONS, such as '0=[{"id":2,"movement":"revive"}]'; replay show lists the players`, value)
		}
		if _, twice := answers[id]; twice {
			return nil, usageErrorf("--answer: player %d has two; give one with all actions", id)
		}
		answers[id] = actions
	}
	return answers, nil
}

// checkNotRecorded returns an error if a flag would change what the recording says.
func checkNotRecorded(f *pflag.FlagSet) error {
	for _, name := range play.Recorded {
		if f.Changed(name) {
			return usageErrorf("--%s: the match goes on as it was recorded; leave it out", name)
		}
	}
	return nil
}
