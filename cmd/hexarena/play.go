package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/play"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/web"
)

// playScope holds the settings of play.
var playScope = config.Scope{Command: config.Play, Games: gameList.Settings()}

func newPlay() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "play [SEAT…]",
		Short: "Play one match on this machine",
		Long: `Play one match on this machine and print the ranking.

A SEAT says who plays:

  NAME              a built-in bot: ` + strings.Join(gameList[0].BuiltinNames(), ", ") + `
  FILE              a bot's file: a source that is run or built first (` + extensions() + `), a .jar or a program
  FOLDER            a folder with a bot, whose file main.* or bot.* is started
  FILE@REV          a file or folder as git has it, such as my_bot.py@HEAD
  "COMMAND"         a command line, in quotes
  stdio:COMMAND     a bot that reads messages from its standard input and writes its own to its
                    standard output, one on each line
  llm:COMMAND       a program that answers text, such as a language model; docs/agents.md
  page              a bot that is written in the page
  open              any client that logs in
  wait, wait:NAME   a bot that you start yourself, for example in a debugger
  ADDRESS           a bot that speaks the HTTTX Bot API, if the game has that

Without a SEAT, built-in bots take all seats of the map, and beside a single page all but one. Bots are started one after another, each
when the one before has logged in. They find the server by BOT_HOST and BOT_PORT in their environment,
or by {host} and {port} in their command; they may use BOT_NICKNAME and BOT_SEED. Their output goes to
files in the folder of --logs. The match waits until page, open and wait seats are taken; in a game
that the HTTTX Bot API carries, a person may take one of them on the page. The match is recorded in a
file in the folder of --record, for hexarena replay.

On a terminal the match is shown at 10 turns a second: space pauses it and lets it go on, . plays one
turn, - and + play slower and faster, f switches to full speed and back, q stops the match. Elsewhere
it is played at full speed. The page at --http shows it as well; --open opens that page, and keeps it
after the match, with a button to play again; it is the default on a terminal for a match that waits
for a bot of the page, and opens the editor. With --watch another match begins whenever a bot's file
has changed.

Turns wait without a time limit for a bot that says in its LOGIN that a debugger is attached, and for
a wait seat unless --turn-timeout or --pace timer is given; docs/debugging.md has the commands for
common editors.

Settings can also come from a YAML file (--config) and from the environment (HEXARENA_TURNS for
--turns); hexarena config play prints them.

` + gameList.Help(func(g *games.Game) string { return g.PlayHelp }) + `A login belongs to the bot whose process it comes from: a bot that logs in again, under
any nickname, gets no second seat. A login from a process that no started bot has
started is marked in the ranking; --strict refuses it.

The exit code is 0 if all bots logged in and the match was played to its end, 2 for wrong
flags or seats, otherwise 1. With --strict it is 3 if a bot never logged in, 4 if one
crashed, left early, skipped a turn or logged in twice.`,
		Example: `  hexarena play
  hexarena play my_bot.py painter --open
  hexarena play my_bot.py my_bot.py@HEAD
  hexarena play page
  hexarena play "./my_bot --port {port}" random random --map pebble --turns 300
  hexarena play --seed 7
` + strings.TrimSuffix(gameList.Examples("  hexarena play "), "\n"),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := playScope.Load(cmd.Flags(), os.Environ())
			run, err := play.Prepare(cmd.Context(), playOptions(cmd, v, err, args))
			if err != nil {
				return err
			}
			return playCode(run(cmd.Context()))
		},
	}
	addProgress(cmd)
	defineSettings(cmd, playScope)
	showScreen(cmd, playScreen())
	cmd.ValidArgsFunction = completeSeats
	return cmd
}

// playOptions returns the options of play. err holds the mistakes in the settings.
func playOptions(cmd *cobra.Command, v config.Values, err error, seats []string) play.Options {
	if v.Given("record") { // if the default folder cannot be used, the match is played, with a warning
		err = errors.Join(err, checkRecord(v))
	}
	return play.Options{
		Values: v, Wrong: err, Arguments: seats,
		Program: programOf(cmd), Judges: judges(),
		Analyse: func(dir string) web.Analyse { return analyseIn(dir, false) },
	}
}

// playCode returns an error with the exit code for a match that failed, and other errors as they
// are.
func playCode(err error) error {
	switch {
	case errors.Is(err, play.ErrFailed):
		return exitError{exitFailure}
	case errors.Is(err, play.ErrNeverJoined):
		return exitError{exitNeverJoined}
	case errors.Is(err, play.ErrUnreliable):
		return exitError{exitUnreliable}
	}
	return err
}
